from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from desk_assistant.index.table import EpisodeTable
from desk_assistant.index.vectors import VectorCache, Vectors
from tests.index.conftest import TINY, row


def unit(*values: float) -> Vectors:
    vector: Vectors = np.asarray(values, dtype=np.float32)
    return vector / np.linalg.norm(vector)


EAST, NORTH, NORTHEAST = unit(1, 0, 0, 0), unit(0, 1, 0, 0), unit(1, 1, 0, 0)


@pytest.fixture
def cache(table: EpisodeTable) -> VectorCache:
    table.write(
        [
            row("east", "e", "turn", "a", EAST.tolist()),
            row("north", "n", "fact", "b", NORTH.tolist()),
            row("none", "no vector"),
        ]
    )
    cache = VectorCache(table, "m")
    cache.sync()
    return cache


def test_nearest_first_with_their_cosines(cache: VectorCache) -> None:
    found, _ = cache.nearest(unit(3, 1, 0, 0), 5)
    assert [hit[0] for hit in found] == ["east", "north"]
    assert found[0][3] == pytest.approx(3 / 10**0.5, abs=1e-5)


def test_kinds_and_sessions_limit_the_search(cache: VectorCache) -> None:
    assert [hit[0] for hit in cache.nearest(EAST, 5, kinds=["fact"])[0]] == ["north"]
    assert [hit[0] for hit in cache.nearest(EAST, 5, sessions=["a"])[0]] == ["east"]
    assert cache.nearest(EAST, 5, kinds=["unheard of"])[0] == []


def test_own_writes_are_taken_in_without_reading(cache: VectorCache, table: EpisodeTable) -> None:
    commit = table.write([row("east", "changed", vector=NORTHEAST.tolist()), row("new", "n", vector=EAST.tolist())])
    cache.put([("east", "turn", "s"), ("new", "turn", "s")], np.stack([NORTHEAST, EAST]), commit)
    assert [hit[0] for hit in cache.nearest(EAST, 2)[0]] == ["new", "east"]
    cache.drop(["new"], table.delete(["new"]))
    assert [hit[0] for hit in cache.nearest(EAST, 5)[0]] == ["east", "north"]


def test_writes_of_another_program_are_seen(cache: VectorCache, table: EpisodeTable, table_path: Path) -> None:
    other = EpisodeTable(table_path, TINY)
    other.open()
    other.write([row("new", "n", vector=EAST.tolist())])
    commit = table.write([row("newer", "n", vector=EAST.tolist())])
    cache.put([("newer", "turn", "s")], EAST[None], commit)
    cache.sync()
    assert {hit[0] for hit in cache.nearest(EAST, 3)[0]} == {"east", "new", "newer"}


def test_vectors_of_another_model_are_left_out(table: EpisodeTable, cache: VectorCache) -> None:
    other = VectorCache(table, "another model")
    other.sync()
    assert other.nearest(EAST, 5)[0] == []
