"""The first frame: it waits for nothing but itself, and what is typed into it goes into the chat."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from desk_assistant.assistant import Assistant
from desk_assistant.errors import StorageError
from desk_assistant.paths import Locations
from desk_assistant.tui import opening
from desk_assistant.tui.app import DeskApp
from desk_assistant.tui.screens.start import StartScreen
from desk_assistant.tui.widgets.composer import Composer
from tests.scripted import ScriptedLlm, WordIndex

Started = tuple[DeskApp, Pilot[int], Callable[[], None]]
StartApp = Callable[..., AbstractAsyncContextManager[Started]]

LATER = ("assistant", "cli", "index", "llm", "memory", "models", "privacy", "server", "store", "textkit", "workers")
HEAVY = ("markdown_it", "pygments", "regex", "snowballstemmer", "sqlite3", "tomlkit", "textual.widgets._markdown")


@pytest.fixture
def start(locations: Locations, models: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StartApp]:
    """Returns a context manager that runs the app up to its first frame, and lets the profile open when told to."""
    may_open = threading.Event()

    def open_profile(found: Locations) -> Assistant:
        assert may_open.wait(30)
        return Assistant.open(found, llm=ScriptedLlm(["Understood."]), index=WordIndex())

    monkeypatch.setattr(opening, "open_profile", open_profile)

    @asynccontextmanager
    async def run(*, first_run: bool = False) -> AsyncIterator[Started]:
        app = DeskApp(locations, first_run=first_run)
        async with app.run_test(size=(120, 40)) as pilot:
            try:
                await _until(pilot, lambda: isinstance(app.screen, StartScreen))
                await pilot.pause()
                yield app, pilot, may_open.set
            finally:
                may_open.set()

    yield run
    may_open.set()


async def _until(pilot: Pilot[int], holds: Callable[[], object]) -> None:
    for _ in range(2_000):
        await pilot.pause(0.01)
        if holds():
            return
    raise AssertionError("never happened")


def _in_chat(app: DeskApp) -> bool:
    return app.is_open and app.screen_stack[-1] is app._main and app._held is None


def test_the_first_frame_imports_nothing_that_it_does_not_show() -> None:
    code = (
        "import sys, desk_assistant.cli, desk_assistant.tui.app, desk_assistant.settings;"
        f"later = tuple('desk_assistant.' + name for name in {LATER!r} if name != 'cli') + {HEAVY!r};"
        "print([m for m in sys.modules if m.startswith(later) or m == 'desk_assistant.cli.grammar'])"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip() == "[]"


async def test_what_is_typed_while_the_profile_opens_is_kept_and_can_be_gone_on_with(start: StartApp) -> None:
    async with start() as (app, pilot, may_open):
        await pilot.press(*"half")
        assert app.screen.query_one(Composer).text == "half"
        may_open()
        await _until(pilot, lambda: _in_chat(app))
        await pilot.press(*" a word")
        assert app.main.composer.text == "half a word"


async def test_a_message_sent_while_the_profile_opens_goes_out_and_later_keys_follow_it(start: StartApp) -> None:
    async with start() as (app, pilot, may_open):
        await pilot.press(*"hello", "enter")
        await pilot.pause()
        await pilot.press(*"next")
        assert app.screen.query_one(Composer).text == ""
        may_open()
        await _until(pilot, lambda: _in_chat(app) and app.chat.live is not None and app.chat.running is None)
        assert [message.content for message in app.chat.conversation.messages] == ["hello", "Understood."]
        assert app.main.composer.text == "next"


async def test_a_newcomers_first_message_waits_until_they_were_asked(start: StartApp) -> None:
    async with start(first_run=True) as (app, pilot, may_open):
        await pilot.press(*"hello", "enter")
        may_open()
        await _until(pilot, lambda: app.screen.has_class("first-run"))
        assert app.main.composer.text == "hello"
        assert app.assistant.store.transcripts.count() == (0, 0)


async def test_keys_of_the_chat_do_nothing_before_there_is_one(start: StartApp) -> None:
    async with start() as (app, pilot, may_open):
        await pilot.press("ctrl+p", "f1", "f9", "escape")
        await pilot.pause()
        assert isinstance(app.screen, StartScreen)
        may_open()
        await _until(pilot, lambda: _in_chat(app))


async def test_a_profile_that_cannot_be_opened_ends_the_app_with_its_reason(
    locations: Locations, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(found: Locations) -> Assistant:
        raise StorageError("common.data_folder_unwritable", path=found.home, reason="no")

    monkeypatch.setattr(opening, "open_profile", refuse)
    app = DeskApp(locations)
    async with app.run_test():
        await asyncio.wait_for(_ended(app), 20)
    assert app.return_code == StorageError.exit_code
    assert isinstance(app.trouble, StorageError)


async def _ended(app: DeskApp) -> None:
    while app.trouble is None:
        await asyncio.sleep(0.01)


async def test_quitting_while_the_profile_opens_closes_it(start: StartApp, monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[Assistant] = []
    close = Assistant.close

    async def noted(self: Assistant) -> None:
        closed.append(self)
        await close(self)

    monkeypatch.setattr(Assistant, "close", noted)
    async with start() as (app, pilot, may_open):
        asyncio.get_running_loop().call_later(0.2, may_open)
        await pilot.press("ctrl+q")
    assert len(closed) == 1
    assert not app.is_open
