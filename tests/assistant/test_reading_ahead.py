from __future__ import annotations

import asyncio

from desk_assistant.assistant import Piece
from tests.assistant.conftest import Opener, say
from tests.scripted import ScriptedLlm


async def test_after_an_answer_the_next_prompt_is_read_ahead(open_assistant: Opener) -> None:
    llm = ScriptedLlm(["one", "two"])
    assistant = open_assistant(llm)
    conversation = assistant.conversation()
    await say(assistant, conversation, "first question")
    await assistant.warmed()
    await say(assistant, conversation, "second question")
    assert llm.warmed[-1] == llm.prompts[-1][:-1]
    assert [m.content for m in llm.warmed[-1][1:]] == ["first question", "one"]


async def test_a_conversation_that_is_opened_again_is_read_ahead(open_assistant: Opener) -> None:
    first = open_assistant()
    conversation = first.conversation()
    await say(first, conversation, "first question")
    llm = ScriptedLlm()
    second = open_assistant(llm)
    await second.start(index=False)
    again = second.conversation(conversation.session_id)
    while second.status.llm.state != "ready":
        await asyncio.sleep(0)
    await second.warmed()
    assert [m.content for m in llm.warmed[-1][1:]] == ["first question", "Understood."]
    await say(second, again, "second question")
    assert llm.prompts[-1][:-1] == llm.warmed[0]


async def test_nothing_is_read_ahead_while_an_answer_is_written(open_assistant: Opener) -> None:
    llm = ScriptedLlm(["one two", "three"])
    assistant = open_assistant(llm)
    other = assistant.conversation()
    await say(assistant, other, "Somewhere else")
    await assistant.warmed()
    before = len(llm.warmed)
    llm.pause = asyncio.Event()
    conversation = assistant.conversation()
    async for event in assistant.send(conversation, "first question"):
        if isinstance(event, Piece):
            assistant.conversation(other.session_id)
            await assistant.warmed()
            assert len(llm.warmed) == before
            llm.pause.set()
    await assistant.warmed()
    assert [m.content for m in llm.warmed[-1][1:]] == ["first question", "three"]


async def test_what_was_learned_from_this_talk_does_not_change_its_beginning(open_assistant: Opener) -> None:
    llm = ScriptedLlm()
    assistant = open_assistant(llm)
    await assistant.memory.add("I play the oboe")
    conversation = assistant.conversation()
    await say(assistant, conversation, "I am a Java backend developer; my projects use Spring Boot 3 and MySQL 8.0.")
    await assistant.memory.settle()
    assert len(await assistant.memory.facts()) > 1
    await say(assistant, conversation, "Which database is it?")
    assert llm.prompts[1][0] == llm.prompts[0][0]
    assert "oboe" in llm.prompts[1][0].content


async def test_what_was_changed_or_learned_elsewhere_is_in_the_next_prompt(open_assistant: Opener) -> None:
    llm = ScriptedLlm()
    assistant = open_assistant(llm)
    fact = (await assistant.memory.add("I play the oboe"))[0]
    conversation = assistant.conversation()
    await say(assistant, conversation, "Hello there, friend")
    await assistant.memory.add("I live in Bergen")
    await say(assistant, conversation, "How are you today?")
    assert "Bergen" in llm.prompts[-1][0].content
    forgetting = await assistant.memory.forget([fact.id], undo_seconds=0)
    await assistant.memory.erase_now(forgetting)
    await say(assistant, conversation, "And how are you now?")
    assert "oboe" not in llm.prompts[-1][0].content
