"""How smooth the app is: stalls of its event loop while it streams, scrolls and searches, and the memory it takes."""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from textual.pilot import Pilot

from desk_assistant.assistant import Assistant
from desk_assistant.index.records import SearchReply
from desk_assistant.llm.types import ChatMessage, Event, Sampling
from desk_assistant.models import ModelStore, import_model
from desk_assistant.paths import Locations
from desk_assistant.store import Episode, Fact, Message
from desk_assistant.tui.app import DeskApp
from tests.bench import Row, at_most
from tests.models.gguf_builder import Plan
from tests.scripted import ScriptedLlm, WordIndex

MESSAGES: Final = 1_000
MEMORIES: Final = 10_000
TURNS: Final = 200
PAGES_BACK: Final = 20
TICK: Final = 0.002
PIECE_SECONDS: Final = 1 / 60
STALL_MS: Final = 50.0
SESSION: Final = "s_bench"
AT: Final = "2026-05-01T10:00:00+00:00"


class PacedLlm(ScriptedLlm):
    """Says its words at the speed of a small model, or at once when `pace` is zero."""

    pace = PIECE_SECONDS

    async def generate(
        self, messages: Sequence[ChatMessage], sampling: Sampling, **options: Any
    ) -> AsyncGenerator[Event, None]:
        async for event in super().generate(messages, sampling, **options):
            if self.pace:
                await asyncio.sleep(self.pace)
            yield event


class SilentIndex(WordIndex):
    """Finds nothing: the scripted search runs on the event loop, which the real one never does."""

    async def search(self, query: str, **options: Any) -> SearchReply:
        return SearchReply((), True)


class Stalls:
    """Measures how long the event loop was busy with one thing, while it is entered."""

    def __init__(self) -> None:
        self._lags: list[float] = []
        self._work: list[float] = []
        self._task: asyncio.Task[None] | None = None

    async def _watch(self) -> None:
        while True:
            began, worked = time.perf_counter(), time.thread_time()
            await asyncio.sleep(TICK)
            self._lags.append(time.perf_counter() - began - TICK)
            self._work.append(time.thread_time() - worked)

    async def __aenter__(self) -> Stalls:
        self._task = asyncio.create_task(self._watch())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._task is not None
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    def rows(self, name: str) -> list[Row]:
        """Return the 99th percentile, and that of the thread's own work, which other programs' load does not change."""
        return [
            at_most(f"stall while {name}, p99", _p99(self._lags), "ms", STALL_MS),
            Row(f"work at a stretch while {name}, p99", _p99(self._work), "ms", "", True),
        ]


def _p99(seconds: list[float]) -> float:
    ordered = sorted(seconds)
    return 1000 * ordered[int(len(ordered) * 0.99)] if ordered else 0.0


def _fill(assistant: Assistant) -> None:
    store = assistant.store
    with store.transaction():
        store.transcripts.create_session(SESSION, title="bench", at=AT)
        parent: str | None = None
        for n in range(MESSAGES):
            role: Any = "assistant" if n % 2 else "user"
            text = f"Message {n} with **some** words and `code`.\n\n- one\n- two" if n % 2 else f"Question {n}?"
            parent = store.transcripts.append(Message(f"m_{n:05}", SESSION, role, text, AT, parent)).id
        for n in range(MEMORIES):
            text = f"Likes thing number {n} more than the one before it"
            fact = Fact(f"f_{n:05}", "user", "likes", text, text, "preference", f"k{n}", created_at=AT, last_seen=AT)
            store.facts.add(fact, actor="bench")
            store.episodes.put(Episode(f"e_{n:05}", "turn", SESSION, text, text, AT, position=n))


@asynccontextmanager
async def _desk(folder: Path, llm: ScriptedLlm) -> AsyncIterator[tuple[DeskApp, Pilot[int]]]:
    locations = Locations.find(folder / "data")
    locations.ensure()
    index = SilentIndex()
    assistant = Assistant.open(locations, llm=llm, index=index)
    models = ModelStore([folder / "models"], folder / "models")
    import_model(models, Plan().write(folder / "tiny.gguf"), name="tiny")
    assistant.models = models
    assistant._engine.models = models
    _fill(assistant)
    app = DeskApp(assistant)
    async with app.run_test(size=(120, 40)) as pilot:
        await pilot.pause()
        while assistant.status.llm.state != "ready" or assistant.status.index.state != "ready":
            await pilot.pause(0.05)
        await assistant.memory.settle()
        await pilot.pause()
        yield app, pilot


async def _say(app: DeskApp, pilot: Pilot[int], text: str) -> None:
    app.main.composer.text = text
    await pilot.press("enter")
    await pilot.pause()
    while app.chat.running is not None:
        await asyncio.sleep(0.005)


def _resident_mb() -> float:
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


async def _measure(folder: Path) -> list[Row]:
    rows: list[Row] = []
    answer = "\n\n".join(f"Paragraph {n} of an answer with `code` and **weight** in it." for n in range(20))
    llm = PacedLlm([answer, "Yes."])
    async with _desk(folder, llm) as (app, pilot):
        began = time.perf_counter()
        async with Stalls() as stalls:
            await app.chat.open(SESSION)
            await pilot.pause()
        rows.append(at_most("open a session of 1,000 messages", 1000 * (time.perf_counter() - began), "ms", 1500))
        rows += stalls.rows("opening it")
        async with Stalls() as stalls:
            for _ in range(PAGES_BACK):
                app.main.transcript.scroll_to(y=0, animate=False)
                await pilot.pause(0.1)
        rows += stalls.rows("scrolling back through it")
        async with Stalls() as stalls:
            await _say(app, pilot, "Tell me.")
        rows += stalls.rows("streaming into it")
        async with Stalls() as stalls:
            await pilot.press("f3", *["pagedown"] * 60, "end", "home")
        rows += stalls.rows("scrolling 10,000 memories")
        async with Stalls() as stalls:
            await pilot.press("slash", *"number 42")
            await pilot.pause(1.0)
        rows += stalls.rows("searching them")
        await pilot.press("escape")
        llm.pace = 0.0
        before = _resident_mb()
        rows.append(Row("memory with both open", before, "MB", "", True))
        for _ in range(TURNS):
            await _say(app, pilot, "Still there?")
        rows.append(at_most("growth over 200 turns", _resident_mb() - before, "MB", 20))
    return rows


def rows() -> Iterable[Row]:
    """Run the app headless on a large profile with a scripted model."""
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_measure(Path(folder)))
