"""Memory as the rest of the program sees it: remember, recall, browse, correct, forget."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import logging
import time
from collections.abc import Callable, Sequence
from typing import Final

from desk_assistant.errors import DeskError, NotFoundError
from desk_assistant.memory.backup import Rotation
from desk_assistant.memory.browse import Browser
from desk_assistant.memory.episodic import EpisodicMemory
from desk_assistant.memory.erasing import Erasing
from desk_assistant.memory.forget import Forgetter
from desk_assistant.memory.graph import Graph
from desk_assistant.memory.insights import Insights
from desk_assistant.memory.manner import is_manner
from desk_assistant.memory.pipeline import Pipeline, ProgressCallback
from desk_assistant.memory.ports import IndexService, ReadingModel
from desk_assistant.memory.reading import Reading
from desk_assistant.memory.recall import Recaller
from desk_assistant.memory.records import RecalledItem, RecallResult, RecallTrace
from desk_assistant.memory.searchable import INDEXED
from desk_assistant.memory.select import Selector
from desk_assistant.memory.semantic import SemanticMemory
from desk_assistant.memory.upkeep import Upkeep
from desk_assistant.memory.writing import Writing
from desk_assistant.paths import Locations
from desk_assistant.privacy import PrivacyGate
from desk_assistant.settings import Settings
from desk_assistant.store import Store

log = logging.getLogger(__name__)

CATCH_UP_SECONDS: Final = 3.0
"""How long a search waits for what was written just before it."""

WATCH_SECONDS: Final = 1.0
REST_EVERY: Final = 60
"""Looks of the watcher between two looks for conversations that rest."""

REST_SECONDS: Final = 600.0
"""After so long without a word, a conversation is summed up though it is still open."""

REST_SPAN: Final = 86_400.0


class Memory(Reading, Writing, Erasing):
    """The three layers behind one face.

    Args:
        store: The database.
        index: The vector and full-text index, or None where only the database is needed.
        settings: Thresholds and times.
        locations: Folders, for erasing and checking.
        gate: The privacy filter that every written text goes through.
        reader: The language model, for reading what the rules cannot.

    Attributes:
        choose: Finds what a wish to forget means: a person, a topic, a time span, everything.
    """

    def __init__(
        self,
        store: Store,
        index: IndexService | None,
        settings: Settings,
        locations: Locations,
        gate: Callable[[], PrivacyGate],
        reader: ReadingModel | None = None,
    ) -> None:
        self._store = store
        self._index = index
        self._settings = settings
        self._gate = gate
        self._home = locations.home
        self._listeners: list[Callable[[], None]] = []
        self._episodic = EpisodicMemory(store)
        self._semantic = SemanticMemory(store)
        self._forgetter = Forgetter(store, self._episodic, locations.home, locations.backups)
        self._rotation = Rotation(store, locations)
        self._pipeline = Pipeline(
            store,
            self._semantic,
            self._episodic,
            self._forgetter,
            index,
            self._changed,
            reader,
            self._rotation.renew,
            learns=lambda: settings.flag("memory.enabled"),
        )
        self._recaller = Recaller(store, index, settings, self._forgetter.unrecalled)
        self._browser = Browser(store, self._forgetter)
        self._graph = Graph(store)
        self._insights = Insights(store)
        self.choose = Selector(store, self._recaller, self._forgetter.hidden)
        self._upkeep = Upkeep(store, settings)
        self._watcher: asyncio.Task[None] | None = None

    # --- life -----------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin the background pass, and watch for changes that other programs make."""
        self._pipeline.start()
        if self._watcher is None:
            self._watcher = asyncio.create_task(self._watch(), name="memory watcher")

    async def stop(self) -> None:
        """Stop the background pass; what is left waits in the outbox."""
        if self._watcher is not None:
            self._watcher.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._watcher
            self._watcher = None
        await self._pipeline.stop()

    def kick(self) -> None:
        """Say that there may be new work."""
        self._pipeline.kick()

    def held(self) -> contextlib.AbstractContextManager[None]:
        """Return a context in which the background pass waits."""
        return self._pipeline.held()

    async def settle(self, progress: ProgressCallback | None = None) -> None:
        """Do all background work that is due and wait until everything is searchable."""
        await self._pipeline.drain(progress)

    def on_change(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` on the event loop when stored memory has changed, also by another program."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            with contextlib.suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

    def _changed(self) -> None:
        for listener in tuple(self._listeners):
            listener()

    async def _watch(self) -> None:
        seen = self._store.data_version()
        for looks in itertools.count(1):
            await asyncio.sleep(WATCH_SECONDS)
            try:
                await self._look(looks)
                version = self._store.data_version()
                if version != seen:
                    seen = version
                    self._changed()
                    self._pipeline.kick()
            except DeskError as error:
                log.info("the memory watcher tries again: %s", error.key)
            except Exception as error:  # noqa: BLE001 - without the watcher nothing is copied until the next start
                log.warning("the memory watcher goes on after %s", type(error).__name__)

    async def _look(self, looks: int) -> None:
        """Do what has come due: summaries of conversations that rest, cleaning up, the automatic copy."""
        if looks % REST_EVERY == 0 and self._settings.flag("memory.enabled"):
            await self.sum_up_resting()
        if await asyncio.to_thread(self._upkeep.is_due):
            await self.clean_up()
        if await asyncio.to_thread(self._rotation.is_due):
            await asyncio.to_thread(self._rotation.run)

    # --- recall ---------------------------------------------------------------------------------------------------

    async def recall(
        self, query: str, *, session: str | None = None, limit: int | None = None, at: str | None = None
    ) -> RecallResult:
        """Return what memory holds about a question, best first; nothing when no record is over the threshold.

        Without a limit the list is what a turn would be given: capped, and every item over the threshold by itself.
        What was written just before, also by another program, is waited for; a turn takes what there is.
        """
        await self._pipeline.caught_up(CATCH_UP_SECONDS)
        return await self._recaller.recall(query, session=session, limit=limit, at=at, each_fits=limit is None)

    async def explain(self, query: str, *, session: str | None = None) -> RecallTrace:
        """Recall as a turn would, and tell how: what was searched for, and what became of everything that was found."""
        await self._pipeline.caught_up(CATCH_UP_SECONDS)
        return await self._recaller.explain(query, session=session)

    async def recall_for_turn(self, query: str, *, before: str, exclude_messages: Sequence[str]) -> RecallResult:
        """Return what to put beside a new message: like `recall`, without what its own conversation already shows."""
        return await self._recaller.recall(query, before=before, exclude_messages=exclude_messages)

    async def used(self, items: Sequence[RecalledItem]) -> None:
        """Count that these were recalled for an answer."""

        def work() -> None:
            with self._store.transaction():
                self._store.facts.touch(item.id for item in items if item.layer == "semantic")
                self._store.episodes.touch(item.id for item in items if item.layer == "episodic")
                self._store.audit.write("memory", "recalled", "all", [item.id for item in items])

        if items:
            await asyncio.to_thread(work)

    # --- summaries and repair ---------------------------------------------------------------------------------------

    async def end_session(self, session_id: str) -> None:
        """Ask for the session's summary, when it has something new."""

        def work() -> None:
            with contextlib.suppress(NotFoundError):
                if self._episodic.needs_summary(session_id):
                    self._store.outbox.put("summarise", [session_id])

        await asyncio.to_thread(work)
        self._pipeline.kick()

    async def sum_up_resting(self, now: float | None = None) -> None:
        """Ask for summaries of conversations in which nobody has said anything for a while."""
        moment = time.time() if now is None else now

        def work() -> list[str]:
            resting = self._store.transcripts.resting(moment - REST_SECONDS, moment - REST_SPAN)
            remembered = [i for i in resting if self._store.episodes.of_session(i, "turn")]
            self._store.outbox.put("summarise", remembered)
            return remembered

        if await asyncio.to_thread(work):
            self._pipeline.kick()

    async def sum_up(self, session_id: str) -> None:
        """Bring the session's summary up to date now, when it has something new.

        Raises:
            StorageError: The summary could not be written.
        """

        def work() -> None:
            with contextlib.suppress(NotFoundError):
                if self._episodic.needs_summary(session_id):
                    self._episodic.summarise(session_id)

        await asyncio.to_thread(work)
        self._written()

    async def reconcile(self) -> int:
        """Bring the index in line with the database, which is the truth; returns how many records differed."""
        index = self._index
        if index is None:
            return 0
        started = time.monotonic()
        have = set(await index.ids())

        def wanted() -> set[str]:
            ids = {f.id for f in self._store.facts.all(INDEXED) if not is_manner(f)}
            for batch in self._store.episodes.walk():
                ids.update(episode.id for episode in batch if not episode.archived)
            return ids

        want = await asyncio.to_thread(wanted)
        differing = sorted(want ^ have)
        if differing:
            await asyncio.to_thread(self._store.outbox.put, "index", differing)
            log.info("index reconciled: %d records in %.1f s", len(differing), time.monotonic() - started)
            self._pipeline.kick()
        return len(differing)
