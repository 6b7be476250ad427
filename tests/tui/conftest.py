from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, cast

import pytest
from textual.pilot import Pilot
from textual.widget import Widget

from desk_assistant import i18n
from desk_assistant.assistant import Assistant
from desk_assistant.paths import Locations
from desk_assistant.store import Episode, Fact, FactSource, Message
from desk_assistant.store.records import FactStatus, Role
from desk_assistant.tui.app import DeskApp
from desk_assistant.tui.screens.main import MainScreen
from tests.models.gguf_builder import Plan
from tests.scripted import ScriptedLlm, WordIndex

NOW = datetime(2026, 5, 20, 15, 30, tzinfo=timezone(timedelta(0)))


@pytest.fixture(autouse=True)
def fixed_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    # What happens to a fact is dated by the store itself; pictures need the same date every day.
    monkeypatch.setattr("desk_assistant.store.facts.now_iso", NOW.isoformat)


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A models folder with one tiny, well-formed GGUF file."""
    folder = tmp_path / "models"
    monkeypatch.setenv("DESK_ASSISTANT_MODELS", str(folder))
    from desk_assistant.models import ModelStore, import_model

    source = Plan().write(tmp_path / "tiny.gguf")
    import_model(ModelStore([folder], folder), source, name="tiny")
    return folder


@dataclass
class Desk:
    """The running app under test, with what it runs on."""

    app: DeskApp
    pilot: Pilot[int]
    assistant: Assistant
    llm: ScriptedLlm

    @property
    def main(self) -> MainScreen:
        return self.app.main

    async def until(self, holds: Callable[[], object], what: str = "") -> None:
        """Let the app work until something holds; fails after a good while."""
        for _ in range(3_000):
            await self.pilot.pause(0.01)
            try:
                if holds():
                    return
            except LookupError:
                continue
        raise AssertionError(f"never happened: {what or holds}; notices: {self.notices}")

    async def say(self, text: str) -> None:
        """Type a message, send it, and wait for the end of the turn."""
        self.main.composer.text = text
        await self.pilot.press("enter")
        await self.until(lambda: self.app.chat.live is not None and self.app.chat.running is None)
        await self.pilot.pause()

    async def settled(self) -> None:
        """Wait until everything said so far is remembered."""
        await self.assistant.memory.settle()
        await self.pilot.pause()
        await self.app.main.refresh_memory()
        await self.pilot.pause()

    def text_of(self, selector: str) -> str:
        """Return all text below a widget, as it is drawn."""
        return "\n".join(drawn(widget) for widget in self.app.screen.query(selector))

    @property
    def notices(self) -> str:
        return "\n".join(notification.message for notification in self.app._notifications)


def drawn(widget: Widget) -> str:
    """Return what a widget draws, children included."""
    region = widget.region
    if not widget.children:
        lines = [widget.render_line(y) for y in range(widget.size.height)] if region else []
        return "\n".join(strip.text.rstrip() for strip in lines)
    return "\n".join(drawn(child) for child in widget.children if child.display)


StartDesk = Callable[..., AbstractAsyncContextManager[Desk]]
MakeApp = Callable[..., DeskApp]


@pytest.fixture
def make_app(locations: Locations, models: Path) -> MakeApp:
    """Returns a function that makes the app on a real profile with a scripted model."""
    index = WordIndex()

    def make(
        *,
        llm: ScriptedLlm | None = None,
        first_run: bool = False,
        fill: Callable[[Assistant], object] | None = None,
        language: str = "en",
    ) -> DeskApp:
        assistant = Assistant.open(locations, llm=llm or ScriptedLlm(), index=index)
        i18n.set_language(language)
        if fill is not None:
            fill(assistant)
        return DeskApp(assistant, first_run=first_run, clock=lambda: NOW)

    return make


@pytest.fixture
def desk(make_app: MakeApp) -> StartDesk:
    """Returns a context manager that runs the app and waits until its model is loaded."""

    @asynccontextmanager
    async def start(
        *, size: tuple[int, int] = (120, 40), llm: ScriptedLlm | None = None, wait: bool = True, **options: Any
    ) -> AsyncIterator[Desk]:
        model = llm or ScriptedLlm()
        app = make_app(llm=model, **options)
        async with app.run_test(size=size) as pilot:
            desk = Desk(app, pilot, app.assistant, model)
            await pilot.pause()
            if wait:
                await desk.until(lambda: app.assistant.status.llm.state == "ready", "the model is loaded")
                await pilot.pause()
            yield desk

    return start


def seed(assistant: Assistant, *, chinese: bool = False) -> dict[str, str]:
    """Fill a profile with records of fixed ids and times; returns ids by name."""
    store = assistant.store
    # The daily upkeep would archive what these old facts say, at a moment of its own.
    store.meta.set("upkeep_at", str(time.time()))
    lines = (
        [
            ("user", "我是做量化策略的，主要用 Python，最近在选向量数据库", "2026-05-18T09:12:00+00:00"),
            ("assistant", "好的。你更看重**速度**还是易用性？", "2026-05-18T09:12:05+00:00"),
            ("user", "我的邮箱是 [EMAIL 1]，周五之前要定下来", "2026-05-18T09:13:00+00:00"),
            ("assistant", "记住了，周五之前定下来。", "2026-05-18T09:13:04+00:00"),
        ]
        if chinese
        else [
            ("user", "I am a Java backend developer; my projects use MySQL 8.0.", "2026-05-18T09:12:00+00:00"),
            ("assistant", "Noted. Which **framework** do you use?", "2026-05-18T09:12:05+00:00"),
            ("user", "Spring Boot 3. Write to [EMAIL 1] by Friday.", "2026-05-18T09:13:00+00:00"),
            ("assistant", "```python\nprint('by Friday')\n```", "2026-05-18T09:13:04+00:00"),
        ]
    )
    title = "选向量数据库" if chinese else "Java and MySQL"
    store.transcripts.create_session("s_seeded0001", title=title, at="2026-05-18T09:12:00+00:00")
    parent: str | None = None
    for number, (role, content, at) in enumerate(lines):
        message = Message(f"m_seeded{number:04}", "s_seeded0001", cast(Role, role), content, at, parent_id=parent)
        parent = store.transcripts.append(message).id
    facts = (
        [
            ("f_seeded0001", "uses.language", "主要用 Python", "fact", "active", False, 0, "主要用 Python"),
            ("f_seeded0002", "job", "做量化策略", "identity", "active", True, 0, "我是做量化策略的"),
            ("f_seeded0003", "task", "周五之前定下来", "task", "pending", False, 2, "周五之前要定下来"),
        ]
        if chinese
        else [
            (
                "f_seeded0001",
                "uses.database",
                "Uses MySQL 8.0",
                "fact",
                "active",
                False,
                0,
                "my projects use MySQL 8.0",
            ),
            (
                "f_seeded0002",
                "job",
                "Works as Java developer",
                "identity",
                "active",
                True,
                0,
                "I am a Java backend developer",
            ),
            ("f_seeded0003", "task", "Writes by Friday", "task", "pending", False, 2, "Write to [EMAIL 1] by Friday"),
        ]
    )
    for fact_id, predicate, text, kind, status, pinned, line, quote in facts:
        start = lines[line][1].index(quote)
        source = FactSource("s_seeded0001", f"m_seeded{line:04}", start, start + len(quote), quote)
        store.facts.add(
            Fact(
                id=fact_id,
                subject="user",
                predicate=predicate,
                object=text,
                text=text,
                kind=kind,
                key=f"user|{predicate}|{text}",
                language="zh" if chinese else "en",
                status=cast(FactStatus, status),
                pinned=pinned,
                created_at="2026-05-18T09:12:00+00:00",
                last_seen="2026-05-18T09:12:00+00:00",
                sources=(source,),
            ),
            actor="extraction",
        )
    for number in (0, 2):
        store.episodes.put(
            Episode(
                id=f"e_seeded{number:04}",
                kind="turn",
                session_id="s_seeded0001",
                text=lines[number][1],
                lexical=lines[number][1],
                created_at=lines[number][2],
                position=number,
                messages=(f"m_seeded{number:04}",),
            )
        )
    return {"session": "s_seeded0001", "fact": "f_seeded0001", "pending": "f_seeded0003", "message": "m_seeded0000"}
