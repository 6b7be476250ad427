from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from desk_assistant.assistant import Assistant
from desk_assistant.index import IndexClient, IndexSetup
from desk_assistant.paths import Locations
from desk_assistant.store import Fact
from tests.assistant.conftest import models
from tests.scripted import ScriptedLlm

__all__ = ["models"]

Opener = Callable[..., Assistant]


@pytest.fixture
async def open_real(locations: Locations, models: Path) -> AsyncIterator[Opener]:
    """Returns a function that opens the profile with the real index child, by full text alone or with a model."""
    opened: list[Assistant] = []

    def open_one(*answers: str, model: Path | None = None) -> Assistant:
        setup = IndexSetup(locations.index, model, "multilingual-e5-small" if model else "")
        index = IndexClient(setup, log=locations.logs / "index.log")
        assistant = Assistant.open(locations, llm=ScriptedLlm(answers or ("Understood.",)), index=index)
        opened.append(assistant)
        return assistant

    yield open_one
    for assistant in opened:
        await assistant.close()


async def erase(assistant: Assistant, *ids: str) -> None:
    """Forget and erase, and expect the erase to have checked itself."""
    report = await assistant.memory.erase_now(await assistant.memory.forget(ids, undo_seconds=0))
    assert report.verified, report.leftovers


async def fact_about(assistant: Assistant, word: str) -> Fact:
    """The one fact that holds a word."""
    found = [fact for fact in await assistant.memory.facts(None) if word in f"{fact.text} {fact.object}"]
    assert len(found) == 1, found
    return found[0]


async def import_lines(assistant: Assistant, folder: Path, session: str, lines: list[str]) -> None:
    """Import lines said by the person, as one session."""
    source = folder / f"{session}.jsonl"
    rows = [{"session": session, "id": f"{session}-{n}", "role": "user", "content": t} for n, t in enumerate(lines)]
    source.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    await assistant.imports.run(source)
