"""Stopping the real starter model: within 200 ms, while it reads and while it writes."""

from __future__ import annotations

import asyncio
import time
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from desk_assistant.llm import ChatMessage, Finished, LlmClient, LoadSpec, Piece, Prefill
from desk_assistant.workers import WorkerCancelled
from tests.llm.talking import GREEDY, Talk

pytestmark = pytest.mark.real

PROMPT = 0.2
LONG = [ChatMessage("user", "The river runs to the sea. " * 400)]
MIDDLING = [ChatMessage("user", "The river runs to the sea. " * 120)]
ENDLESS = replace(GREEDY, max_tokens=2000)
SHORT = [ChatMessage("user", "Count: one two three four five six seven eight nine ten eleven twelve")]


async def test_stopping_while_it_reads(starter_llm: LlmClient) -> None:
    async with aclosing(starter_llm.generate(LONG, GREEDY)) as events:
        async for event in events:
            if isinstance(event, Prefill) and event.done >= 256:
                break
        assert isinstance(event, Prefill)
        assert event.total > 2000
        began = time.monotonic()
        starter_llm.cancel()
        async for event in events:
            last = event
    assert time.monotonic() - began < PROMPT
    assert isinstance(last, Finished)
    assert last.reason == "cancelled"
    assert last.text == ""
    assert last.evaluated_tokens < last.prompt_tokens


async def test_what_was_read_before_the_stop_is_not_read_again(starter_llm: LlmClient, talk: Talk) -> None:
    async with aclosing(starter_llm.generate(MIDDLING, GREEDY)) as events:
        async for event in events:
            if isinstance(event, Prefill) and event.done >= 256:
                break
    again = await talk.run(starter_llm, MIDDLING, replace(GREEDY, max_tokens=1))
    assert again.reused_tokens >= 256


async def test_stopping_while_it_writes_keeps_what_was_written(starter_llm: LlmClient) -> None:
    texts: list[str] = []
    async with aclosing(starter_llm.generate(SHORT, ENDLESS)) as events:
        async for event in events:
            if isinstance(event, Piece):
                texts.append(event.text)
                if len(texts) == 3:
                    began = time.monotonic()
                    starter_llm.cancel()
            if isinstance(event, Finished):
                assert event.reason == "cancelled"
                assert event.text == "".join(texts)
    assert time.monotonic() - began < PROMPT


async def test_leaving_the_answer_frees_the_model(starter_llm: LlmClient) -> None:
    async with aclosing(starter_llm.generate(LONG, ENDLESS)) as events:
        await anext(events)
    began = time.monotonic()
    await starter_llm.count(["x"])
    assert time.monotonic() - began < PROMPT


@pytest.mark.parametrize("messages", [LONG, SHORT], ids=["reading", "writing"])
async def test_the_person_goes_before_background_work(
    llm: LlmClient, starter_path: Path, messages: list[ChatMessage]
) -> None:
    await llm.load(LoadSpec(starter_path, "starter", context=4096, background_context=4096))
    async with aclosing(llm.generate(messages, ENDLESS, background=True)) as background:
        await anext(background)
        began = time.monotonic()
        await llm.count(["x"])
        assert time.monotonic() - began < PROMPT
        with pytest.raises(WorkerCancelled):
            async for _ in background:
                pass


async def test_warming_gives_way_and_keeps_what_it_read(starter_llm: LlmClient, talk: Talk) -> None:
    begun = asyncio.Event()
    warming = asyncio.create_task(
        starter_llm.warm(MIDDLING, progress=lambda prefill: begun.set() if prefill.done else None)
    )
    await begun.wait()
    await starter_llm.count(["x"])
    assert await warming is False
    assert await starter_llm.warm(MIDDLING)
    assert (await talk.run(starter_llm, MIDDLING, replace(GREEDY, max_tokens=1))).evaluated_tokens <= 24
