"""Measures the assistant with its real children: what a turn reads and waits for, what it survives, what it costs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import signal
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from desk_assistant.assistant import Answered, Assistant, Conversation, Piece, Reading, Recalled, TurnEvent
from desk_assistant.errors import DeskError
from desk_assistant.llm import ChatMessage, Finished, LlmClient, Sampling
from desk_assistant.llm import Piece as ModelPiece
from desk_assistant.paths import Locations
from desk_assistant.store import Message, new_id, now_iso
from tests.bench import Row, at_least, at_most, told
from tests.bench._waiting import waited

TURNS: Final = 20
DEATHS: Final = 50
IMPORTED: Final = 400
PROBES: Final = 8
TICK: Final = 0.005
FRAME: Final = 32
PLACES: Final = ("harbour", "orchard", "library", "workshop", "bakery", "theatre", "station")
THINGS: Final = ("lanterns", "ropes", "maps", "chairs", "tools", "flowers", "letters")
CHAT: Final = (
    "I was at the mill again this morning, the wheel turns well since the storm, but the upper gate still leaks and I "
    "have to lift it with both hands before I can start anything at all.",
    "My neighbour came by with her two dogs while I was planing the new boards, and we talked for an hour about the "
    "road, the school and the price of oak, as one does when it rains.",
    "The second room is nearly done: the floor lies, the window opens to both sides now, and only the shelves over the "
    "bench are missing, which I would like to make from what is left of the old stairs.",
)
"""What a person also says; long enough that twenty turns fill most of the window."""


async def measured(model: str) -> AsyncIterator[Row]:
    """Yield the figures.

    Args:
        model: Id of the installed model to measure with.
    """
    with tempfile.TemporaryDirectory() as folder:
        stalls = Stalls()
        async with _opened(Path(folder), model) as assistant, stalls:
            began = time.perf_counter()
            await _ready(assistant)
            yield told("both children ready after", time.perf_counter() - began, "s")
            for row in stalls.rows("while the models load"):
                yield row
            for row in await _imported(assistant):
                yield row
            for row in stalls.rows("while memory is written"):
                yield row
            for row in await _conversation(assistant):
                yield row
            for row in stalls.rows("while it answers"):
                yield row
            for row in await _waits(assistant):
                yield row
            for row in await _deaths(assistant):
                yield row
            for row in _processes(assistant):
                yield row


@asynccontextmanager
async def _opened(folder: Path, model: str) -> AsyncIterator[Assistant]:
    assistant = Assistant.open(Locations.find(folder))
    assistant.settings.set("model.name", model)
    assistant.settings.set("prompt.answer_tokens", 64)
    await assistant.start()
    try:
        yield assistant
    finally:
        await assistant.close()


async def _ready(assistant: Assistant) -> None:
    changed = asyncio.Event()
    detach = assistant.on_status(lambda _status: changed.set())
    while not (assistant.status.llm.state == "ready" and assistant.status.index.state == "ready"):
        changed.clear()
        await changed.wait()
    detach()


class Stalls:
    """How long the event loop was busy with one thing, while it is entered, other programs' share left out."""

    def __init__(self) -> None:
        self._lags: list[float] = []
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Stalls:
        self._task = asyncio.create_task(self._tick())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _tick(self) -> None:
        while True:
            due, before = time.perf_counter() + TICK, waited()
            await asyncio.sleep(TICK)
            self._lags.append(max(0.0, time.perf_counter() - due - (waited() - before)) * 1000)

    def rows(self, when: str) -> list[Row]:
        """Return the figures since the last call."""
        lags, self._lags = sorted(self._lags), []
        return [
            at_most(f"stall of the event loop {when}, p99", lags[int(len(lags) * 0.99)], "ms", 50),
            at_most(f"stall of the event loop {when}, worst", lags[-1], "ms", 150),
        ]


def _line(number: int) -> str:
    thing, place = THINGS[number % 7], PLACES[number // 7 % 7]
    return (
        f"On day {number} we carried {number + 3} {thing} from the {place} to the mill, and it took {number % 9} hours."
    )


async def _imported(assistant: Assistant) -> list[Row]:
    """Leave a lot of remembering to the background, and speak while it is at it."""
    quiet = [await _until_recalled(assistant, f"Was it sunny on day {number}?") for number in range(PROBES)]
    store = assistant.store
    with store.transaction():
        session = store.transcripts.create_session(title="imported")
        said = [Message(new_id("message"), session.id, "user", _line(number), now_iso()) for number in range(IMPORTED)]
        store.outbox.put("remember", [message.id for message in store.transcripts.append_all(said)], payload="import")
    assistant.memory.kick()
    waits = []
    for number in range(PROBES):
        await asyncio.sleep(0.3)
        assert sum(store.outbox.pending().values()) > 2, "the background was done too early to measure"
        waits.append(await _until_recalled(assistant, f"What about the {THINGS[number % 7]} on day {number}?"))
    base = statistics.median(quiet)
    began = time.perf_counter()
    await assistant.memory.settle()
    return [
        told("a message until its recall, nothing else to do", base, "ms"),
        at_most("a message while memory is written: longer wait, worst", max(waits) - base, "ms", 200),
        told("remembering the rest of 400 messages", time.perf_counter() - began, "s"),
    ]


async def _until_recalled(assistant: Assistant, text: str) -> float:
    conversation = assistant.conversation()
    began = time.perf_counter()
    taken = 0.0
    async for event in assistant.send(conversation, text):
        if isinstance(event, Recalled):
            taken = (time.perf_counter() - began) * 1000
            assistant.stop(conversation)
    return taken


async def _conversation(assistant: Assistant) -> list[Row]:
    """Talk for twenty turns with recall on; in the last turn, ask the same in the order most programs choose."""
    for fact in ("I am a carpenter", "I live in Bergen", "I use a Japanese saw"):
        await assistant.memory.add(fact)
    conversation = assistant.conversation()
    at_once: list[float] = []
    ended: Answered | None = None
    first = 0.0
    for turn in range(TURNS):
        question = f"{CHAT[turn % len(CHAT)]} What did we carry from the {PLACES[turn % 7]} on day {turn * 7}?"
        if turn == TURNS - 1:
            await assistant.warmed()
        ended, first = await _answer(assistant, conversation, question)
        at_once.append(ended.usage.prompt_tokens - ended.usage.reused_tokens)
    assert ended is not None
    report, parts = conversation.last_report, conversation.parts
    assert report is not None
    assert parts is not None
    llm = assistant._llm
    assert isinstance(llm, LlmClient)
    new = (await llm.count([report.prompt.rsplit("<|im_start|>user", 1)[1]]))[0]
    read = at_once[-1]
    naive, naive_first = await _naive(assistant, conversation)
    return [
        told("turn 20: tokens of the prompt", ended.usage.prompt_tokens, "tokens"),
        told("turn 20: tokens recalled", parts.recalled, "tokens"),
        at_most("turn 20: tokens read beyond what is new", read - new, "tokens", FRAME),
        at_most("turn 20: tokens read against the naive order", read / naive.evaluated_tokens, "share", 1 / 5),
        at_most("turn 19, sent at once: the same", at_once[-2] / naive.evaluated_tokens, "share", 1 / 5),
        at_most("turn 20: time to the first word against it", first / naive_first, "share", 1 / 3),
    ]


async def _answer(assistant: Assistant, conversation: Conversation, text: str) -> tuple[Answered, float]:
    reading, first = 0.0, 0.0
    event: TurnEvent | None = None
    async for event in assistant.send(conversation, text):
        if isinstance(event, Reading) and not reading:
            reading = time.perf_counter()
        if isinstance(event, Piece) and not first:
            first = time.perf_counter() - reading
    assert isinstance(event, Answered)
    return event, first


async def _naive(assistant: Assistant, conversation: Conversation) -> tuple[Finished, float]:
    """Ask the last question with the memories in the system message, as if the turns before had been asked so too."""
    assert conversation.last_report is not None
    blocks = [part.split("<|im_end|>")[0] for part in conversation.last_report.prompt.split("<|im_start|>")[1:]]
    roles = [block.partition("\n") for block in blocks if block.strip() != "assistant"]
    *before, (_, _, newest) = [part for part in roles if part[0] != "assistant" or part[2].strip()]
    memories, _, question = newest.rpartition("\n\n")
    system = before[0][2] + "\n" + memories
    messages = [
        ChatMessage("system", system),
        *(ChatMessage("assistant" if role == "assistant" else "user", words) for role, _, words in before[1:]),
        ChatMessage("user", question),
    ]
    llm = assistant._llm
    assert isinstance(llm, LlmClient)
    began, first = time.perf_counter(), 0.0
    finished: Finished | None = None
    async for event in llm.generate(messages, Sampling(temperature=0, max_tokens=8)):
        if isinstance(event, ModelPiece) and not first:
            first = time.perf_counter() - began
        if isinstance(event, Finished):
            finished = event
    assert finished is not None
    return finished, first


async def _waits(assistant: Assistant) -> list[Row]:
    """Say stop at random moments of turns, from the first one on."""
    chance = random.Random(5)
    silence = []
    for number in range(PROBES * 2):
        conversation = assistant.conversation()
        asked = [0.0]

        def stop(conversation: Conversation = conversation, asked: list[float] = asked) -> None:
            asked[0] = time.perf_counter()
            assistant.stop(conversation)

        timer = asyncio.get_running_loop().call_later(chance.random() * 0.5, stop)
        async for _ in assistant.send(conversation, f"{number}. The river runs to the sea. " * 250):
            pass
        timer.cancel()
        if asked[0]:
            silence.append((time.perf_counter() - asked[0]) * 1000)
    return [at_most("a whole turn: stop to its end, at any moment, worst", max(silence), "ms", 200)]


async def _deaths(assistant: Assistant) -> list[Row]:
    """Kill the model's process at random moments; every message must be there, and every end have its words."""
    chance = random.Random(11)
    kept = told_why = anyway = 0
    conversation = assistant.conversation()
    llm = assistant._llm
    assert isinstance(llm, LlmClient)
    for number in range(DEATHS):
        name = "SIGKILL" if number % 2 else "SIGSEGV"
        text = f"{number}. Tell me about the {PLACES[number % 7]}."

        def kill(name: str = name) -> None:
            if llm.pid is not None:
                os.kill(llm.pid, getattr(signal, name, signal.SIGTERM))

        timer = asyncio.get_running_loop().call_later(chance.random() * 1.5, kill)
        try:
            async for _ in assistant.send(conversation, text):
                pass
            told_why += 1  # it was answered before the blow fell
        except DeskError as error:
            told_why += bool(str(error))
            if error.key == "llm.crashed_last_time":
                # Killed again and again while it loads, it is suspected; the person says to load it anyway.
                anyway += 1
                with contextlib.suppress(DeskError):
                    await assistant.load_model(assistant.settings.text("model.name"), force=True)
        timer.cancel()
        path = assistant.store.transcripts.path(str(conversation.session_id))
        kept += any(message.content == text for message in path)
    await assistant.load_model(assistant.settings.text("model.name"), force=True)
    ended, _ = await _answer(assistant, conversation, "Are you still there?")
    return [
        at_least("messages kept when the model is killed 50 times", kept, "of 50", DEATHS),
        at_least("ends with an answer or a sentence", told_why, "of 50", DEATHS),
        told("of them loaded anyway, after two deaths while loading", anyway, "of 50"),
        at_least("an answer after that", float(bool(ended.message.content)), "", 1),
    ]


def _processes(assistant: Assistant) -> list[Row]:
    """Return memory and processor time of each process, where the system tells."""
    llm, index = getattr(assistant._llm, "pid", None), getattr(assistant._index, "worker", None)
    pids = {"app": os.getpid(), "llm": llm, "index": index.pid if index is not None else None}
    rows = []
    for name, pid in pids.items():
        try:
            status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
            times = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS"))
        rows.append(told(f"{name} process: resident", resident / 1024, "MB"))
        rows.append(
            told(f"{name} process: processor time", (int(times[11]) + int(times[12])) / os.sysconf("SC_CLK_TCK"), "s")
        )
    return rows
