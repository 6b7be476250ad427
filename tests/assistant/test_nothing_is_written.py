"""In a private conversation, and with memory off, no path writes a row or a word."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from desk_assistant.assistant import Assistant
from desk_assistant.errors import InputError
from desk_assistant.paths import Locations
from tests.assistant.conftest import Opener, say
from tests.erase.search import in_files
from tests.scripted import ScriptedLlm

SAID = "I am a beekeeper from Quillhaven. Remember that my favourite tool is the brass smoker."
ANSWER = "A fine tool in Quillhaven."


def rows(locations: Locations) -> dict[str, int]:
    """Table -> how many rows it has."""
    with closing(sqlite3.connect(locations.database)) as database:
        tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables}


async def settled_rows(assistant: Assistant) -> dict[str, int]:
    await assistant.memory.settle()
    return rows(assistant.locations)


async def test_a_private_conversation_leaves_no_row_by_any_turn(open_assistant: Opener) -> None:
    assistant = open_assistant(ScriptedLlm(["Noted.", *[ANSWER] * 8]))
    await say(assistant, assistant.conversation(), "I keep bees.")
    before = await settled_rows(assistant)

    conversation = assistant.conversation(private=True)
    await say(assistant, conversation, SAID)
    question = conversation.messages[0]
    _ = [event async for event in assistant.edit(conversation, question.id, f"{SAID} And of the hive.")]
    _ = [event async for event in assistant.regenerate(conversation)]
    _ = [event async for event in assistant.continue_answer(conversation)]
    await say(assistant, conversation, "What do you remember of me, what did we talk about, and what is to be done?")
    await assistant.end_session(conversation)

    assert await settled_rows(assistant) == before
    assert not in_files(assistant.locations.root, "Quillhaven")


async def test_with_memory_off_nothing_comes_in(open_assistant: Opener, tmp_path: Path) -> None:
    assistant = open_assistant(ScriptedLlm(["Noted.", *[ANSWER] * 4]))
    saved = assistant.conversation()
    await say(assistant, saved, "I keep bees.")
    before = await settled_rows(assistant)
    assistant.set_memory_mode("off")
    file = tmp_path / "talk.jsonl"
    file.write_text('{"session": "s", "id": "1", "role": "user", "content": "I live in Quillhaven."}\n', "utf-8")

    conversation = assistant.conversation()
    await say(assistant, conversation, SAID)
    await assistant.end_session(conversation)
    with pytest.raises(InputError):
        await assistant.memory.add("I live in Quillhaven.")
    with pytest.raises(InputError):
        await assistant.imports.run(file)

    assert conversation.private
    assert await settled_rows(assistant) == before
    assert not in_files(assistant.locations.root, "Quillhaven")


async def test_what_waits_to_be_learnt_waits_until_memory_is_on_again(open_assistant: Opener) -> None:
    assistant = open_assistant(ScriptedLlm(["Noted."]))
    conversation = assistant.conversation()
    await say(assistant, conversation, "I am a beekeeper from Quillhaven.")
    assistant.set_memory_mode("off")

    await assistant.memory.settle()
    assert not await assistant.memory.facts()
    assert not await assistant.memory.episodes()

    assistant.set_memory_mode("on")
    await assistant.memory.settle()
    assert any("beekeeper" in fact.text for fact in await assistant.memory.facts())


async def test_a_saved_conversation_does_not_go_on_once_memory_is_off(open_assistant: Opener) -> None:
    assistant = open_assistant(ScriptedLlm(["Noted.", *[ANSWER] * 4]))
    saved = assistant.conversation()
    await say(assistant, saved, "I keep bees.")
    before = await settled_rows(assistant)
    assistant.set_memory_mode("off")

    with pytest.raises(InputError):
        await say(assistant, saved, SAID)
    with pytest.raises(InputError):
        _ = [event async for event in assistant.regenerate(saved)]
    with pytest.raises(InputError):
        _ = [event async for event in assistant.continue_answer(saved)]
    opened = assistant.conversation(saved.session_id)
    assert [m.content for m in opened.messages] == [m.content for m in saved.messages]
    with pytest.raises(InputError):
        await say(assistant, opened, SAID)

    assert await settled_rows(assistant) == before
