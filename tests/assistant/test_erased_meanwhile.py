"""Something is erased by another program while an answer that was given it is being said."""

from __future__ import annotations

import asyncio

import pytest

from desk_assistant.assistant import Assistant, Conversation, Piece, TurnEvent
from desk_assistant.memory.traces import BLACK
from desk_assistant.paths import Locations
from tests.assistant.conftest import Opener, answer_of, say
from tests.scripted import ScriptedLlm

ANSWER = "You drink tea. Mind the zarbolune in it, you cannot have any zarbolune. Enjoy!"


@pytest.fixture
def llm() -> ScriptedLlm:
    return ScriptedLlm(("Noted.", ANSWER))


@pytest.fixture
async def first(open_assistant: Opener, llm: ScriptedLlm) -> Assistant:
    assistant = open_assistant(llm)
    await assistant.start(llm=False)
    return assistant


async def answered_while(
    assistant: Assistant, llm: ScriptedLlm, other: Assistant, conversation: Conversation, ids: list[str]
) -> str:
    """Ask, have the other program erase while the answer has only begun, and return the answer as it is shown."""
    llm.pause = asyncio.Event()
    begun = asyncio.Event()

    async def turn() -> list[TurnEvent]:
        events = []
        async for event in assistant.send(conversation, "What must I look out for?"):
            events.append(event)
            if isinstance(event, Piece):
                begun.set()
        return events

    running = asyncio.create_task(turn())
    await begun.wait()
    report = await other.memory.erase_now(await other.memory.forget(ids, undo_seconds=0))
    assert report.verified
    llm.pause.set()
    return answer_of(await running).message.content


@pytest.mark.parametrize("what", ["the fact", "the message"])
async def test_the_answer_is_kept_without_it(
    open_assistant: Opener, first: Assistant, llm: ScriptedLlm, locations: Locations, what: str
) -> None:
    conversation = first.conversation()
    await say(first, conversation, "I'm allergic to zarbolune.")
    await first.memory.settle()
    (fact,) = await first.memory.facts(query="zarbolune")
    other = open_assistant(ScriptedLlm())
    await other.start(llm=False)
    shown = await answered_while(
        first, llm, other, conversation, [fact.id if what == "the fact" else conversation.messages[0].id]
    )
    assert "zarbolune" not in shown
    assert (shown[:14], shown[-6:]) == (ANSWER[:14], ANSWER[-6:])
    assert BLACK in shown
    assert conversation.session_id is not None
    stored = first.store.transcripts.all_messages(conversation.session_id)
    assert shown in [message.content for message in stored]
    await first.memory.settle()
    await other.close()
    await first.close()
    assert [
        path.name for path in locations.home.rglob("*") if path.is_file() and b"zarbolune" in path.read_bytes()
    ] == []


async def test_an_answer_stays_whole_when_something_else_was_erased(
    open_assistant: Opener, first: Assistant, llm: ScriptedLlm
) -> None:
    conversation = first.conversation()
    await say(first, conversation, "I'm allergic to zarbolune.")
    (note,) = await first.memory.add("I collect stamps")
    await first.memory.settle()
    other = open_assistant(ScriptedLlm())
    await other.start(llm=False)
    assert await answered_while(first, llm, other, conversation, [note.id]) == ANSWER
