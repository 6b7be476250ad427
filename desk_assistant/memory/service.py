"""Memory as the rest of the program sees it: remember, recall, browse, correct, forget."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from desk_assistant import textkit
from desk_assistant.errors import DeskError, InputError, NotFoundError
from desk_assistant.memory.browse import Browser
from desk_assistant.memory.episodic import EpisodicMemory
from desk_assistant.memory.erasure import Record
from desk_assistant.memory.extract import USER
from desk_assistant.memory.forget import JOB as ERASE
from desk_assistant.memory.forget import Forgetter
from desk_assistant.memory.graph import Graph, Subgraph
from desk_assistant.memory.pipeline import INDEXED, Pipeline, ProgressCallback
from desk_assistant.memory.ports import IndexService
from desk_assistant.memory.recall import Recaller
from desk_assistant.memory.recheck import ForgottenCheck
from desk_assistant.memory.recheck import check as recheck
from desk_assistant.memory.records import ForgetReport, Forgetting, RecalledItem, RecallResult, SearchHit
from desk_assistant.memory.select import Selector, hit_of
from desk_assistant.memory.semantic import SemanticMemory
from desk_assistant.memory.upkeep import Upkeep
from desk_assistant.paths import Locations
from desk_assistant.privacy import PrivacyGate
from desk_assistant.settings import Settings
from desk_assistant.store import Entity, Episode, Fact, FactChange, Message, Relation, Store

log = logging.getLogger(__name__)

WATCH_SECONDS: Final = 1.0
NOTES_SESSION: Final = "notes"
"""Session that holds what the person asked to remember outside a conversation, so that every fact has its words."""


class Memory:
    """The three layers behind one face.

    Args:
        store: The database.
        index: The vector and full-text index, or None where only the database is needed.
        settings: Thresholds and times.
        locations: Folders, for erasing and checking.
        gate: The privacy filter that every written text goes through.

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
        self._pipeline = Pipeline(store, self._semantic, self._episodic, self._forgetter, index, self._changed)
        self._recaller = Recaller(store, index, settings, self._forgetter.unrecalled)
        self._browser = Browser(store, self._forgetter)
        self._graph = Graph(store)
        self.choose = Selector(store, self._recaller, self._forgetter.hidden)
        self._upkeep = Upkeep(store)
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
        while True:
            await asyncio.sleep(WATCH_SECONDS)
            with contextlib.suppress(DeskError):
                if await asyncio.to_thread(self._upkeep.is_due):
                    await self.clean_up()
                version = self._store.data_version()
                if version != seen:
                    seen = version
                    self._changed()
                    self._pipeline.kick()

    # --- reading --------------------------------------------------------------------------------------------------

    async def recall(
        self, query: str, *, session: str | None = None, limit: int | None = None, at: str | None = None
    ) -> RecallResult:
        """Return what memory holds about a question, best first; nothing when no record is over the threshold.

        Without a limit the list is what a turn would be given: capped, and every item over the threshold by itself.
        """
        return await self._recaller.recall(query, session=session, limit=limit, at=at, each_fits=limit is None)

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

    # --- writing --------------------------------------------------------------------------------------------------

    async def add(self, text: str) -> list[Fact]:
        """Remember something the person asked to be remembered; returns the facts it became.

        Raises:
            InputError: Nothing is left once private values are masked, or memory is off.
        """
        if not self._settings.flag("memory.enabled"):
            raise InputError("assistant.memory_off")
        masked = self._gate().mask(textkit.clean(text)).text.strip()
        if not any(character.isalnum() for character in masked):
            raise InputError("assistant.note_empty")

        def work() -> list[Fact]:
            with self._store.transaction():
                session = self._store.transcripts.create_session(NOTES_SESSION, origin="note")
                return self._semantic.note(session.id, session.head_id, masked)

        facts = await asyncio.to_thread(work)
        self._written()
        return facts

    async def edit(self, fact_id: str, text: str) -> Fact:
        """Replace the wording of a fact; from then on only the person changes it.

        Raises:
            NotFoundError: There is no such fact.
            InputError: The new text is empty.
        """
        masked = self._gate().mask(textkit.clean(text)).text.strip()
        if not masked:
            raise InputError("assistant.empty")
        fact = await asyncio.to_thread(self._semantic.edit, fact_id, masked)
        self._written()
        return fact

    async def pin(self, fact_id: str, pinned: bool) -> Fact:
        """Pin a fact (always in the prompt, never aged or changed by automation), or unpin it."""
        fact = await asyncio.to_thread(self._semantic.pin, fact_id, pinned)
        self._written()
        return fact

    async def confirm(self, fact_id: str) -> Fact:
        """Confirm a pending fact."""
        fact = await asyncio.to_thread(self._semantic.confirm, fact_id)
        self._written()
        return fact

    async def close_task(self, fact_id: str) -> Fact:
        """Mark a task as done; it leaves the list and the prompt, and stays in the history.

        Raises:
            NotFoundError: There is no such fact.
        """
        fact = await asyncio.to_thread(self._semantic.finish, fact_id)
        self._written()
        return fact

    async def split(self, fact_id: str) -> list[str]:
        """Take back that two names are one person, as the alias with this id says; returns the facts that moved.

        Raises:
            NotFoundError: There is no such fact.
        """
        moved = await asyncio.to_thread(self._semantic.split, fact_id)
        self._written()
        return moved

    async def clean_up(self) -> list[str]:
        """Archive what is long past or was never sure; returns the ids. Done by itself once a day."""
        archived = await asyncio.to_thread(self._upkeep.run)
        if archived:
            self._written()
        return archived

    async def restore(self, fact_id: str) -> Fact:
        """Bring an archived fact back.

        Raises:
            NotFoundError: There is no such fact.
        """
        fact = await asyncio.to_thread(self._upkeep.restore, fact_id)
        self._written()
        return fact

    def _written(self) -> None:
        self._changed()
        self._pipeline.kick()

    # --- forgetting -----------------------------------------------------------------------------------------------

    async def forget(self, record_ids: Sequence[str], *, undo_seconds: float | None = None) -> Forgetting:
        """Hide records at once and erase them when the time for undo is over.

        Raises:
            NotFoundError: One of the ids does not exist; nothing is hidden.
        """
        seconds = self._settings.number("forget.undo_seconds") if undo_seconds is None else undo_seconds
        forgetting = await asyncio.to_thread(self._forgetter.set_aside, list(record_ids), seconds)
        self._written()
        return forgetting

    async def undo(self, forgetting: Forgetting) -> bool:
        """Take a forgetting back; False when the erase has begun."""
        undone = await asyncio.to_thread(self._forgetter.undo, forgetting)
        self._changed()
        return undone

    async def erase_now(self, forgetting: Forgetting) -> ForgetReport:
        """Erase what was set aside without waiting, and report what was removed and checked.

        Raises:
            DeskError: The erase could not be finished; it is taken up again later.
        """
        await asyncio.to_thread(self._store.outbox.put, ERASE, forgetting.ids)
        await self._pipeline.drain()
        reports = [r for r in (self._pipeline.take_report(i) for i in forgetting.ids) if r is not None]
        return reports[0] if reports else ForgetReport()

    async def check_forgotten(self) -> ForgottenCheck:
        """Look through the whole profile for anything that was forgotten and is there all the same.

        Raises:
            DeskError: The index cannot be read.
        """
        indexed = await self._index.ids() if self._index is not None else ()
        return await asyncio.to_thread(recheck, self._store, self._home, self._forgetter.backups(), indexed)

    def backups(self) -> list[Path]:
        """Return the backup files; each may still hold what was forgotten after it was made."""
        return self._forgetter.backups()

    async def delete_backups(self, names: Sequence[str] = ()) -> list[Path]:
        """Delete backups by their file names, or all; returns those that are gone.

        Raises:
            NotFoundError: There is no backup of such a name; nothing is deleted.
            StorageError: One of them cannot be deleted.
        """
        return await asyncio.to_thread(self._forgetter.delete_backups, names)

    async def note_export(self, path: Path) -> None:
        """Remember that a conversation was exported to a file, so that forgetting can name it."""
        await asyncio.to_thread(self._forgetter.exports.add, path)

    def exports(self) -> list[Path]:
        """Return the exported files that are still there."""
        return self._forgetter.exports.all()

    async def delete_exports(self, paths: Sequence[Path]) -> None:
        """Delete exported files.

        Raises:
            StorageError: One of them cannot be deleted.
        """
        await asyncio.to_thread(self._forgetter.delete_exports, paths)

    def files_with(self, words: str) -> tuple[str, ...]:
        """Return the files of the data folder that contain the words, backups aside."""
        return self._forgetter.files_with(words)

    # --- summaries and repair ---------------------------------------------------------------------------------------

    async def end_session(self, session_id: str) -> None:
        """Ask for the session's summary, when it has something new."""

        def work() -> None:
            with contextlib.suppress(NotFoundError):
                if self._episodic.needs_summary(session_id):
                    self._store.outbox.put("summarise", [session_id])

        await asyncio.to_thread(work)
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
            ids = {f.id for f in self._store.facts.all(INDEXED)}
            for batch in self._store.episodes.walk():
                ids.update(episode.id for episode in batch)
            return ids

        want = await asyncio.to_thread(wanted)
        differing = sorted(want ^ have)
        if differing:
            await asyncio.to_thread(self._store.outbox.put, "index", differing)
            log.info("index reconciled: %d records in %.1f s", len(differing), time.monotonic() - started)
            self._pipeline.kick()
        return len(differing)
