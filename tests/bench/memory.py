"""Measures recall as a turn pays for it, as memory grows: searches, pairs, SQLite, ranking; all but the embedding.

The index child's own code runs in this process, with vectors of chance in place of a model's and over words as rare as
words are; what it sends is packed and read as for the pipe. An exchange is two turns, so two records. Takes minutes.
"""

from __future__ import annotations

import asyncio
import json
import random
import resource
import statistics
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from desk_assistant.index.child import IndexChild
from desk_assistant.index.embedder import Embedder
from desk_assistant.index.evidence import Evidence
from desk_assistant.index.mirror import Mirror
from desk_assistant.index.records import EmbedderState, IndexRecord, Role
from desk_assistant.index.rows import Row as TableRow
from desk_assistant.index.table import EpisodeTable
from desk_assistant.index.vectors import Vectors
from desk_assistant.memory.ports import IndexService
from desk_assistant.memory.recall import Recaller
from desk_assistant.paths import Locations
from desk_assistant.settings import Settings
from desk_assistant.store import Episode, Message, Store
from desk_assistant.workers.child import Call
from tests.bench import Row, at_most, told

WIDTH: Final = 384
SIZES: Final = (1_000, 10_000, 100_000)
P95_LIMITS: Final = {10_000: 40.0, 100_000: 120.0}
QUERIES: Final = 60
WARM_UP: Final = 4
TURNS: Final = 2
"""Of an exchange."""
BATCH: Final = 5_000
TURNS_A_SESSION: Final = 20
MODEL: Final = "m"


class _Chance:
    """Gives every text some unit vector."""

    def __init__(self) -> None:
        self._numbers = np.random.default_rng(3)

    def encode(self, texts: Sequence[str], role: Role, **_: object) -> Vectors:
        return _units(self._numbers.standard_normal((len(texts), WIDTH)))


class _Child(IndexChild):
    """The index child without a model to load."""

    def serve(self, table: EpisodeTable) -> None:
        self._table, self._mirror, self._model = table, Mirror(table, MODEL), MODEL
        self._embedder = cast(Embedder, _Chance())
        self._state = "ready"


class _Index:
    """What recall needs of the index, answered by the child's own code."""

    embedder: EmbedderState = "ready"

    def __init__(self, child: _Child) -> None:
        self._child = child

    async def explore(self, question: str, **options: Any) -> Evidence:
        found = self._child.explore({"question": question, "limit": 100, **options}, cast(Call, None))
        return Evidence.from_message(question, json.loads(json.dumps(found)))

    def warm(self) -> float:
        """Read the table into memory; return the seconds it took."""
        began = time.perf_counter()
        self._child.warm({}, _Patient())
        return time.perf_counter() - began

    def add(self, records: list[IndexRecord]) -> None:
        """Write records as a turn does."""
        self._child.add({"records": [record.to_message() for record in records]}, _Patient())


class _Patient(Call):
    """A request that is never given up."""

    def __init__(self) -> None:
        super().__init__(0, "", {}, False, lambda _: None)


def rows() -> Iterable[Row]:
    """Yield the figures."""
    with tempfile.TemporaryDirectory() as folder:
        locations = Locations.find(Path(folder) / "data")
        locations.ensure()
        store = Store(locations.database, locations.backups)
        table = EpisodeTable(Path(folder) / "episodes.lance", WIDTH)
        table.open()
        child = _Child(lambda _: None)
        child.serve(table)
        words = _Words()
        numbers = np.random.default_rng(7)
        typical: dict[int, float] = {}
        stored = 0
        index = _Index(child)
        recaller = Recaller(store, cast(IndexService, index), Settings.load(locations.settings), set)
        for size in SIZES:
            while stored < size * TURNS:
                stop = min(stored + BATCH, size * TURNS)
                _fill(store, table, words, stored, _units(numbers.standard_normal((stop - stored, WIDTH))))
                stored = stop
            table.compact()
            before = _resident()
            yield told(f"reading {size:,} exchanges into memory", index.warm(), "s")
            yield told(f"memory of {size:,} exchanges in the index child", _resident() - before, "MB")
            times = [_ask(recaller, question) for question in _questions(words)][WARM_UP:]
            typical[size] = statistics.median(times)
            yield from _figures(f"recall at {size:,} exchanges", times, P95_LIMITS.get(size))
            after = []
            for number, question in enumerate(_questions(words)):
                index.add([IndexRecord(f"new.{size}.{number}", "turn", words.some(24), session="new")])
                after.append(_ask(recaller, question))
            yield from _figures(f"the same right after a write, {size:,}", after[WARM_UP:], P95_LIMITS.get(size))
        growth = typical[SIZES[-1]] / typical[SIZES[0]]
        yield told(f"median recall at {SIZES[-1]:,} exchanges over {SIZES[0]:,}", growth, "x")
        store.close()


def _questions(words: _Words) -> list[str]:
    return [f"What did the {words.some(6)} do?" for _ in range(QUERIES + WARM_UP)]


def _figures(name: str, times: Sequence[float], limit: float | None) -> Iterator[Row]:
    p95 = statistics.quantiles(times, n=20)[18]
    yield told(f"{name}: p50", statistics.median(times), "ms")
    yield at_most(f"{name}: p95", p95, "ms", limit) if limit else told(f"{name}: p95", p95, "ms")


def _resident() -> float:
    """Return the megabytes this process holds."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


def _ask(recaller: Recaller, question: str) -> float:
    began = time.perf_counter()
    asyncio.run(recaller.recall(question, limit=10))
    return (time.perf_counter() - began) * 1000


def _fill(store: Store, table: EpisodeTable, words: _Words, first: int, vectors: Vectors) -> None:
    start = datetime(2026, 1, 1, 9)
    records: list[TableRow] = []
    with store.transaction():
        for number in range(first, first + len(vectors)):
            session, at = f"s{number // TURNS_A_SESSION}", (start + timedelta(minutes=number)).isoformat()
            if number % TURNS_A_SESSION == 0:
                store.transcripts.create_session(session, title="", at=at)
            text = words.some(24)
            message = store.transcripts.append(
                Message(f"m_{number}", session, ("user", "assistant")[number % TURNS], text, at)
            )
            episode = Episode(f"e_{number}", "turn", session, text, text, at, position=number, messages=(message.id,))
            store.episodes.put(episode)
            record = IndexRecord(episode.id, "turn", text, session=session)
            records.append(TableRow(record, text, MODEL, vectors[number - first].tolist()))
    table.write(records)


class _Words:
    """Words of which the n-th comes up 1/n as often as the first."""

    def __init__(self) -> None:
        self._random = random.Random(7)
        ends = ("l", "m", "n", "r", "s", "x", "nd", "st")
        self._words = [f"{a}{b}{c}" for a in "bdfgklmnprstvz" for b in "aeiou" for c in ends]
        self._weights = [1 / (place + 1) for place in range(len(self._words))]

    def some(self, count: int) -> str:
        return " ".join(self._random.choices(self._words, self._weights, k=count))


def _units(values: np.ndarray) -> Vectors:
    unit: Vectors = (values / np.linalg.norm(values, axis=1, keepdims=True)).astype(np.float32)
    return unit
