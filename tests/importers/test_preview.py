from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from desk_assistant.assistant import Assistant
from desk_assistant.errors import InputError
from desk_assistant.importers import Selection
from desk_assistant.paths import Locations
from tests.importers.exports import NOON, gpt_line, gpt_node, gpt_talk, write
from tests.scripted import ScriptedLlm, WordIndex


@pytest.fixture
async def assistant(locations: Locations) -> AsyncIterator[Assistant]:
    opened = Assistant.open(locations, llm=ScriptedLlm(), index=WordIndex())
    await opened.start()
    yield opened
    await opened.close()


def export(path: Path) -> Path:
    nodes = [
        gpt_node("q1", None, "user", "Call me at jo@example.org or on 192.168.7.20."),
        gpt_node("a1", "q1", "assistant", "I will."),
        gpt_node("a2", "q1", "assistant", "Sure.", at=NOON + 60),
    ]
    talks = [gpt_talk("c", "For jo@example.org", nodes, "a2"), gpt_line("d", "Tea", [("user", "I like oolong.")])]
    return write(path, talks)


async def test_a_preview_tells_what_the_import_then_does_and_writes_nothing(
    assistant: Assistant, tmp_path: Path
) -> None:
    path = export(tmp_path / "c.json")
    preview = await assistant.imports.preview(path)
    before = assistant.store.transcripts.count()
    report = await assistant.imports.run(path)
    again = await assistant.imports.preview(path)

    assert before == (0, 0)
    assert (preview.format, preview.talks, preview.messages, preview.known, preview.beside) == ("chatgpt", 2, 4, 0, 1)
    assert preview.masked == {"EMAIL": 1, "IP": 1}
    assert (report.sessions, report.messages, report.masked) == (2, 4, 2)
    assert again.known == 4
    assert preview.listed[0].title == "For [EMAIL]"
    assert preview.first is not None
    assert preview.first.startswith("2024-05-01")
    assert [f.text for f in await assistant.memory.facts(query="oolong")] != []


async def test_a_preview_counts_only_what_is_asked_for(assistant: Assistant, tmp_path: Path) -> None:
    preview = await assistant.imports.preview(export(tmp_path / "c.json"), selection=Selection(title="tea"))

    assert (preview.talks, preview.messages, preview.left_out, preview.masked) == (1, 1, 1, {})


async def test_nothing_is_imported_while_memory_is_off(assistant: Assistant, tmp_path: Path) -> None:
    assistant.set_memory_mode("off")

    with pytest.raises(InputError, match="switched off"):
        await assistant.imports.run(export(tmp_path / "c.json"))
