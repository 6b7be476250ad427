from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from desk_assistant.errors import ModelError, StorageError, WorkerError
from desk_assistant.index import IndexClient, IndexRecord


def record(key: str, text: str) -> IndexRecord:
    return IndexRecord(key, "turn", text, session="s")


async def test_words_are_searched_before_any_model_is_there(client: IndexClient) -> None:
    state = await client.open()
    assert (state.rows, state.rebuild, state.embedder) == (0, "new", "absent")
    await client.add([record("r1", "我的猫叫豆包"), record("r2", "lone \ud800 surrogate")])
    reply = await client.search("猫")
    assert reply.degraded
    assert [(hit.id, hit.cosine) for hit in reply.hits] == [("r1", None)]
    assert await client.ids() == ("r1", "r2")
    with pytest.raises(ModelError):
        await client.embed(["text"], "query")


async def test_a_killed_child_comes_back_with_its_rows(client: IndexClient) -> None:
    await client.add([record("r1", "apple")])
    pid = client.worker.pid
    assert pid is not None
    os.kill(pid, signal.SIGKILL if hasattr(signal, "SIGKILL") else signal.SIGTERM)
    with pytest.raises(WorkerError):
        while True:
            await client.count()
    assert [hit.id for hit in (await client.search("apple")).hits] == ["r1"]


async def test_damage_in_the_middle_of_work_is_reported_once(client: IndexClient, table_path: Path) -> None:
    moved: list[Path] = []
    client.on_damage = moved.append
    await client.add([record("r1", "apple")])
    for file in (table_path / "data").iterdir():
        file.unlink()
    with pytest.raises(StorageError) as caught:
        while True:
            await client.ids()
    assert caught.value.key == "index.damaged"
    assert moved
    assert moved[0].exists()
    assert await client.count() == 0
    await client.add([record("r1", "apple")])
    assert [hit.id for hit in (await client.search("apple")).hits] == ["r1"]


async def test_records_next_to_a_record(client: IndexClient) -> None:
    await client.add(
        [record("r1", "Tomek has a diploma"), record("r2", "Tomek works at the harbour"), record("r3", "rain")]
    )
    related = await client.related(["r1", "gone"])
    assert {key: [hit.id for hit in hits] for key, hits in related.items()} == {"r1": ["r2"]}


async def test_many_requests_at_once_open_one_index(client: IndexClient) -> None:
    counts = await asyncio.gather(*(client.count() for _ in range(5)))
    assert counts == [0] * 5
    assert client.worker.generation == 1
