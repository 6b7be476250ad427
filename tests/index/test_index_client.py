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
    # Whoever reads first meets it: this request, or the reading ahead behind the start.
    said: list[str] = []
    while not moved:
        try:
            await client.ids()
        except StorageError as error:
            said.append(error.key)
    assert len(moved) == 1
    assert set(said) <= {"index.damaged"}
    assert moved[0].exists()
    assert await client.count() == 0
    await client.add([record("r1", "apple")])
    assert [hit.id for hit in (await client.search("apple")).hits] == ["r1"]


async def test_one_request_brings_the_answer_and_what_is_tied_to_it(client: IndexClient) -> None:
    await client.add(
        [
            record("bees", "My cousin keeps bees"),
            record("work", "My cousin works at the harbour"),
            record("tall", "My cousin is tall"),
            record("rain", "rain"),
        ]
    )
    evidence = await client.explore("Where does the one who keeps bees work?")
    (part,) = evidence.parts
    assert evidence.degraded
    assert {hit.id for hit in part.hits} == {"bees", "work"}
    assert {key: other for key, (_, other) in part.bridges.items()} == {"bees": "work", "work": "bees"}
    assert part.near.keys() >= {"bees", "work", "tall"}
    assert {hit.id for hit in part.around} >= {"tall"}
    assert "rain" not in evidence.hits


async def test_each_question_of_a_message_is_searched_by_itself(client: IndexClient) -> None:
    await client.add([record("cat", "The cat is called Miso"), record("rent", "The rent is due on Friday")])
    evidence = await client.explore("What is the cat called? Also, when is the rent due?")
    assert [[hit.id for hit in part.hits] for part in evidence.parts] == [["cat"], ["rent"]]
    assert evidence.questions


async def test_exploring_keeps_to_kinds_and_sessions(client: IndexClient) -> None:
    other = IndexRecord("o", "fact", "apple pie", session="other")
    await client.add([record("a", "apple"), other])
    assert set((await client.explore("apple", sessions=["other"])).hits) == {"o"}
    assert set((await client.explore("apple", kinds=["turn"])).hits) == {"a"}


async def test_many_requests_at_once_open_one_index(client: IndexClient) -> None:
    counts = await asyncio.gather(*(client.count() for _ in range(5)))
    assert counts == [0] * 5
    assert client.worker.generation == 1
