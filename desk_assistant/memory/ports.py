"""What memory needs from the index, as a small interface: another backend is one new class with these methods."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from desk_assistant.index.evidence import Evidence
from desk_assistant.index.records import EmbedderState, IndexRecord, IndexState, Role
from desk_assistant.index.sorts import Sort


class IndexService(Protocol):
    """Vectors and full text over remembered things; `index.client.IndexClient` is the one there is.

    All methods may raise `WorkerError` or `StorageError`.
    """

    on_damage: Callable[[Path], None] | None
    on_backfill: Callable[[int, int], None] | None

    @property
    def embedder(self) -> EmbedderState:
        """State of the embedding model."""

    async def open(self) -> IndexState:
        """Open the index; full-text search works from here on."""

    async def close(self) -> None:
        """Give up the index."""

    async def wait_embedder(self) -> EmbedderState:
        """Wait until the embedding model is loaded or has failed."""

    async def add(self, records: Iterable[IndexRecord], *, background: bool = False) -> None:
        """Store records, replacing those with the same ids."""

    async def delete(self, ids: Sequence[str]) -> None:
        """Take records out of every search."""

    async def erase(self, ids: Sequence[str]) -> None:
        """Remove records so that none of their words is left in any file."""

    async def explore(
        self,
        question: str,
        *,
        lexical: str | None = None,
        kinds: Sequence[str] = (),
        sessions: Sequence[str] = (),
    ) -> Evidence:
        """Return everything that may answer a message, with the raw scores of each of its questions."""

    async def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
        """Return the vector of each text."""

    async def classify(self, texts: Sequence[str], *, background: bool = False) -> Sequence[Mapping[Sort, float]]:
        """Return how likely each sentence is of each sort; only while the embedding model is ready."""

    async def ids(self) -> tuple[str, ...]:
        """Return the ids of all records."""

    async def reset(self) -> None:
        """Start with an empty index."""

    async def backfill(self) -> None:
        """Wait until every record has its vector."""


class ReadingModel(Protocol):
    """A language model that reads messages in the background; the assistant's own model, when it is able to."""

    @property
    def able(self) -> bool:
        """Whether a model is in use that passed the exam for reading. One that did not is never asked."""

    @property
    def summarises(self) -> Sequence[str]:
        """Languages in which the model in use passed the exam for summing up."""

    async def complete(self, instruction: str, text: str, schema: Mapping[str, Any]) -> str:
        """Return what the model writes about a text, as JSON by a schema; gives way to the person.

        Raises:
            WorkerCancelled: The person came first.
            DeskError: The model cannot be asked now.
        """
