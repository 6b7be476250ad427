"""Something is forgotten while the conversation it was said in is open: the model must not be told it again."""

from __future__ import annotations

from desk_assistant.assistant import Assistant
from tests.assistant.conftest import Opener, say
from tests.scripted import ScriptedLlm


async def erase(assistant: Assistant, *ids: str) -> None:
    await assistant.memory.erase_now(await assistant.memory.forget(ids, undo_seconds=0))


async def test_the_next_prompt_and_title_are_without_it(open_assistant: Opener) -> None:
    llm = ScriptedLlm(["Noted."])
    assistant = open_assistant(llm)
    conversation = assistant.conversation()
    await say(assistant, conversation, "I'm allergic to walnuts.")
    await assistant.memory.settle()
    (fact,) = await assistant.memory.facts()
    await erase(assistant, fact.id)
    await say(assistant, conversation, "The tide was low.")
    assert not any("walnut" in message.content for message in llm.prompts[-1])
    assert "walnut" not in assistant.sessions()[0].title
    assert "walnut" not in conversation.title


async def test_a_conversation_that_was_forgotten_goes_on_as_a_new_one(open_assistant: Opener) -> None:
    llm = ScriptedLlm(["Noted."])
    assistant = open_assistant(llm)
    conversation = assistant.conversation()
    await say(assistant, conversation, "I'm allergic to walnuts.")
    await assistant.memory.settle()
    first = conversation.session_id
    assert first is not None
    await erase(assistant, first)
    await say(assistant, conversation, "The tide was low.")
    assert not any("walnut" in message.content for message in llm.prompts[-1])
    assert [session.title for session in assistant.sessions()] == ["The tide was low."]
    assert conversation.session_id != first


async def test_the_trail_names_what_was_done_and_no_content(open_assistant: Opener) -> None:
    assistant = open_assistant()
    conversation = assistant.conversation()
    await say(assistant, conversation, "I'm allergic to walnuts.")
    await assistant.memory.settle()
    (fact,) = await assistant.memory.facts()
    await erase(assistant, fact.id)
    trail = [(entry.actor, entry.action, entry.record_id) for entry in await assistant.audit()]
    assert ("person", "erased", fact.id) in trail
    assert not any("walnut" in part for entry in trail for part in entry)
