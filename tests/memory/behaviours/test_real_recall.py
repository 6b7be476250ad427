"""Recall through the real index and embedding model, in both languages and across them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from desk_assistant.index import IndexClient, IndexSetup
from desk_assistant.memory.service import Memory
from desk_assistant.paths import Locations
from desk_assistant.privacy import PrivacyGate
from desk_assistant.settings import Settings
from desk_assistant.store import Message, Store, new_id
from tests.index.conftest import MODEL

pytestmark = pytest.mark.real

DIARY = (
    ("2026-03-04T10:00:00", "Yesterday I planted the quince tree; next Friday the shed arrives."),
    ("2026-05-11T09:00:00", "今天把院子里的枇杷树修剪了一遍。"),
    ("2026-05-11T09:10:00", "My go-to drink is ginger beer."),
    ("2026-05-21T09:00:00", "I switched, my go-to drink is mint tea now."),
    ("2026-07-31T22:06:00", "Today I repotted the fig."),
    ("2026-08-02T09:00:00", "我在用 Postgres 做数据分析。"),
)
ASKED = "2026-11-30T12:00:00"


@pytest.fixture
async def memory(locations: Locations, tmp_path: Path) -> AsyncIterator[Memory]:
    folder = next(f / MODEL / "st" for f in Locations.find().model_folders if (f / MODEL / "st").exists())
    store = Store(locations.database, locations.backups)
    index = IndexClient(IndexSetup(tmp_path / "episodes.lance", folder, MODEL), log=tmp_path / "index.log")
    found = Memory(store, index, Settings.load(locations.settings), locations, PrivacyGate)
    await index.open()
    with store.transaction():
        for at, text in DIARY:
            store.transcripts.create_session(at[:10], title="", at=at)
            message = store.transcripts.append(Message(new_id("message"), at[:10], "user", text, at))
            store.outbox.put("remember", [message.id])
    await found.settle()
    yield found
    await found.stop()
    await index.close()
    store.close()


async def test_questions_find_what_they_ask_for_and_nothing_when_there_is_nothing(memory: Memory) -> None:
    async def texts(question: str) -> list[str]:
        return [item.text for item in (await memory.recall(question, at=ASKED)).items]

    wrong: list[tuple[str, list[str]]] = []
    for question, word in (
        ("When did I plant the quince tree?", "2026-03-03"),
        ("枇杷", "枇杷"),
        ("修剪", "枇杷"),
        ("枇杷树怎么了？", "枇杷"),
        ("What is my go-to drink?", "mint tea"),
        ("What was my go-to drink before I switched?", "ginger beer"),
        ("What did I do on 31 July?", "fig"),
        ("Which database do I use?", "Postgres"),
    ):
        found = await texts(question)
        if not any(word in text for text in found[:3]):
            wrong.append((question, found))
    unknown = ("What is my blood type?", "我的血型是什么？", "What's my neighbour's dog called?")
    wrong += [(question, found) for question in unknown if (found := await texts(question))]
    present = await texts("What is my go-to drink?")
    assert not any("ginger" in text for text in present), present
    assert not wrong
