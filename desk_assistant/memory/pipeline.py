"""The background pass: takes jobs from the outbox and does them, yielding to the person at any time.

Each job's database part and its removal from the outbox are one transaction, so a crash at any moment leaves it either
done or still to do. The index part is idempotent by id: doing it again changes nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from desk_assistant.errors import DeskError, NotFoundError
from desk_assistant.index.records import IndexRecord
from desk_assistant.memory import forget
from desk_assistant.memory.episodic import EpisodicMemory
from desk_assistant.memory.extract import extract
from desk_assistant.memory.forget import Forgetter
from desk_assistant.memory.gist import Gists
from desk_assistant.memory.graph import Graph
from desk_assistant.memory.insights import Insights
from desk_assistant.memory.manner import Manner, is_manner
from desk_assistant.memory.model_reading import JOB as READ
from desk_assistant.memory.model_reading import ModelReading
from desk_assistant.memory.ports import IndexService, ReadingModel
from desk_assistant.memory.records import ForgetReport
from desk_assistant.memory.searchable import INDEXED, record_of_episode, record_of_fact
from desk_assistant.memory.second_look import JOB as CLASSIFY
from desk_assistant.memory.second_look import SecondLook
from desk_assistant.memory.semantic import SemanticMemory
from desk_assistant.store import Job, Store
from desk_assistant.workers import WorkerCancelled

log = logging.getLogger(__name__)

ERASE_BATCH: Final = 10_000
UNINDEX_BATCH: Final = 50_000
"""Every erase rewrites the index and the database file, so it takes all that is due at once."""

REMEMBER_BATCH: Final = 64
INDEX_BATCH: Final = 64
LOOK_BATCH: Final = 16
STORE_JOBS: Final = ("remember", "summarise", forget.CONSOLIDATE, READ)
INDEX_JOBS: Final = ("index", forget.UNINDEX)
ALL_JOBS: Final = (forget.JOB, *STORE_JOBS, *INDEX_JOBS)
LEARNING_JOBS: Final = frozenset({"remember", "summarise", READ, CLASSIFY})
"""Jobs that make new records of what was said. While memory is off they wait."""
MODEL_JOBS: Final = (CLASSIFY,)
"""Jobs that wait while the embedding model is being loaded."""
SEARCHED_JOBS: Final = ("remember", "index")
"""Jobs whose things a search would miss."""
LOOK_SECONDS: Final = 0.03
"""Pause between two looks whether these are done."""
OTHERS_SECONDS: Final = 0.2
"""Pause between two looks at jobs that another program has taken."""

IDLE_SECONDS: Final = 30.0
"""The longest sleep between two looks at the outbox: another program may have left jobs."""

FIRST_READING: Final = "I like tea. 我喜欢茶。"

ProgressCallback = Callable[[str, int, int], None]


class Pipeline:
    """Does the outbox's jobs, one batch at a time.

    Args:
        store: The database.
        semantic: Learns facts from messages.
        episodic: Makes episodes and summaries.
        forgetter: Erases.
        index: The index, or None when there is none in this process; its jobs then wait for one that has it.
        changed: Called on the event loop after stored memory has changed.
        reader: The language model, which reads what the rules cannot when it passed the exam for that.
        renew_copies: Deletes the copies that were made by themselves, which still hold what an erase took out.
        learns: Tells whether memory is on; while it is off only erasing and the index go on.
    """

    def __init__(
        self,
        store: Store,
        semantic: SemanticMemory,
        episodic: EpisodicMemory,
        forgetter: Forgetter,
        index: IndexService | None,
        changed: Callable[[], None],
        reader: ReadingModel | None = None,
        renew_copies: Callable[[], None] = lambda: None,
        learns: Callable[[], bool] = lambda: True,
    ) -> None:
        self._store = store
        self._renew_copies = renew_copies
        self._learns = learns
        self._semantic = semantic
        self._episodic = episodic
        self._forgetter = forgetter
        self._index = index
        self._changed = changed
        self._graph = Graph(store)
        self._manner = Manner(store)
        self._insights = Insights(store)
        self._second_look = SecondLook(store, semantic)
        self._model_reading = ModelReading(store, semantic, reader)
        self._gists = Gists(store, reader)
        self._wake = asyncio.Event()
        self._turn = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._reports: dict[str, ForgetReport] = {}
        self._held = 0
        self._reads = False
        self._free = asyncio.Event()
        self._free.set()

    # --- life -----------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Begin to work in the background."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="memory pipeline")

    async def stop(self) -> None:
        """Stop after the step at hand; what is left stays in the outbox."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    def kick(self) -> None:
        """Say that there may be new jobs."""
        self._wake.set()

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Keep the background pass waiting: the person's turn has the machine to itself."""
        self._held += 1
        self._free.clear()
        try:
            yield
        finally:
            self._held -= 1
            if not self._held:
                self._free.set()

    async def drain(self, progress: ProgressCallback | None = None) -> None:
        """Do every job that is due, now, and wait until all is searchable.

        Raises:
            DeskError: A job failed; it and the rest stay in the outbox.
        """
        await asyncio.to_thread(self._store.outbox.retry)
        total = sum(self._store.outbox.pending().values())
        while True:
            done = await self._step(raising=True)
            left = sum(self._store.outbox.pending().values())
            total = max(total, left)
            if progress is not None:
                progress("remember", total - left, total)
            if done:
                continue
            if not await asyncio.to_thread(self._store.outbox.busy, self._kinds()):
                break
            await asyncio.sleep(OTHERS_SECONDS)  # another program is at it; what it does counts as well
        if self._index is not None and await self._index.wait_embedder() == "ready":
            await self._index.backfill()
            while await self._step(raising=True):
                continue  # what had waited for the model

    async def caught_up(self, patience: float) -> None:
        """Wait until what was written just now, by whichever program, can be found.

        Returns at once where no background pass would do it, or while the person's turn keeps it waiting.

        Args:
            patience: Seconds to wait at most: a long import is not waited for.
        """
        end = time.monotonic() + patience
        while self._index is not None and self._task is not None and not self._held and time.monotonic() < end:
            if not await asyncio.to_thread(self._waits):
                return
            self.kick()
            await asyncio.sleep(LOOK_SECONDS)

    def _waits(self) -> bool:
        kinds = self._allowed(SEARCHED_JOBS)
        due = self._store.outbox.next_due(kinds)
        return due is not None and (due <= time.time() or self._store.outbox.busy(kinds) > 0)

    def take_report(self, record_id: str) -> ForgetReport | None:
        """Return the report of an erase done here, once."""
        return self._reports.pop(record_id, None)

    async def _run(self) -> None:
        with contextlib.suppress(DeskError):
            await asyncio.to_thread(self._store.outbox.retry)
        while True:
            await self._free.wait()
            self._wake.clear()
            try:
                worked = await self._step(raising=False)
            except DeskError as error:
                # The disk may be full or the folder gone: nothing is lost, the jobs wait in the outbox.
                log.warning("background pass paused: %s %s", error.key, error.cause)
                worked = False
            if worked:
                await asyncio.sleep(0)
                continue
            due = await asyncio.to_thread(self._store.outbox.next_due, self._kinds())
            pause = IDLE_SECONDS if due is None else min(IDLE_SECONDS, max(0.05, due - time.time()))
            # Not `wait_for`: on Python 3.11 it swallows a cancellation that meets the event in the same moment.
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(pause):
                    await self._wake.wait()

    def _kinds(self) -> tuple[str, ...]:
        if self._index is None:
            return self._allowed(STORE_JOBS)
        return self._allowed(ALL_JOBS if self._index.embedder == "loading" else (*ALL_JOBS, *MODEL_JOBS))

    def _allowed(self, kinds: tuple[str, ...]) -> tuple[str, ...]:
        return kinds if self._learns() else tuple(kind for kind in kinds if kind not in LEARNING_JOBS)

    # --- one batch ------------------------------------------------------------------------------------------------

    async def _step(self, *, raising: bool) -> bool:
        """Do one batch of the most urgent kind; return whether there was one."""
        async with self._turn:
            if self._index is not None and (jobs := await self._claim([forget.JOB], ERASE_BATCH)):
                return await self._attempt(jobs, self._erase, raising)
            if jobs := await self._claim(["remember"], REMEMBER_BATCH):
                return await self._attempt(jobs, self._remember, raising)
            if jobs := await self._claim(["summarise"], 4):
                return await self._attempt(jobs, self._summarise, raising)
            if jobs := await self._claim([forget.CONSOLIDATE], 1):
                return await self._attempt(jobs, self._consolidate, raising)
            if self._index is not None and (jobs := await self._claim([forget.UNINDEX], UNINDEX_BATCH)):
                return await self._attempt(jobs, self._unindex, raising)
            if self._index is not None and (jobs := await self._claim(["index"], INDEX_BATCH)):
                return await self._attempt(jobs, self._reindex, raising)
            if CLASSIFY in self._kinds() and (jobs := await self._claim([CLASSIFY], LOOK_BATCH)):
                return await self._attempt(jobs, self._look_again, raising)
            if jobs := await self._claim([READ], 1):
                return await self._attempt(jobs, self._read, raising)
            return False

    async def _claim(self, kinds: Sequence[str], limit: int) -> list[Job]:
        if not self._allowed(tuple(kinds)):
            return []
        return await asyncio.to_thread(self._store.outbox.claim, kinds, limit)

    async def _attempt(self, jobs: list[Job], work: Callable[[list[Job]], Awaitable[None]], raising: bool) -> bool:
        try:
            await work(jobs)
        except asyncio.CancelledError:
            self._store.outbox.release(jobs)
            raise
        except WorkerCancelled:
            # It gave way to the person; that is no failure, and it is taken up again at once.
            self._store.outbox.release(jobs)
        except DeskError as error:
            self._store.outbox.failed(jobs)
            log.warning("%d jobs of kind %s put off: %s %s", len(jobs), jobs[0].kind, error.key, error.cause)
            if raising:
                raise
        return True

    async def _remember(self, jobs: list[Job]) -> None:
        await asyncio.to_thread(self._remember_all, jobs)
        self._changed()

    def _remember_all(self, jobs: list[Job]) -> None:
        if not self._reads:
            # The first reading compiles the patterns of both languages, which takes a while; not while the database is
            # held and the person may be waiting for it.
            extract(FIRST_READING, said_at=datetime.now())
            self._reads = True
        withheld = False
        with self._store.transaction():
            for done, job in enumerate(jobs):
                if done and self._held:
                    # The person has said something, and waits for the database that this transaction holds.
                    self._store.outbox.release(jobs[done:])
                    jobs = jobs[:done]
                    break
                try:
                    message = self._store.transcripts.message(job.ref)
                except NotFoundError:
                    continue  # forgotten before it was remembered
                fresh = job.payload != "import"
                if not fresh and self._store.tombstones and message.role == "user":
                    kept = self._forgetter.withhold(message, self._semantic.statements(message))
                    withheld = withheld or kept is not message
                    message = kept
                episodes = self._episodic.remember(message)
                facts = self._semantic.learn(message, fresh=fresh)
                self._second_look.ask(message, facts, fresh=fresh)
                self._model_reading.ask(message, facts, fresh=fresh)
                self._store.outbox.put("index", facts)
                self._store.audit.write("memory", "written", "episodic", episodes)
                self._store.audit.write("memory", "written", "semantic", facts)
            if withheld:  # the words were on disk since the import stored them
                self._store.outbox.put(forget.JOB, [forget.SCRUB])
            self._store.outbox.done(jobs)

    async def _summarise(self, jobs: list[Job]) -> None:
        def work() -> None:
            with self._store.transaction():
                for job in jobs:
                    with contextlib.suppress(NotFoundError):
                        self._episodic.summarise(job.ref)
                self._store.outbox.put(forget.CONSOLIDATE, [forget.WHOLE_PROFILE])
                self._store.outbox.done(jobs)

        await asyncio.to_thread(work)
        for job in jobs:
            # What the words alone make of it is kept already.
            with contextlib.suppress(DeskError):
                await self._gists.add(job.ref)
        self._changed()

    async def _consolidate(self, jobs: list[Job]) -> None:
        def work() -> None:
            self._graph.refresh()
            self._manner.learn()
            self._insights.all()
            self._store.outbox.done(jobs)

        await asyncio.to_thread(work)
        self._changed()

    async def _reindex(self, jobs: list[Job]) -> None:
        assert self._index is not None
        ids = [job.ref for job in jobs]
        records = await asyncio.to_thread(self._records, ids)
        gone = [record_id for record_id in ids if record_id not in {record.id for record in records}]
        if records:
            await self._index.add(records, background=True)
        if gone:
            await self._index.delete(gone)
        await asyncio.to_thread(self._store.outbox.done, jobs)

    async def _look_again(self, jobs: list[Job]) -> None:
        """Have the classifier look at what the rules read; without an embedding model they decide alone."""
        assert self._index is not None
        changed = await self._second_look.look(self._index, jobs) if self._index.embedder == "ready" else []
        await asyncio.to_thread(self._store.outbox.done, jobs)
        if changed:
            self._changed()

    async def _read(self, jobs: list[Job]) -> None:
        """Have the language model read what the rules found nothing in."""
        changed = [fact_id for job in jobs for fact_id in await self._model_reading.read(job)]
        await asyncio.to_thread(self._store.outbox.done, jobs)
        if changed:
            self._changed()

    async def _unindex(self, jobs: list[Job]) -> None:
        assert self._index is not None
        await self._index.erase([job.ref for job in jobs])
        await asyncio.to_thread(self._store.outbox.done, jobs)

    async def _erase(self, jobs: list[Job]) -> None:
        """Erase what was set aside, apart for each who asked: the trail names them."""
        asked: dict[str, list[Job]] = {}
        for job in jobs:
            asked.setdefault(job.payload or forget.PERSON, []).append(job)
        for actor, theirs in asked.items():
            await self._erase_for(actor, theirs)

    async def _erase_for(self, asked_by: str, jobs: list[Job]) -> None:
        """Erase from database, index and database file, and check. The jobs themselves go last."""
        assert self._index is not None
        work, report = await asyncio.to_thread(self._forgetter.erase, [job.ref for job in jobs], asked_by)
        while unindex := await self._claim([forget.UNINDEX], UNINDEX_BATCH):
            await self._unindex(unindex)
        while reindex := await self._claim(["index"], INDEX_BATCH):
            await self._reindex(reindex)
        report = await asyncio.to_thread(self._forgetter.finish, work, report)
        await asyncio.to_thread(self._renew_copies)
        report = replace(report, backups=tuple(map(str, self._forgetter.backups())))
        await asyncio.to_thread(self._store.outbox.done, jobs)
        if work.telling_ids:  # the jobs themselves named what is gone
            await asyncio.to_thread(self._store.checkpoint)
        for job in jobs:
            self._reports[job.ref] = report
        self._changed()

    def _records(self, ids: Sequence[str]) -> list[IndexRecord]:
        episodes = self._store.episodes.by_id(ids)
        facts = self._store.facts.by_id(ids)
        return [record_of_episode(e) for e in episodes.values() if not e.archived] + [
            record_of_fact(f) for f in facts.values() if f.status in INDEXED and not is_manner(f)
        ]
