"""Another embedding model, with vectors of another length, on a table that is there already: with the real child."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from desk_assistant.index import IndexClient, IndexRecord, IndexSetup
from desk_assistant.index.child import FILL
from desk_assistant.index.embedder import model_key
from desk_assistant.index.table import EpisodeTable
from tests.index.tiny_model import make_model

RECORDS = 2 * FILL + 10
TEXTS = {f"r{number}": f"the cat is called on {'the rent ' * (number % 5)}due" for number in range(RECORDS)}
TEXTS["door"] = "in the cabin the door is due"


@pytest.fixture
def setups(tmp_path: Path, table_path: Path) -> tuple[IndexSetup, IndexSetup]:
    small = make_model(tmp_path / "small", hidden=16, seed=1)
    large = make_model(tmp_path / "large", hidden=32, seed=2)
    return IndexSetup(table_path, small, "small"), IndexSetup(table_path, large, "large")


@pytest.fixture
async def filled(tmp_path: Path, setups: tuple[IndexSetup, IndexSetup]) -> AsyncIterator[IndexClient]:
    """A client whose records all have vectors of the small model."""
    client = IndexClient(setups[0], log=tmp_path / "index.log")
    await client.open()
    assert await client.wait_embedder() == "ready"
    await client.add([IndexRecord(key, "turn", text) for key, text in TEXTS.items()])
    assert await client.pending() == 0
    yield client
    await client.close()


def models_in(path: Path, size: int) -> set[tuple[str, int]]:
    table = EpisodeTable(path, size)
    table.open()
    rows = table.read(("model", "vector")).to_pylist()
    return {(row["model"], len(row["vector"] or ())) for row in rows}


async def test_everything_is_embedded_anew_and_said_so_while_words_are_searched(
    filled: IndexClient, setups: tuple[IndexSetup, IndexSetup]
) -> None:
    told: list[tuple[int, int]] = []
    filled.on_backfill = lambda done, left: told.append((done, left))
    assert models_in(setups[0].path, 16) == {(model_key("small", 16), 16)}

    state = await filled.open(setups[1])
    assert state.model_changed
    assert (state.rows, state.pending) == (len(TEXTS), len(TEXTS))
    meanwhile = await filled.search("cabin door")
    assert meanwhile.hits[0].id == "door"

    assert await filled.wait_embedder() == "ready"
    await filled.backfill()
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert len(told) >= 3
    assert told[-1] == (len(TEXTS), 0)
    assert all(done + left == len(TEXTS) for done, left in told)
    assert await filled.pending() == 0
    assert models_in(setups[0].path, 32) == {(model_key("large", 32), 32)}


async def test_vectors_of_two_models_are_never_compared(
    filled: IndexClient, setups: tuple[IndexSetup, IndexSetup]
) -> None:
    await filled.open(setups[1])
    while filled.embedder == "loading":
        reply = await filled.search("the cat is called")
        # An answer that came when the model had just loaded may rest on vectors of its own.
        assert filled.embedder != "loading" or all(hit.cosine is None for hit in reply.hits)
        await asyncio.sleep(0)
    await filled.backfill()
    (asked,) = await filled.embed(["the cat is called"], "query")
    stored = await filled.embed([TEXTS["r0"]], "document")
    assert len(asked) == len(stored[0]) == 32
    hits = {hit.id: hit for hit in (await filled.search("the cat is called", limit=len(TEXTS))).hits}
    assert hits["r0"].cosine == pytest.approx(math.fsum(a * b for a, b in zip(asked, stored[0], strict=True)), abs=1e-3)


async def test_embedding_anew_goes_on_after_the_child_died(
    filled: IndexClient, tmp_path: Path, setups: tuple[IndexSetup, IndexSetup]
) -> None:
    begun = asyncio.Event()
    filled.on_backfill = lambda _done, _left: begun.set()
    await filled.open(setups[1])
    await filled.wait_embedder()
    await begun.wait()
    await filled.close()

    again = IndexClient(setups[1], log=tmp_path / "again.log")
    try:
        state = await again.open()
        assert state.pending <= len(TEXTS) - FILL
        await again.wait_embedder()
        await again.backfill()
        assert await again.pending() == 0
        assert models_in(setups[1].path, 32) == {(model_key("large", 32), 32)}
    finally:
        await again.close()
