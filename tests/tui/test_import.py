"""Bringing in the history of another program: seen first, chosen, imported, stopped."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import Button, Input

from desk_assistant.tui.screens.import_talks import ImportScreen
from tests.importers.exports import NOON, gpt_line, write
from tests.tui.conftest import Desk, StartDesk


def export(folder: Path) -> Path:
    talks = [
        gpt_line("a", "Boats", [("user", "Write to jo@example.org about the boat."), ("assistant", "Done.")]),
        gpt_line("b", "Bees", [("user", "I keep bees in Bergen.")], at=NOON + 40 * 86_400),
    ]
    return write(folder / "conversations.json", talks)


async def opened(desk: Desk, path: Path) -> None:
    desk.main.composer.text = f"/import '{path}'"
    await desk.pilot.press("enter")
    await desk.until(lambda: isinstance(desk.app.screen, ImportScreen))


def ready(desk: Desk) -> bool:
    return not desk.app.screen.query_one("#accept", Button).disabled


async def test_what_would_come_in_is_shown_before_anything_is_written(desk: StartDesk, tmp_path: Path) -> None:
    async with desk() as d:
        await opened(d, export(tmp_path))
        await d.until(lambda: "2 conversations, 3 messages" in d.text_of("#import-what"))
        await d.until(lambda: "× 1" in d.text_of("#import-what"))
        await d.until(lambda: "Boats" in d.text_of("#import-list"))
        assert ready(d)
        assert d.assistant.sessions() == []


async def test_with_keys_alone_one_of_two_is_chosen_and_imported(desk: StartDesk, tmp_path: Path) -> None:
    async with desk(size=(80, 24)) as d:
        await opened(d, export(tmp_path))
        await d.until(lambda: ready(d))
        await d.pilot.press("tab", *"bees")
        await d.until(lambda: ready(d) and "1 conversation," in d.text_of("#import-what"))
        await d.pilot.press("enter", "enter")
        await d.until(lambda: "stored" in d.text_of("#import-what"))
        await d.pilot.press("escape")
        await d.settled()

        assert [session.title for session in d.assistant.sessions()] == ["Bees"]
        assert [fact.text for fact in await d.assistant.memory.facts(query="bees")] != []


async def test_with_clicks_alone_all_is_imported(desk: StartDesk, tmp_path: Path) -> None:
    async with desk() as d:
        await opened(d, export(tmp_path))
        await d.until(lambda: ready(d))
        await d.pilot.click("#accept")
        await d.until(lambda: "stored" in d.text_of("#import-what"))
        await d.pilot.click("#cancel")
        await d.until(lambda: not isinstance(d.app.screen, ImportScreen))

        assert len(d.assistant.sessions()) == 2
        await d.until(lambda: "Bees" in d.text_of("#sessions-panel"))


async def test_a_wrong_name_and_a_wrong_day_are_said_in_the_dialog(desk: StartDesk, tmp_path: Path) -> None:
    async with desk() as d:
        await opened(d, tmp_path / "nothing.zip")
        await d.until(lambda: "no file or folder" in d.text_of("#import-what"))
        d.app.screen.query_one("#import-path", Input).value = str(export(tmp_path))
        await d.until(lambda: ready(d))
        d.app.screen.query_one("#import-since", Input).value = "May"
        await d.until(lambda: "2026-05-11" in d.text_of("#import-what"))

        assert not ready(d)
