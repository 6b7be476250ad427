from __future__ import annotations

import asyncio

import pytest

from desk_assistant.assistant import Answered, Assistant, Conversation, Piece
from desk_assistant.errors import InputError, NotFoundError
from desk_assistant.paths import Locations
from desk_assistant.store import Store
from tests.assistant.conftest import Opener, answer_of, say
from tests.scripted import ScriptedLlm


def words(conversation: Conversation) -> list[str]:
    return [message.content for message in conversation.messages]


def on_disk(locations: Locations, conversation: Conversation) -> list[str]:
    path = Store(locations.database, locations.backups).transcripts.path(str(conversation.session_id))
    return [message.content for message in path]


async def edited(assistant: Assistant, conversation: Conversation, message_id: str, text: str) -> Answered:
    return answer_of([event async for event in assistant.edit(conversation, message_id, text)])


@pytest.mark.parametrize("private", [False, True])
async def test_an_edited_message_stands_beside_the_old_one(open_assistant: Opener, private: bool) -> None:
    llm = ScriptedLlm(["one", "two", "three"])
    assistant = open_assistant(llm)
    conversation = assistant.conversation(private=private)
    await say(assistant, conversation, "first question")
    await say(assistant, conversation, "second question")
    old = conversation.messages[2]
    await edited(assistant, conversation, old.id, "another question")
    assert words(conversation) == ["first question", "one", "another question", "three"]
    assert [m.content for m in llm.prompts[-1]][1:] == ["first question", "one", "another question"]
    both = await assistant.siblings(conversation, conversation.messages[2].id)
    assert [m.content for m in both] == ["second question", "another question"]
    await assistant.switch(conversation, old.id)
    assert words(conversation) == ["first question", "one", "second question", "two"]


async def test_the_first_message_can_be_edited_too(open_assistant: Opener, locations: Locations) -> None:
    assistant = open_assistant(ScriptedLlm(["one", "two"]))
    conversation = assistant.conversation()
    await say(assistant, conversation, "first question")
    old = conversation.messages[0].id
    await edited(assistant, conversation, old, "a better one")
    assert words(conversation) == on_disk(locations, conversation) == ["a better one", "two"]
    assert len(await assistant.siblings(conversation, old)) == 2


async def test_the_branch_that_was_chosen_is_shown_after_a_restart(
    open_assistant: Opener, locations: Locations
) -> None:
    assistant = open_assistant(ScriptedLlm(["one", "two"]))
    conversation = assistant.conversation()
    await say(assistant, conversation, "question")
    first = conversation.messages[1].id
    assert [event async for event in assistant.regenerate(conversation)]
    await assistant.switch(conversation, first)
    assert on_disk(locations, conversation) == ["question", "one"]
    again = open_assistant().conversation(conversation.session_id)
    assert words(again) == ["question", "one"]


async def test_only_messages_of_the_person_can_be_edited(open_assistant: Opener) -> None:
    assistant = open_assistant()
    conversation = assistant.conversation()
    await say(assistant, conversation, "question")
    for message_id in (conversation.messages[1].id, "m_nosuch"):
        with pytest.raises(InputError, match="other words"):
            await edited(assistant, conversation, message_id, "text")
    with pytest.raises(NotFoundError):
        await assistant.switch(conversation, "m_nosuch")
    assert words(conversation) == ["question", "Understood."]


async def test_a_stopped_answer_goes_on_in_the_same_message(open_assistant: Opener, locations: Locations) -> None:
    llm = ScriptedLlm(["one two", " three four"])
    llm.pause = asyncio.Event()
    assistant = open_assistant(llm)
    conversation = assistant.conversation()
    async for event in assistant.send(conversation, "Count, please"):
        if isinstance(event, Piece):
            assistant.stop(conversation)
    assert words(conversation) == ["Count, please", "one"]
    llm.pause = None
    ended = answer_of([event async for event in assistant.continue_answer(conversation)])
    assert (llm.prompts[-1][-1].role, llm.prompts[-1][-1].content) == ("assistant", "one")
    assert ended.message.state == "complete"
    assert words(conversation) == on_disk(locations, conversation) == ["Count, please", "one three four"]


async def test_there_must_be_an_answer_to_go_on_with(open_assistant: Opener) -> None:
    assistant = open_assistant()
    with pytest.raises(InputError):
        assert [event async for event in assistant.continue_answer(assistant.conversation())]


async def test_a_continued_answer_is_masked_as_a_whole(open_assistant: Opener, locations: Locations) -> None:
    llm = ScriptedLlm(["Your password: Plum-", "Otter-58 noted."])
    assistant = open_assistant(llm)
    conversation = assistant.conversation()
    await say(assistant, conversation, "my password is Plum-Otter-58")
    assert [event async for event in assistant.continue_answer(conversation)]
    assert "Plum-Otter-58" not in "".join(on_disk(locations, conversation))
