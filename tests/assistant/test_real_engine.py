"""The whole assistant with the real language model: what a turn reads, and what it survives."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import AsyncIterator, Callable

import pytest

from desk_assistant.assistant import Answered, Assistant, Conversation, Piece, Reading
from desk_assistant.errors import WorkerError
from desk_assistant.llm import LlmClient
from desk_assistant.paths import Locations
from desk_assistant.store import Store
from tests.assistant.conftest import answer_of, say
from tests.scripted import WordIndex

pytestmark = pytest.mark.real

STORY = "I keep bees on a hillside near Ronda, and every spring I paint the boxes in another colour. " * 6
FRAME = 32
"""Tokens that a template puts around a question and the beginning of its answer, with a margin."""


@pytest.fixture
async def open_real(locations: Locations) -> AsyncIterator[Callable[[], Assistant]]:
    opened: list[Assistant] = []

    def open_one() -> Assistant:
        assistant = Assistant.open(locations, index=WordIndex())
        assistant.settings.set("model.name", "smollm2-135m-instruct")
        assistant.settings.set("prompt.answer_tokens", 24)
        opened.append(assistant)
        return assistant

    yield open_one
    for assistant in opened:
        await assistant.close()


def client(assistant: Assistant) -> LlmClient:
    llm = assistant._llm
    assert isinstance(llm, LlmClient)
    return llm


async def new_tokens(assistant: Assistant, conversation: Conversation) -> int:
    """Tokens of the last question with what was recalled for it."""
    assert conversation.last_report is not None
    newest = conversation.last_report.prompt.rsplit("<|im_start|>user", 1)[1]
    return (await client(assistant).count([newest]))[0]


def read(answered: Answered) -> int:
    return answered.usage.prompt_tokens - answered.usage.reused_tokens


async def talk(assistant: Assistant) -> Conversation:
    conversation = assistant.conversation()
    await say(assistant, conversation, STORY)
    await say(assistant, conversation, "Which colour is next, do you think?")
    return conversation


async def test_the_first_turn_of_a_reopened_session_reads_only_what_is_new(
    open_real: Callable[[], Assistant],
) -> None:
    first = open_real()
    conversation = await talk(first)
    await first.close()
    second = open_real()
    await second.start(index=False)
    again = second.conversation(conversation.session_id)
    while second.status.llm.state != "ready":
        await asyncio.sleep(0.05)
    await second.warmed()
    ended = answer_of(await say(second, again, "And what do the bees say about it?"))
    assert ended.usage.prompt_tokens > 200
    assert read(ended) <= await new_tokens(second, again) + FRAME


async def test_edits_and_continued_answers_reuse_what_they_share(open_real: Callable[[], Assistant]) -> None:
    assistant = open_real()
    conversation = await talk(assistant)
    question = conversation.messages[-2].id
    answers = [answer_of([e async for e in assistant.edit(conversation, question, "Which box comes first?")])]
    assert conversation.messages[-1].state == "complete"
    before = conversation.messages[-1]
    answers.append(answer_of([e async for e in assistant.regenerate(conversation)]))
    answers.append(answer_of([e async for e in assistant.continue_answer(conversation)]))
    for ended in answers:
        assert read(ended) <= await new_tokens(assistant, conversation) + FRAME
        assert ended.usage.prompt_tokens > 150
    await assistant.switch(conversation, before.id)
    ended = answer_of(await say(assistant, conversation, "And the last one?"))
    assert read(ended) <= await new_tokens(assistant, conversation) + FRAME + 40


async def test_an_answer_that_was_stopped_goes_on_after_its_own_words(open_real: Callable[[], Assistant]) -> None:
    assistant = open_real()
    assistant.settings.set("prompt.answer_tokens", 200)
    conversation = assistant.conversation()
    pieces = 0
    async for event in assistant.send(conversation, "Tell me a long story about a river."):
        if isinstance(event, Piece):
            pieces += 1
            if pieces == 12:
                assistant.stop(conversation)
    begun = conversation.messages[-1]
    assert begun.state == "stopped"
    ended = answer_of([event async for event in assistant.continue_answer(conversation)])
    assert ended.message.id == begun.id
    assert ended.message.content.startswith(begun.content)
    assert len(ended.message.content) > len(begun.content)
    assert "  " not in ended.message.content[len(begun.content) - 2 : len(begun.content) + 2]
    assert read(ended) <= 2


async def test_stop_works_while_the_model_reads(open_real: Callable[[], Assistant]) -> None:
    assistant = open_real()
    conversation = assistant.conversation()
    await say(assistant, conversation, "Hello")
    asked = 0.0
    async for event in assistant.send(conversation, "The river runs to the sea. " * 300):
        if isinstance(event, Reading) and event.done and not asked:
            asked = time.monotonic()
            assistant.stop(conversation)
    assert time.monotonic() - asked < 0.5  # 200 ms on a quiet machine; the bench tells
    assert conversation.messages[-1].state == "stopped"


async def test_a_killed_model_costs_no_message_and_answers_the_next(
    open_real: Callable[[], Assistant], locations: Locations
) -> None:
    assistant = open_real()
    conversation = assistant.conversation()
    # Twice within a minute, after which nothing is started again by itself: the person's next message does.
    for text in ("Tell me a long story about a river.", "Now one about a mountain."):
        with pytest.raises(WorkerError, match="What was written is kept"):
            async for event in assistant.send(conversation, text):
                if isinstance(event, Piece) and (pid := client(assistant).pid):
                    os.kill(pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    stored = Store(locations.database, locations.backups).transcripts.path(str(conversation.session_id))
    assert [(m.role, m.state) for m in stored] == [("user", "complete"), ("assistant", "failed")] * 2
    assert answer_of([event async for event in assistant.regenerate(conversation)]).message.content
