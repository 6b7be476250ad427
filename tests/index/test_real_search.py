from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from desk_assistant.index import IndexClient, IndexRecord, IndexSetup
from desk_assistant.index.fusion import Context, rank

pytestmark = pytest.mark.real

WORK = "I am a Java backend developer; my projects use Spring Boot 3 and MySQL 8.0"
QUANT = "我是做量化策略的，主要用 Python，最近在选向量数据库"
DOOR = "Yesterday I repainted the kitchen door."
GARDEN = [
    "我在阳台种了薄荷。",
    "I planted basil next to the tomatoes.",
    "The roses need pruning in March.",
    "My compost heap is finally warm.",
    "I sowed carrots in the raised bed.",
]


class Shelf:
    """An index with texts in it, as a program that keeps the texts would use it."""

    def __init__(self, client: IndexClient) -> None:
        self.client = client
        self.texts: dict[str, str] = {}

    async def add(self, *texts: str) -> None:
        new = {f"r{len(self.texts) + place}": text for place, text in enumerate(texts)}
        self.texts |= new
        await self.client.add([IndexRecord(key, "turn", text) for key, text in new.items()])

    async def ask(self, question: str) -> list[str]:
        evidence = await self.client.explore(question)
        assert not evidence.degraded
        ranking = rank(evidence, {key: Context(text) for key, text in self.texts.items()})
        return [self.texts[item.hit.id] for item in ranking.items] if ranking.answered else []


@pytest.fixture
async def shelf(tmp_path: Path, table_path: Path, model_folder: Path) -> AsyncIterator[Shelf]:
    client = IndexClient(IndexSetup(table_path, model_folder, "e5"), log=tmp_path / "index.log")
    await client.open()
    assert await client.wait_embedder() == "ready"
    yield Shelf(client)
    await client.close()


async def test_questions_find_their_answers_and_nothing_else(shelf: Shelf) -> None:
    await shelf.add(*GARDEN)
    for question in ("我的血型是什么？", "what's my blood type?", "Which database do I use?", "我的猫叫什么名字？"):
        assert await shelf.ask(question) == []
    await shelf.add(WORK, QUANT, DOOR)
    assert (await shelf.ask("which database do I use?"))[0] in (WORK, QUANT)
    assert (await shelf.ask("上次说的向量数据库选到哪了"))[0] == QUANT
    assert (await shelf.ask("When did I repaint the kitchen door?"))[0] == DOOR
    assert (await shelf.ask("阳台上种的是什么？"))[0] == GARDEN[0]
    assert await shelf.ask("what's my blood type?") == []


async def test_unlike_languages_meet_in_the_vectors(shelf: Shelf) -> None:
    pairs = [("我的猫叫豆包。", "What's my cat's name?"), ("My sister teaches maths.", "我姐姐是做什么工作的？")]
    for text, question in pairs:
        (asked,) = await shelf.client.embed([question], "query")
        near, far = await shelf.client.embed([text, "The boiler was serviced in January."], "document")
        assert sum(a * b for a, b in zip(asked, near, strict=True)) > 0.25
        assert sum(a * b for a, b in zip(asked, far, strict=True)) < 0.2


async def test_rows_of_another_model_are_ignored_then_filled(
    shelf: Shelf, tmp_path: Path, table_path: Path, model_folder: Path
) -> None:
    await shelf.add(WORK, DOOR)
    assert await shelf.client.pending() == 0
    setup = IndexSetup(table_path, model_folder, "another name")
    other = IndexClient(setup, log=tmp_path / "other.log")
    state = await other.open()
    assert (state.model_changed, state.pending, state.rows) == (True, 2, 2)
    reply = await other.search("kitchen door")
    assert reply.degraded
    assert [hit.id for hit in reply.hits] == ["r1"]
    assert await other.wait_embedder() == "ready"
    await other.backfill()
    assert await other.pending() == 0
    reply = await other.search("kitchen door")
    assert not reply.degraded
    assert all(hit.cosine is not None for hit in reply.hits)
    await other.close()


async def test_erased_words_are_found_by_neither_way(shelf: Shelf, table_path: Path) -> None:
    await shelf.add(*GARDEN, DOOR)
    await shelf.client.erase(["r5"])
    hits = (await shelf.client.search("When did I repaint the kitchen door?")).hits
    assert "r5" not in {hit.id for hit in hits}
    files = [file for file in table_path.rglob("*") if file.is_file()]
    assert not any(b"repainted" in file.read_bytes() for file in files)


async def test_a_broken_model_leaves_search_by_words(tmp_path: Path, table_path: Path, model_folder: Path) -> None:
    broken = tmp_path / "broken"
    (broken / "1_Pooling").mkdir(parents=True)
    (broken / "1_Pooling" / "config.json").write_bytes((model_folder / "1_Pooling" / "config.json").read_bytes())
    client = IndexClient(IndexSetup(table_path, broken, "broken"), log=tmp_path / "index.log")
    await client.add([replace(IndexRecord("r1", "turn", DOOR), session="s")])
    assert await client.wait_embedder() == "failed"
    reply = await client.search("kitchen")
    assert reply.degraded
    assert [hit.id for hit in reply.hits] == ["r1"]
    await client.close()
