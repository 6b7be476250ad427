"""What goes into the search index and what comes out of it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from typing import Any, Literal, TypeAlias

from desk_assistant import textkit

EmbedderState: TypeAlias = Literal["loading", "ready", "failed", "absent"]
Role: TypeAlias = Literal["query", "document"]


@dataclass(frozen=True)
class IndexRecord:
    """One searchable record.

    Attributes:
        id: Unique; a record with the id of an earlier one replaces it.
        kind: What it is, such as "turn", "summary" or "fact"; searches can be limited to kinds.
        text: What it says; this is what is embedded.
        lexical: What full-text search looks at, usually the text, its speaker's name and the turn before. Empty means
            `text`.
        session: The session it belongs to, empty for none.
        language: "en", "zh" or empty.
        epoch: When it was said, seconds since 1970.
        importance: 0 to 1.
    """

    id: str
    kind: str
    text: str
    lexical: str = ""
    session: str = ""
    language: str = ""
    epoch: float = 0.0
    importance: float = 0.5

    def to_message(self) -> dict[str, Any]:
        """Return the record as JSON data for the child."""
        return asdict(self)

    @classmethod
    def from_message(cls, data: dict[str, Any]) -> IndexRecord:
        """Return the record that `to_message` described, its text made safe to store."""
        known = {field.name: data[field.name] for field in fields(cls) if field.name in data}
        for name in ("id", "kind", "text", "lexical", "session", "language"):
            if name in known:
                known[name] = textkit.clean(str(known[name]))
        return cls(**known)


@dataclass(frozen=True)
class Hit:
    """One record found.

    Attributes:
        id: Of the record.
        kind: Of the record.
        session: Of the record.
        cosine: Centred cosine to the question, -1 to 1; None while the record or the question has no vector.
        bm25: Full-text score, above 0; None when it has no word of the question.
    """

    id: str
    kind: str
    session: str
    cosine: float | None
    bm25: float | None


@dataclass(frozen=True)
class SearchReply:
    """The answer to a search.

    Attributes:
        hits: The union of the best by vector and the best by full text, unordered in meaning: fuse before use.
        degraded: True when only full text was searched, because the embedding model is not there (yet).
    """

    hits: tuple[Hit, ...]
    degraded: bool


@dataclass(frozen=True)
class IndexState:
    """How the index stands after opening.

    Attributes:
        rows: Records in it.
        pending: Records that wait for a vector of the model in use.
        embedder: State of the embedding model.
        rebuild: Why the caller must fill the index again from its own records: "new" (there was none), "damaged" (it
            was moved aside), "analysis" (it was made by another version of the text analysis); None when it is whole.
        moved_to: Where a damaged index was put.
        model_changed: Vectors of another embedding model were found; none of them is used, and they are being replaced.
    """

    rows: int
    pending: int
    embedder: EmbedderState
    rebuild: Literal["new", "damaged", "analysis"] | None = None
    moved_to: str | None = None
    model_changed: bool = False
