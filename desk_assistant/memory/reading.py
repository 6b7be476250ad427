"""Memory's reading side: lists, searches, single records with their source words, tasks, insights, the graph."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from desk_assistant.memory.browse import Browser
from desk_assistant.memory.erasure import Record
from desk_assistant.memory.extract import USER
from desk_assistant.memory.forget import Forgetter
from desk_assistant.memory.graph import Graph, Subgraph
from desk_assistant.memory.insights import Insights
from desk_assistant.memory.records import SearchHit
from desk_assistant.memory.select import hit_of
from desk_assistant.memory.semantic import SemanticMemory
from desk_assistant.memory.upkeep import Archive, Upkeep
from desk_assistant.store import Entity, Episode, Fact, FactChange, Insight, Message, Relation


class Reading:
    """The part of `Memory` that reads. Nothing that is being forgotten is in any answer."""

    _browser: Browser
    _semantic: SemanticMemory
    _upkeep: Upkeep
    _graph: Graph
    _insights: Insights
    _forgetter: Forgetter

    async def profile(self) -> list[Fact]:
        """Return the facts that belong into the prompt, most important first."""
        return await asyncio.to_thread(lambda: self._browser.visible(self._semantic.profile()))

    async def facts(self, statuses: Sequence[str] | None = ("active", "pending"), query: str = "") -> list[Fact]:
        """Return facts by status (None: all), filtered by words."""
        return await asyncio.to_thread(self._browser.facts, statuses, query)

    async def episodes(
        self, query: str = "", kind: str | None = None, limit: int = 200, offset: int = 0
    ) -> list[Episode]:
        """Return episodes, newest first, filtered by words."""
        return await asyncio.to_thread(self._browser.episodes, query, kind, limit, offset)

    async def search(self, query: str, limit: int = 50) -> list[SearchHit]:
        """Search facts, episodes and messages for records that hold all the words."""
        return await asyncio.to_thread(self._browser.search, query, limit)

    async def show(self, record_id: str) -> Record:
        """Return a fact, episode, message or session by its id.

        Raises:
            NotFoundError: There is none, or it is being forgotten.
        """
        return await asyncio.to_thread(self._browser.show, record_id)

    async def as_hit(self, record_id: str) -> SearchHit:
        """Return any record in the shape of a search hit.

        Raises:
            NotFoundError: There is none, or it is being forgotten.
        """
        return hit_of(await self.show(record_id))

    async def sources(self, record_id: str) -> list[tuple[Message, tuple[int, int] | None]]:
        """Return the messages that a record came from, with the span of the words it rests on."""
        return await asyncio.to_thread(self._browser.sources, record_id)

    async def history(self, fact_id: str) -> list[FactChange]:
        """Return what happened to a fact, oldest first.

        Raises:
            NotFoundError: There is no such fact.
        """
        return await asyncio.to_thread(self._browser.history, fact_id)

    async def tasks(self) -> list[Fact]:
        """Return the open tasks, those with a day first, the earliest first."""
        return await asyncio.to_thread(lambda: self._browser.visible(self._semantic.tasks()))

    async def stale(self) -> list[Fact]:
        """Return facts to review: neither said again, confirmed nor recalled for 30 days. Pinned ones never are."""
        return await asyncio.to_thread(lambda: self._browser.visible(self._upkeep.stale()))

    async def entities(self) -> list[Entity]:
        """Return everybody and everything that the active facts speak of, by name."""
        return await asyncio.to_thread(self._graph.entities)

    async def graph(self, entity: str = USER, depth: int = 1) -> Subgraph:
        """Return an entity, by name or other name, with what stands up to `depth` relations away from it."""
        return await asyncio.to_thread(lambda: self._graph.around(entity, depth, hidden=self._forgetter.hidden()))

    async def path(self, first: str, second: str) -> tuple[Relation, ...]:
        """Return the relations on a shortest way between two entities; empty when they do not hang together."""
        return await asyncio.to_thread(lambda: self._graph.path(first, second, hidden=self._forgetter.hidden()))

    async def archived(self) -> Archive:
        """Return the facts and turns that stepped aside: out of recall, and restored by `restore`."""

        def work() -> Archive:
            archive = self._upkeep.archived()
            return Archive(
                tuple(self._browser.visible(archive.facts)), tuple(self._browser.visible_episodes(archive.episodes))
            )

        return await asyncio.to_thread(work)

    async def insights(self) -> list[Insight]:
        """Return what three or more conversations support together, the best supported first.

        `sources` tells the words that one of them rests on, `show` each record in its `sources`.
        """
        return await asyncio.to_thread(self._insights.all)
