"""The cache of the real starter model: a turn reads what is new, and background work leaves the conversation alone."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from desk_assistant.errors import WorkerError
from desk_assistant.llm import ChatMessage, LlmClient, LoadSpec
from tests.llm.talking import GREEDY, Talk

pytestmark = pytest.mark.real

SYSTEM = ChatMessage("system", "You are a helpful assistant. " * 20)


def ask(number: int) -> ChatMessage:
    return ChatMessage("user", f"Question {number}: name a river.")


async def test_a_turn_reads_only_what_is_new(starter_llm: LlmClient, talk: Talk) -> None:
    messages = [SYSTEM, ask(1)]
    first = await talk.run(starter_llm, messages)
    assert first.reused_tokens == 0
    for number in (2, 3):
        messages += [ChatMessage("assistant", talk.last.text), ask(number)]
        turn = await talk.run(starter_llm, messages)
        # New are the end of the answer, the question and the opening of the next answer.
        assert turn.evaluated_tokens <= 24
        assert turn.reused_tokens > first.prompt_tokens


async def test_an_answer_returns_as_the_tokens_it_was_sampled_as(starter_llm: LlmClient, talk: Talk) -> None:
    # At a high temperature a model often takes a road its tokeniser would not: most of these answers would be read
    # again in part if they were tokenised anew.
    messages = [SYSTEM, ask(1)]
    for seed in range(6):
        finished = await talk.run(starter_llm, messages, replace(GREEDY, temperature=1.6, seed=seed))
        messages += [ChatMessage("assistant", finished.text), ask(seed)]
        turn = await talk.run(starter_llm, messages, replace(GREEDY, max_tokens=1))
        assert turn.evaluated_tokens <= 26, finished.text
        messages = messages[:-2]


async def test_edited_history_reuses_what_comes_before(starter_llm: LlmClient, talk: Talk) -> None:
    first = await talk.run(starter_llm, [SYSTEM, ask(1)])
    edited = await talk.run(starter_llm, [SYSTEM, ChatMessage("user", "Something else?")])
    assert 0 < edited.evaluated_tokens < 30
    again = await talk.run(starter_llm, [SYSTEM, ask(1)])
    assert again.text == first.text


async def test_background_work_does_not_evict_the_conversation(starter_llm: LlmClient, talk: Talk) -> None:
    messages = [SYSTEM, ask(1)]
    first = await talk.run(starter_llm, messages)
    other = await talk.run(starter_llm, [ChatMessage("user", "Summarise: " + "rain " * 100)], background=True)
    assert other.answer_tokens > 0
    messages += [ChatMessage("assistant", first.text), ask(2)]
    assert (await talk.run(starter_llm, messages)).evaluated_tokens <= 24


async def test_a_prefix_is_warm_before_it_is_asked_for(starter_llm: LlmClient, talk: Talk) -> None:
    assert await starter_llm.warm([SYSTEM])
    turn = await talk.run(starter_llm, [SYSTEM, ask(1)])
    assert turn.evaluated_tokens <= 24
    assert await starter_llm.warm([SYSTEM])


async def test_a_killed_child_comes_back_with_its_model(starter_llm: LlmClient, talk: Talk) -> None:
    first = await talk.run(starter_llm, [SYSTEM, ask(1)])
    states: list[str] = []
    starter_llm.on_state(states.append)
    assert starter_llm.pid is not None
    os.kill(starter_llm.pid, getattr(signal, "SIGKILL", signal.SIGTERM))
    with pytest.raises(WorkerError):
        while True:
            await starter_llm.count(["x"])
    assert starter_llm.state == "dead"
    again = await talk.run(starter_llm, [SYSTEM, ask(1)])
    assert again.text == first.text
    assert states == ["dead", "starting", "empty", "loading", "ready"]


async def test_another_model_takes_the_place_of_the_first(
    starter_llm: LlmClient, starter_path: Path, talk: Talk
) -> None:
    await talk.run(starter_llm, [SYSTEM, ask(1)])
    await starter_llm.load(LoadSpec(starter_path, "smaller", context=1024))
    assert starter_llm.info is not None
    assert starter_llm.info.context == 1024
    assert (await talk.run(starter_llm, [SYSTEM, ask(1)])).reused_tokens == 0
    await starter_llm.unload()
    assert starter_llm.state == "empty"
