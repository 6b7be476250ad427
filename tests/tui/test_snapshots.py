"""Pictures of every screen at both sizes and in both languages, compared with the ones that were looked at."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import cast

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

from desk_assistant.assistant import Assistant
from desk_assistant.tui.app import DeskApp
from desk_assistant.tui.widgets.record_list import RecordList
from tests.tui.conftest import MakeApp, seed

SMALL, LARGE = (80, 24), (120, 40)
Compare = Callable[..., bool]


def _app(pilot: Pilot[int]) -> DeskApp:
    return cast(DeskApp, pilot.app)


async def _calm(pilot: Pilot[int]) -> None:
    """Wait until the model is loaded and nothing is drawn any more."""
    app = _app(pilot)
    for _ in range(300):
        await pilot.pause(0.01)
        status = app.assistant.status
        if status.llm.state == "ready" and status.index.state == "ready" and not status.pending:
            break
    await app.workers.wait_for_complete([worker for worker in app.workers if not worker.is_finished])
    app.main.composer.cursor_blink = False
    await pilot.pause()


async def _opened(pilot: Pilot[int], *keys: str) -> None:
    await _calm(pilot)
    await _app(pilot).chat.open("s_seeded0001")
    for key in keys:
        await pilot.press(key)
        await _calm(pilot)


async def _typed(pilot: Pilot[int], text: str) -> None:
    await _calm(pilot)
    _app(pilot).main.composer.text = text
    await _calm(pilot)


def _fill(assistant: Assistant, chinese: bool) -> None:
    seed(assistant, chinese=chinese)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize(
    "keys", [(), ("f3",), ("f3", "end", "enter"), ("f2",)], ids=["chat", "memory", "fact", "chats"]
)
def test_main(
    make_app: MakeApp, snap_compare: Compare, language: str, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    app = make_app(fill=partial(_fill, chinese=language == "zh"), language=language)
    assert snap_compare(app, terminal_size=size, run_before=partial(_opened_with, keys=keys))


async def _opened_with(pilot: Pilot[int], keys: tuple[str, ...]) -> None:
    await _opened(pilot, *keys)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_empty(make_app: MakeApp, snap_compare: Compare, language: str) -> None:
    assert snap_compare(make_app(language=language), terminal_size=SMALL, run_before=_calm)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("key", ["f1", "f9"], ids=["help", "settings"])
def test_dialogs(make_app: MakeApp, snap_compare: Compare, language: str, key: str) -> None:
    app = make_app(language=language)
    app.assistant.settings.path = None  # the picture shows where the file is, which is another place in each run
    assert snap_compare(app, terminal_size=SMALL, run_before=partial(_pressed, key=key))


async def _pressed(pilot: Pilot[int], key: str) -> None:
    await _calm(pilot)
    await pilot.press(key)
    await _calm(pilot)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_slash_menu(make_app: MakeApp, snap_compare: Compare, language: str) -> None:
    assert snap_compare(make_app(language=language), terminal_size=SMALL, run_before=partial(_typed, text="/re"))


@pytest.mark.parametrize(("language", "text"), [("en", "Write to jo@example.org"), ("zh", "我的邮箱是 jo@example.org")])
def test_private_parts_named(make_app: MakeApp, snap_compare: Compare, language: str, text: str) -> None:
    assert snap_compare(make_app(language=language), terminal_size=SMALL, run_before=partial(_typed, text=text))


def test_private_conversation(make_app: MakeApp, snap_compare: Compare) -> None:
    assert snap_compare(make_app(fill=seed), terminal_size=LARGE, run_before=partial(_pressed, key="f4"))


def test_undo_offered(make_app: MakeApp, snap_compare: Compare) -> None:
    app = make_app(fill=seed)

    async def offer(pilot: Pilot[int]) -> None:
        await _calm(pilot)
        app.main.undo_bar.offer("Forgotten (8 s to undo, F6): Uses MySQL 8.0")
        await pilot.pause()

    assert snap_compare(app, terminal_size=LARGE, run_before=offer)


@pytest.mark.parametrize("tab", ["tasks", "episodes", "graph", "working", "recall"])
def test_tabs(make_app: MakeApp, snap_compare: Compare, tab: str) -> None:
    async def show(pilot: Pilot[int]) -> None:
        await _opened(pilot)
        _app(pilot).main.memory_panel.open_tab(tab)
        await _calm(pilot)

    assert snap_compare(make_app(fill=seed), terminal_size=LARGE, run_before=show)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_forget_dialog(make_app: MakeApp, snap_compare: Compare, language: str) -> None:
    app = make_app(fill=partial(_fill, chinese=language == "zh"), language=language)

    async def show(pilot: Pilot[int]) -> None:
        await _typed(pilot, "/forget Python" if language == "zh" else "/forget MySQL")
        await pilot.press("enter")
        # The work behind a dialog ends with the dialog: what is waited for is the list.
        for _ in range(300):
            await pilot.pause(0.01)
            if app.screen.query("#to_forget-list") and app.screen.query_one("#to_forget-list", RecordList).rows:
                break
        app.screen.query_one("#forget-words", Input).cursor_blink = False
        await pilot.pause()

    assert snap_compare(app, terminal_size=SMALL, run_before=show)
