"""The app's face of the index child: typed, asyncio, and nothing to import but the standard library and our own."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desk_assistant.errors import DeskError
from desk_assistant.index.evidence import Evidence
from desk_assistant.index.records import EmbedderState, Hit, IndexRecord, IndexState, Role, SearchReply
from desk_assistant.index.sorts import SORTS, Sort
from desk_assistant.workers import WorkerCancelled, WorkerClient

BATCH: Final = 64
"""Records a write. Larger ones are faster to write and slower to interrupt."""

ADD_TRIES: Final = 50
"""How often a write gives way to the person before it insists."""


WARM_TRIES: Final = 5
"""How often reading ahead begins anew after it gave way; then whoever asks first has to wait for it."""


@dataclass(frozen=True)
class IndexSetup:
    """What the child is to open.

    Attributes:
        path: The table's folder, `…/<name>.lance`.
        model_dir: The embedding model's sentence-transformers folder; None for full text alone.
        model_id: Name of the embedding model; vectors of models with other names are never compared.
    """

    path: Path
    model_dir: Path | None
    model_id: str


class IndexClient:
    """Search over records by meaning and by words.

    The child is started, and started again after it died, by whatever is asked first. While the embedding model loads
    search goes by full text and says so; records added meanwhile get their vectors as soon as the model is there.

    Args:
        setup: What to open.
        log: File the child's messages go to; or give `worker`.
        worker: The child to talk to.

    Attributes:
        embedder_ready: Set once vectors can be made, by whichever way.
        on_damage: Called when the table turned out to be damaged in the middle of work and was moved aside, with its
            new place. The records must be added again.
    """

    def __init__(self, setup: IndexSetup, *, log: Path | None = None, worker: WorkerClient | None = None) -> None:
        if worker is None:
            if log is None:
                raise ValueError("either a log or a worker is needed")
            worker = WorkerClient("index", log=log)
        self._setup = setup
        self._worker = worker
        self._worker.subscribe(self._notice)
        self._opened_in = 0
        self._opening = asyncio.Lock()
        self._state: IndexState | None = None
        self._embedder: EmbedderState = "absent"
        self._backfill: asyncio.Task[None] | None = None
        self._warming: asyncio.Task[None] | None = None
        self.embedder_ready = asyncio.Event()
        self.on_damage: Callable[[Path], None] | None = None
        self.on_backfill: Callable[[int, int], None] | None = None

    @property
    def worker(self) -> WorkerClient:
        """The child behind this client."""
        return self._worker

    @property
    def embedder(self) -> EmbedderState:
        """State of the embedding model."""
        return self._embedder

    async def open(self, setup: IndexSetup | None = None) -> IndexState:
        """Open the index and return how it stands; full-text search works from here on.

        Args:
            setup: Something else to open from now on, such as another embedding model.

        Raises:
            StorageError: The folder cannot be written.
            ModelError: The embedding model's folder is not one.
            WorkerError: The child cannot be started.
        """
        async with self._opening:
            if setup is not None and setup != self._setup:
                self._setup = setup
                self._opened_in = 0
            return await self._open()

    async def close(self) -> None:
        """End the child. It is started again by the next request."""
        for task in (self._backfill, self._warming):
            if task is not None:
                task.cancel()
                await asyncio.wait([task])
        await self._worker.stop()

    async def wait_embedder(self) -> EmbedderState:
        """Wait until the embedding model is loaded or has failed, and return its state."""
        while True:
            with contextlib.suppress(WorkerCancelled):
                self._set_embedder((await self._ask("wait", background=True))["embedder"])
                return self._embedder

    async def add(self, records: Iterable[IndexRecord], *, background: bool = False) -> None:
        """Add records; one with the id of an earlier one replaces it.

        Args:
            records: Any number; they are written in batches, so memory stays flat.
            background: Give way to searches while embedding.

        Raises:
            StorageError: The disk is full or cannot be written. Batches before this one are in.
        """
        for batch in _batches(records, BATCH):
            messages = [record.to_message() for record in batch]
            reply = await self._patiently("add", background, records=messages)
            if reply["pending"]:
                self._start_backfill()

    async def delete(self, ids: Sequence[str]) -> None:
        """Take records out of search. Quick; the bytes leave the disk later. See `erase`."""
        if ids:
            await self._ask("delete", ids=list(ids))

    async def erase(self, ids: Sequence[str]) -> None:
        """Remove records for good: rows, vectors, words, old file versions. Returns when the disk was looked through.

        May be repeated with ids that are gone.

        Raises:
            StorageError: Not everything could be removed; repeat it.
        """
        await self._ask("erase", ids=list(ids))

    async def explore(
        self,
        question: str,
        *,
        lexical: str | None = None,
        limit: int = 100,
        kinds: Sequence[str] = (),
        sessions: Sequence[str] = (),
    ) -> Evidence:
        """Search for everything that may answer a message, in one request; rank it with `fusion.rank`.

        Args:
            question: The message; each of its questions is embedded and searched.
            lexical: What full text looks for in place of the message as it stands.
            limit: Most records from each way of searching, for each question.
            kinds: Look only at these kinds.
            sessions: Look only at these sessions.
        """
        reply = await self._ask(
            "explore", question=question, lexical=lexical, limit=limit, kinds=list(kinds), sessions=list(sessions)
        )
        return Evidence.from_message(question, reply)

    async def search(
        self, query: str, *, limit: int = 100, kinds: Sequence[str] = (), sessions: Sequence[str] = ()
    ) -> SearchReply:
        """Return the records nearest to one question: the best by vector together with the best by full text.

        Args:
            query: The question; it is embedded.
            limit: Most records from each of the two ways.
            kinds: Look only at these kinds.
            sessions: Look only at these sessions.
        """
        reply = await self._ask("search", query=query, limit=limit, kinds=list(kinds), sessions=list(sessions))
        return SearchReply(tuple(Hit(*hit) for hit in reply["hits"]), bool(reply["degraded"]))

    async def embed(
        self, texts: Sequence[str], role: Role, *, background: bool = False
    ) -> tuple[tuple[float, ...], ...]:
        """Return the centred unit vector of each text.

        Args:
            texts: What to embed.
            role: "query" for what asks, "document" for what is searched.
            background: Give way to searches.

        Raises:
            ModelError: The embedding model is not loaded; see `embedder` and `wait_embedder`.
        """
        vectors: list[tuple[float, ...]] = []
        for batch in _batches(texts, BATCH):
            reply = await self._patiently("embed", background, texts=batch, role=role)
            vectors += [tuple(vector) for vector in reply["vectors"]]
        return tuple(vectors)

    async def classify(self, texts: Sequence[str], *, background: bool = False) -> tuple[dict[Sort, float], ...]:
        """Return how likely each sentence is of each sort.

        Args:
            texts: Sentences.
            background: Give way to searches.

        Raises:
            ModelError: The embedding model is not loaded; see `embedder` and `wait_embedder`.
        """
        found: list[dict[Sort, float]] = []
        for batch in _batches(texts, BATCH):
            reply = await self._patiently("classify", background, texts=batch)
            found += [dict(zip(SORTS, row, strict=True)) for row in reply["sorts"]]
        return tuple(found)

    async def count(self) -> int:
        """Return the number of records."""
        return int((await self._ask("count"))["rows"])

    async def pending(self) -> int:
        """Return the number of records that wait for a vector."""
        return int((await self._ask("count"))["pending"])

    async def ids(self, kind: str | None = None) -> tuple[str, ...]:
        """Return the ids of all records, or of those of one kind."""
        return tuple((await self._ask("ids", kind=kind))["ids"])

    async def compact(self) -> None:
        """Merge small files so that search is as quick as it can be. Happens by itself every few dozen writes."""
        await self._ask("compact")

    async def reset(self) -> None:
        """Make the index empty, on disk too: before it is filled again from the caller's own records."""
        await self._ask("reset")

    async def backfill(self) -> None:
        """Wait until no record lacks a vector of the model in use, giving way to searches. Starts by itself."""
        self._start_backfill()
        if self._backfill is not None:
            await asyncio.shield(self._backfill)

    async def _open(self) -> IndexState:
        await self._worker.ensure()
        if self._opened_in == self._worker.generation and self._state is not None:
            return self._state
        self.embedder_ready.clear()
        generation = self._worker.generation
        reply = await self._worker.request(
            "open", path=self._setup.path, model_dir=self._setup.model_dir, model_id=self._setup.model_id
        )
        self._state = IndexState(**reply)
        self._opened_in = generation
        self._set_embedder(self._state.embedder)
        self._warm()
        return self._state

    def _warm(self) -> None:
        """Have the table read into memory behind the first requests, so that no question waits for it."""
        if self._warming is None or self._warming.done():
            self._warming = asyncio.get_running_loop().create_task(self._read_ahead(), name="index warming")

    async def _read_ahead(self) -> None:
        with contextlib.suppress(DeskError):
            for _ in range(WARM_TRIES):
                with contextlib.suppress(WorkerCancelled):
                    await self._worker.request("warm", background=True)
                    return

    async def _ask(self, op: str, *, background: bool = False, **params: Any) -> dict[str, Any]:
        async with self._opening:
            await self._open()
        return await self._worker.request(op, background=background, **params)

    async def _patiently(self, op: str, background: bool, **params: Any) -> dict[str, Any]:
        for attempt in itertools.count():
            yielding = background and attempt < ADD_TRIES
            try:
                return await self._ask(op, background=yielding, **params)
            except WorkerCancelled:
                if not yielding:
                    raise
        raise AssertionError("unreachable")

    def _notice(self, notice: dict[str, Any]) -> None:
        if "embedder" in notice:
            self._set_embedder(notice["embedder"])
        if notice.get("index") == "damaged" and self.on_damage is not None:
            self.on_damage(Path(notice["moved_to"]))

    def _set_embedder(self, state: EmbedderState) -> None:
        self._embedder = state
        if state == "ready":
            self.embedder_ready.set()
            self._start_backfill()

    def _start_backfill(self) -> None:
        if self._embedder == "ready" and (self._backfill is None or self._backfill.done()):
            self._backfill = asyncio.get_running_loop().create_task(self._fill(), name="index backfill")

    async def _fill(self) -> None:
        while True:
            try:
                async with await self._worker.stream("backfill", background=True) as events:
                    async for event in events:
                        if self.on_backfill is not None:
                            self.on_backfill(event["done"], event["left"])
                return
            except WorkerCancelled:
                # The person asked something; go on after that.
                await asyncio.sleep(0)
            except DeskError:
                # Whoever asks for something next is told what is wrong; the rows keep waiting for their vectors.
                return


def _batches(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    iterator = iter(items)
    while batch := list(itertools.islice(iterator, size)):
        yield batch
