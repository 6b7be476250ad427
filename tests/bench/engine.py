"""Measures the language model's process against the obvious ways to do the same, side by side in one run, then the
assistant on top of it (`_engine_turns`) and its start (`_engine_start`). Absolute times depend on the machine and on
what else it does; the ratios are what counts.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Coroutine, Iterator, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Final

from desk_assistant.llm import ChatMessage, Finished, LlmClient, LoadSpec, Piece, Prefill, Sampling
from desk_assistant.paths import Locations
from desk_assistant.workers import launch
from tests.bench import Row, _engine_app, _engine_broken, _engine_start, _engine_turns, at_least, at_most, told

GREEDY: Final = Sampling(temperature=0, top_p=1, top_k=0, min_p=0, repeat_penalty=1, max_tokens=128, seed=1)
STORY: Final = ChatMessage("user", "Tell me a long story about a river and the people who live beside it.")
PERSONA: Final = "You are a careful assistant. Answer in one or two short sentences."
TURNS: Final = 20
ROUNDS: Final = 5
STARTER: Final = "smollm2-135m-instruct"

BARE: Final = """
import json, sys, time
from llama_cpp import Llama
path, threads, prompt, count = json.loads(sys.stdin.read())
llm = Llama(path, n_ctx=2048, n_batch=128, n_ubatch=128, n_threads=threads, n_threads_batch=threads, verbose=True)
ids = llm.tokenize(prompt.encode(), add_bos=False, special=True)
said, began = [], 0.0
for token in llm.generate(ids, temp=0.0, repeat_penalty=1.0, top_k=0, top_p=1.0, min_p=0.0):
    if not said:
        began = time.perf_counter()
    said.append(token)
    llm.detokenize([token])
    if len(said) > count or llm._model.token_eos() == token:
        break
print(json.dumps((len(said) - 1) / (time.perf_counter() - began)))
"""


def median(values: Sequence[float]) -> float:
    """Return the middle of some measurements."""
    return statistics.median(values)


def bare_speed(model: Path, threads: int, prompt: str, count: int) -> float:
    """Return tokens a second of a plain llama_cpp loop with the same parameters, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", BARE],
        input=json.dumps([str(model), threads, prompt, count]),
        capture_output=True,
        text=True,
        check=True,
        env=launch.environment(),
        # Like the child: Linux shares the processors out by session, and on a busy machine that would decide.
        **launch.process_options(),
    )
    return float(done.stdout)


async def answer(llm: LlmClient, messages: Sequence[ChatMessage], sampling: Sampling) -> tuple[Finished, float]:
    """Return the end of an answer, and the seconds until its first piece."""
    began, first = time.perf_counter(), 0.0
    async for event in llm.generate(messages, sampling):
        if isinstance(event, Piece) and not first:
            first = time.perf_counter() - began
    assert isinstance(event, Finished)
    return event, first


async def speed(llm: LlmClient, model: Path, rounds: int) -> list[Row]:
    """Compare generation with the plain loop, taking turns so that both meet the same neighbours."""
    info = llm.info
    assert info is not None
    prompt = await llm.render([STORY])
    ours, theirs = [], []
    for _ in range(rounds):
        finished, _first = await answer(llm, [STORY], GREEDY)
        ours.append(finished.answer_tokens / finished.answer_seconds)
        theirs.append(bare_speed(model, info.threads, prompt, GREEDY.max_tokens))
    ratio = median([a / b for a, b in zip(ours, theirs, strict=True)])
    return [
        told("generation, tokens a second", median(ours), "tok/s"),
        at_least("generation speed against a bare loop", ratio, "share", 0.95),
    ]


async def conversation(llm: LlmClient) -> list[Row]:
    """Compare turn 20 with memories beside the question against memories in the system prompt."""
    history: list[ChatMessage] = []
    short = Sampling(temperature=0.8, top_p=0.95, top_k=40, min_p=0.05, repeat_penalty=1.1, max_tokens=40, seed=3)
    read: dict[str, int] = {}
    first: dict[str, float] = {}
    for turn in range(1, TURNS + 1):
        memory = f"Background, not instructions: on day {turn} the user bought {turn} apples at market {turn % 7}."
        question = f"Question {turn}: what could I cook with what I bought, and what goes with it?"
        messages = [ChatMessage("system", PERSONA), *history, ChatMessage("user", f"{memory}\n\n{question}")]
        finished, first["ours"] = await answer(llm, messages, short)
        read["ours"] = finished.evaluated_tokens
        if turn == TURNS:
            # The order most programs choose. What it shares with the turn before is the beginning of its persona.
            naive = [ChatMessage("system", f"{PERSONA}\n{memory}"), *history, ChatMessage("user", question)]
            other, first["naive"] = await answer(llm, naive, short)
            read["naive"] = other.evaluated_tokens
        history += [ChatMessage("user", question), ChatMessage("assistant", finished.text)]
    return [
        told("model, turn 20: tokens read in the naive order", read["naive"], "tokens"),
        at_most("model, turn 20: tokens read against it", read["ours"] / read["naive"], "share", 1 / 5),
        at_most("model, turn 20: time to the first word", first["ours"] / first["naive"], "share", 1 / 3),
    ]


async def stopping(llm: LlmClient, rounds: int) -> list[Row]:
    """Measure from the wish to stop until the child is free for the next request."""
    long = [ChatMessage("user", "The river runs to the sea. " * 420)]
    reading: list[float] = []
    writing: list[float] = []
    for round_ in range(rounds):
        for kind, messages, times in (("reading", long, reading), ("writing", [STORY], writing)):
            varied = [ChatMessage("system", f"{round_}"), *messages]
            async with aclosing(llm.generate(varied, GREEDY)) as events:
                async for event in events:
                    if isinstance(event, Prefill) and kind == "reading" and event.done:
                        break
                    if isinstance(event, Piece):
                        break
                began = time.perf_counter()
                llm.cancel()
                async for _ in events:
                    continue
                times.append((time.perf_counter() - began) * 1000)
    return [
        at_most("stop to silence, reading 3,000 tokens, worst", max(reading), "ms", 200),
        at_most("stop to silence, writing, worst", max(writing), "ms", 200),
    ]


async def background(llm: LlmClient, rounds: int) -> list[Row]:
    """Measure how soon the person's request gets the child when background work is at it."""
    waits = []
    for _ in range(rounds):
        async with aclosing(llm.generate([STORY], GREEDY, background=True)) as events:
            await anext(events)
            began = time.perf_counter()
            await llm.count(["now"])
            waits.append((time.perf_counter() - began) * 1000)
    return [at_most("a request behind background work, worst", max(waits), "ms", 200)]


async def _measured(model: Path) -> AsyncIterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        llm = LlmClient(Path(folder) / "llm.log")
        try:
            info = await llm.load(LoadSpec(model, model.parent.name, context=4096))
            yield told("load", info.load_seconds, "s")
            parts: list[Coroutine[object, object, list[Row]]] = [
                speed(llm, model, ROUNDS),
                conversation(llm),
                stopping(llm, ROUNDS),
                background(llm, ROUNDS),
            ]
            for part in parts:
                for row in await part:
                    yield row
        finally:
            await llm.stop()


def rows() -> Iterator[Row]:
    """Yield all figures."""
    yield from _engine_start.measured()
    if sys.platform != "win32":
        yield from _engine_app.measured(STARTER)
    with asyncio.Runner() as runner:
        for measured in (
            _engine_broken.measured(),
            _measured(Locations.find().models / STARTER / "model.gguf"),
            _engine_turns.measured(STARTER),
        ):
            while (row := runner.run(_next(measured))) is not None:
                yield row


async def _next(measured: AsyncIterator[Row]) -> Row | None:
    return await anext(measured, None)
