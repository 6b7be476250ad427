"""What memory gives to those who ask: recalled items with their scores, plans and reports of forgetting."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Layer = Literal["semantic", "episodic"]


@dataclass(frozen=True)
class ScoreParts:
    """Why an item has its score.

    Attributes:
        vector: Similarity of meaning, or None when the embeddings were not ready.
        text: Score of the full-text search, or None when no word was found.
        relevance: The two fused with what stands around the item, relative to the best of this answer, 0 to 1.
        fit: How likely it answers the question, 0 to 1, whatever else there is; the threshold is set on this.
        decay: Factor for age, 0 to 1.
        importance: Factor for importance and use.
    """

    vector: float | None
    text: float | None
    relevance: float
    fit: float = 1.0
    decay: float = 1.0
    importance: float = 1.0


@dataclass(frozen=True)
class RecalledItem:
    """One remembered thing that fits a question.

    Attributes:
        layer: `semantic` for a fact, `episodic` for a turn or summary.
        id: Id of the fact or episode.
        kind: `fact`, `turn` or `summary`.
        score: Final score; items come best first.
        session_id: Where it was said.
        messages: Public ids of the messages it came from (imported ids where there are some).
        created_at: When it was said, ISO 8601.
    """

    layer: Layer
    id: str
    kind: str
    text: str
    score: float
    parts: ScoreParts
    session_id: str | None
    messages: tuple[str, ...]
    created_at: str
    role: str = "user"


@dataclass(frozen=True)
class RecallResult:
    """The answer to a question put to memory.

    Attributes:
        items: Those over the threshold, best first, capped.
        by_text_only: The embeddings were not ready, so only the full text was searched.
        seconds: How long it took.
    """

    query: str
    items: tuple[RecalledItem, ...] = ()
    by_text_only: bool = False
    seconds: float = 0.0

    def to_json(self, profile: tuple[str, ...] = ()) -> str:
        """Return the result as JSON, for keeping with the answer it was used for (ids and scores, no text).

        Args:
            profile: Ids of the facts that stood in the profile part of the prompt.
        """
        entries = [
            {"id": i.id, "kind": i.kind, "score": round(i.score, 4), "parts": asdict(i.parts)} for i in self.items
        ]
        return json.dumps({"items": entries, "by_text_only": self.by_text_only, "profile": profile})

    @staticmethod
    def recalled_ids(stored: str | None) -> tuple[str, ...]:
        """Return the ids that were recalled for the question, best first: what was shown as remembered about it."""
        if not stored:
            return ()
        data: dict[str, Any] = json.loads(stored)
        return tuple(str(entry["id"]) for entry in data.get("items", ()))

    @staticmethod
    def ids_of(stored: str | None) -> tuple[str, ...]:
        """Return the ids in what `to_json` gave."""
        if not stored:
            return ()
        data: dict[str, Any] = json.loads(stored)
        return (*(str(entry["id"]) for entry in data.get("items", ())), *map(str, data.get("profile", ())))


Verdict = Literal["kept", "changed", "seen", "asks", "weak", "unfit", "reply", "time", "same", "cap"]
"""What became of a record that was found: `kept` is in the answer; the others say why it is not. It was changed or
taken back since; the person sees it anyway; it only asks; its score is far behind the best; it does not fit; it is the
assistant's own; it is of another time; it says the same again; there was no room."""

TracePath = Literal["search", "time", "latest", "nothing"]
"""Which way an answer came: by searching, from the time it asks for, from the latest summaries and tasks, or not."""


@dataclass(frozen=True)
class Considered:
    """One record that was found, and what became of it.

    Attributes:
        id: Of the fact or episode.
        verdict: Why it is or is not in the answer.
        item: As it would stand in the answer; None where it was left out before it was weighed.
        parts: What its relevance is made of, by name, before it was divided by the best one's.
        with_id: The record that holds the other half of the answer, where this one belongs to a pair.
    """

    id: str
    verdict: Verdict
    item: RecalledItem | None
    parts: dict[str, float]
    with_id: str | None


@dataclass(frozen=True)
class RecallTrace:
    """How an answer came about.

    Attributes:
        questions: What was searched for: the questions of the message, or itself.
        period: First and last day of the time it is about.
        past: It is about how things were.
        considered: Everything that was found by searching, best first.
    """

    result: RecallResult
    path: TracePath
    questions: tuple[str, ...] = ()
    period: tuple[str, str] | None = None
    past: bool = False
    considered: tuple[Considered, ...] = ()


@dataclass(frozen=True)
class SearchHit:
    """One record found by a search over everything: a fact, an episode, a message or a whole session."""

    layer: Literal["fact", "episode", "message", "session"]
    id: str
    text: str
    session_id: str | None
    created_at: str
    status: str = "active"


@dataclass(frozen=True)
class Forgetting:
    """Something set aside to be erased: hidden at once, gone when the time for undo is over.

    Attributes:
        ids: The records that were named.
        texts: What they said, for the line that offers undo (shown, never written).
        due: Seconds since 1970 at which the erase begins.
    """

    ids: tuple[str, ...]
    texts: tuple[str, ...]
    due: float


@dataclass(frozen=True)
class ForgetReport:
    """What an erase removed, and what the check afterwards found.

    Attributes:
        facts: Facts removed.
        episodes: Episodes removed.
        messages: Messages removed or blacked out.
        rebuilt: Derived records made anew without it.
        verified: The data folder was searched for the words and they were not found.
        leftovers: Files that still hold the words.
        mentions: Ids of other messages and facts that hold the same words in another context and were left alone.
        backups: Backup files, which may still hold it.
        exports: Exported files that still hold it.
        again: Records that an earlier erase, cut short, had removed already.
    """

    facts: int = 0
    episodes: int = 0
    messages: int = 0
    rebuilt: int = 0
    verified: bool = True
    leftovers: tuple[str, ...] = ()
    mentions: tuple[str, ...] = ()
    backups: tuple[str, ...] = field(default=())
    exports: tuple[str, ...] = ()
    again: int = 0

    @classmethod
    def of(cls, reports: Iterable[ForgetReport]) -> ForgetReport:
        """Return what several erases did together. One that stands there twice, for two records, counts once."""
        parts = list({id(report): report for report in reports}.values())

        def joined(lists: Iterable[tuple[str, ...]]) -> tuple[str, ...]:
            return tuple(dict.fromkeys(entry for entries in lists for entry in entries))

        return cls(
            facts=sum(part.facts for part in parts),
            episodes=sum(part.episodes for part in parts),
            messages=sum(part.messages for part in parts),
            rebuilt=sum(part.rebuilt for part in parts),
            verified=all(part.verified for part in parts),
            leftovers=joined(part.leftovers for part in parts),
            mentions=joined(part.mentions for part in parts),
            backups=joined(part.backups for part in parts),
            exports=joined(part.exports for part in parts),
            again=sum(part.again for part in parts),
        )
