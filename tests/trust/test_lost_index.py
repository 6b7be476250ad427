"""The search index lost, cut off or zeroed: made anew from the database, and said once."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from desk_assistant.assistant import Assistant
from desk_assistant.index.client import IndexClient, IndexSetup
from desk_assistant.paths import Locations
from desk_assistant.store import Message, new_id
from tests.scripted import ScriptedLlm


def newest(folder: Path, pattern: str) -> Path:
    return max(folder.rglob(pattern), key=lambda path: path.stat().st_mtime_ns)


def lose(path: Path) -> None:
    shutil.rmtree(path)


def zero_newest_manifest(path: Path) -> None:
    manifest = newest(path, "*.manifest")
    manifest.write_bytes(bytes(manifest.stat().st_size))


def cut_newest_manifest(path: Path) -> None:
    manifest = newest(path, "*.manifest")
    manifest.write_bytes(manifest.read_bytes()[: manifest.stat().st_size // 2])


def zero_data(path: Path) -> None:
    for file in (path / "data").iterdir():
        file.write_bytes(bytes(file.stat().st_size))


def cut_one_data_file(path: Path) -> None:
    file = newest(path / "data", "*.lance")
    file.write_bytes(file.read_bytes()[:64])


async def recalled_after_start(locations: Locations) -> tuple[list[str], list[str]]:
    """Open the app with its real index; return what it recalls and what it said of the index."""
    index = IndexClient(IndexSetup(locations.index, None, ""), log=locations.logs / "index.log")
    assistant = Assistant.open(locations, llm=ScriptedLlm(), index=index)
    told: list[str] = []
    assistant.on_status(lambda status: told.append(status.index.detail))
    try:
        await assistant.start(llm=False)
        while assistant.status.index.state == "starting":
            await asyncio.sleep(0.02)
        assert assistant.status.index.state == "ready", assistant.status.index.detail
        await assistant.memory.settle()
        found = await assistant.memory.recall("What does the heron of Turku eat?")
        return [item.text for item in found.items], [line for line in dict.fromkeys(told) if "rebuilt" in line]
    finally:
        await assistant.close()


@pytest.mark.parametrize(
    "harm", [lose, zero_newest_manifest, cut_newest_manifest, zero_data, cut_one_data_file], ids=lambda h: h.__name__
)
async def test_it_is_made_anew_and_said_once(locations: Locations, harm: Callable[[Path], None]) -> None:
    from desk_assistant.store import Store

    store = Store(locations.database, locations.backups)
    store.transcripts.create_session("s1")
    for text in ("The heron of Turku eats herring.", "The tram was late again today."):
        message = store.transcripts.append(Message(new_id("message"), "s1", "user", text, "2026-05-11T09:00:00"))
        store.outbox.put("remember", [message.id])
    store.close()
    before, _ = await recalled_after_start(locations)
    harm(locations.index)

    after, told = await recalled_after_start(locations)
    later, told_again = await recalled_after_start(locations)

    assert any("herring" in text for text in before)
    assert after == before == later
    # A folder that is gone leaves nothing to move aside, and so nothing to say.
    assert len(told) == (0 if harm is lose else 1)
    assert told_again == []
