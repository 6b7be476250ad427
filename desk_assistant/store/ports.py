"""What the rest of the program needs from each store, as small interfaces: another backend is one new class each.

`Store` holds its parts as these, so that nothing outside this package can come to depend on SQLite. Every method raises
`StorageError` when the disk refuses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol

from desk_assistant.store.graph import Entity, Relation
from desk_assistant.store.records import Episode, EpisodeKind, Fact, FactChange, FactSource, FactStatus


class FactStore(Protocol):
    """The semantic layer: facts with their sources and history; every change is an entry in the history."""

    def add(self, fact: Fact, *, actor: str) -> Fact:
        """Store a new fact with its sources."""

    def change(
        self, fact_id: str, *, actor: str, action: str, sources: Iterable[FactSource] = (), **values: object
    ) -> Fact:
        """Change columns of a fact (by the names of `Fact`), add sources, and write its history.

        Raises:
            NotFoundError: There is no such fact.
        """

    def note(
        self, fact_id: str, *, actor: str, action: str, before: str | None = None, after: str | None = None
    ) -> None:
        """Write an entry into a fact's history without changing the fact, such as a statement that contradicts it."""

    def touch(self, fact_ids: Iterable[str], at: str | None = None) -> None:
        """Count an access to each fact (it was recalled); not an entry of its history."""

    def get(self, fact_id: str) -> Fact:
        """Return one fact with its sources.

        Raises:
            NotFoundError: There is no such fact.
        """

    def all(
        self,
        statuses: Sequence[FactStatus] | None = ("active",),
        *,
        subject: str | None = None,
        predicate: str | None = None,
        limit: int = 100000,
    ) -> list[Fact]:
        """Return facts, pinned ones first, then the most recently seen. `statuses=None` means all."""

    def of_subject(self, subject: str) -> list[Fact]:
        """Return all facts about somebody, of any status, oldest first; upper and lower case are the same."""

    def by_id(self, fact_ids: Iterable[str]) -> dict[str, Fact]:
        """Return those of the facts that exist, by id."""

    def from_message(self, message_id: str) -> list[Fact]:
        """Return the facts that cite a message, whatever their status."""

    def outdated(self, message_ids: Iterable[str]) -> set[str]:
        """Return those of the messages whose facts have all been superseded or retracted."""

    def search(self, query: str, limit: int = 50) -> list[Fact]:
        """Return facts of any status whose text, subject or object contains every word of `query`."""

    def holding(self, words: str, limit: int = 20) -> list[Fact]:
        """Return facts of any status that hold `words` as they stand."""

    def walk(self, batch: int = 500) -> Iterator[list[Fact]]:
        """Yield all facts in batches, oldest first, without holding them all in memory."""

    def history(self, fact_id: str) -> list[FactChange]:
        """Return what happened to a fact, oldest first."""

    def delete(self, fact_ids: Iterable[str]) -> None:
        """Delete facts with their sources and history."""

    def requote(self, message_id: str, content: str) -> None:
        """Cite anew the words that facts rest on, after some of a message were blacked out."""

    def rewrite_history(self, clean: Callable[[str, str], str]) -> None:
        """Rewrite the entries of histories that differ from what their fact says now.

        Args:
            clean: Gets the fact's present text and that of an entry, and returns what the entry is to say.
        """

    def drop_source(self, fact_id: str, message_id: str) -> None:
        """Remove a message from what a fact rests on; its support falls with it."""

    def count(self) -> dict[str, int]:
        """Return how many facts there are by status."""


class EpisodeStore(Protocol):
    """The episodic layer: what happened, enough of it to rebuild the search index from."""

    def put(self, episode: Episode) -> None:
        """Store an episode, or replace the one with the same id."""

    def get(self, episode_id: str) -> Episode:
        """Return one episode.

        Raises:
            NotFoundError: There is no such episode.
        """

    def by_id(self, episode_ids: Iterable[str]) -> dict[str, Episode]:
        """Return those of the episodes that exist, by id."""

    def from_messages(self, message_ids: Iterable[str]) -> list[Episode]:
        """Return the episodes made from any of these messages, summaries included."""

    def of_session(self, session_id: str, kind: EpisodeKind | None = None) -> list[Episode]:
        """Return a session's episodes in order."""

    def all(self, kind: EpisodeKind | None = None, *, limit: int = 100000, offset: int = 0) -> list[Episode]:
        """Return episodes, newest first."""

    def between(self, start: float, end: float, spoken_of: str = "", limit: int = 200) -> list[Episode]:
        """Return the turns said from `start` up to `end`, oldest first.

        Args:
            start: Seconds since 1970.
            end: Seconds since 1970, not included.
            spoken_of: Turns of other times that hold these words count too; none when empty.
            limit: Turns at most.
        """

    def search(self, query: str, limit: int = 50) -> list[Episode]:
        """Return episodes that contain every word of `query`, newest first."""

    def walk(self, batch: int = 500) -> Iterator[list[Episode]]:
        """Yield all episodes in batches, oldest first, without holding them all in memory."""

    def touch(self, episode_ids: Iterable[str]) -> None:
        """Count an access to each episode (it was recalled)."""

    def delete(self, episode_ids: Iterable[str]) -> None:
        """Delete episodes."""

    def set_archived(self, episode_ids: Iterable[str], archived: bool) -> None:
        """Put episodes aside, or bring them back."""

    def archived(self, limit: int = 10000) -> list[Episode]:
        """Return the episodes that stepped aside, newest first."""

    def said_by_user(self, limit: int) -> list[Episode]:
        """Return the newest turns of the person, newest first."""

    def present(self) -> Iterator[Episode]:
        """Yield the turns in recall, oldest first."""

    def count(self) -> dict[str, int]:
        """Return how many episodes there are by kind."""


class GraphStore(Protocol):
    """The graph of what facts speak of; derived, and made anew as a whole."""

    def is_current(self) -> bool:
        """Tell whether no active fact was added, changed or taken away since the graph was made."""

    def replace(self, relations: Iterable[Relation]) -> None:
        """Put these relations, with the entities they name, in place of all there are."""

    def entities(self) -> list[Entity]:
        """Return all entities by name."""

    def relations(self) -> list[Relation]:
        """Return all relations, oldest fact first."""
