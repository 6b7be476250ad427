"""Measures recall as a turn pays for it: searches, one step on, SQLite, ranking; embedding and pipe left out.

The index child runs in this process with vectors of chance in place of a model's, over words as rare as words are.
"""

from __future__ import annotations

import asyncio
import random
import statistics
import tempfile
import time
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from desk_assistant.index.child import IndexChild
from desk_assistant.index.embedder import Embedder
from desk_assistant.index.records import EmbedderState, Hit, IndexRecord, Role, SearchReply
from desk_assistant.index.rows import Row as TableRow
from desk_assistant.index.table import EpisodeTable
from desk_assistant.index.vectors import VectorCache, Vectors
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
QUERIES: Final = 40
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
        self._table, self._vectors, self._model = table, VectorCache(table, MODEL), MODEL
        self._embedder = cast(Embedder, _Chance())
        self._state = "ready"


class _Index:
    """What recall needs of the index, answered by the child's own code."""

    embedder: EmbedderState = "ready"

    def __init__(self, child: _Child) -> None:
        self._child = child

    async def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
        vectors: Sequence[Sequence[float]] = _Chance().encode(texts, role).tolist()
        return vectors

    async def search(self, query: str, **options: Any) -> SearchReply:
        found = self._child.search({"query": query, **options}, cast(Call, None))
        return SearchReply(tuple(map(_hit, found["hits"])), found["degraded"])

    async def related(self, ids: Sequence[str], **options: Any) -> dict[str, tuple[Hit, ...]]:
        found = self._child.related({"ids": list(ids), **options}, cast(Call, None))
        return {key: tuple(map(_hit, near)) for key, near in found["related"].items()}


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
        recaller = Recaller(store, cast(IndexService, _Index(child)), Settings.load(locations.settings), set)
        words = _Words()
        numbers = np.random.default_rng(7)
        typical: dict[int, float] = {}
        stored = 0
        for size in SIZES:
            while stored < size:
                stop = min(stored + BATCH, size)
                _fill(store, table, words, stored, _units(numbers.standard_normal((stop - stored, WIDTH))))
                stored = stop
            table.compact()
            questions = [f"What did the {words.some(6)} do?" for _ in range(QUERIES + 2)]
            times = [_ask(recaller, question) for question in questions][2:]
            typical[size] = statistics.median(times)
            name = f"recall p95 at {size:,} turns"
            p95 = statistics.quantiles(times, n=20)[18]
            yield at_most(name, p95, "ms", P95_LIMITS[size]) if size in P95_LIMITS else told(name, p95, "ms")
        yield told(f"median recall at {SIZES[-1]:,} over {SIZES[0]:,}", typical[SIZES[-1]] / typical[SIZES[0]], "x")
        store.close()


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
            message = store.transcripts.append(Message(f"m_{number}", session, "user", text, at))
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


def _hit(found: dict[str, Any]) -> Hit:
    return Hit(found["id"], found["kind"], found["session"], found.get("cosine"), found.get("bm25"))


def _units(values: np.ndarray) -> Vectors:
    unit: Vectors = (values / np.linalg.norm(values, axis=1, keepdims=True)).astype(np.float32)
    return unit
