"""Conversations: new, open, rename, pin, delete with undo, export, find."""

from __future__ import annotations

from pathlib import Path

import pytest

from desk_assistant.tui.widgets.row_list import RowList
from tests.tui.conftest import Desk, StartDesk, seed


def _titles(d: Desk) -> list[str]:
    return [row.text for row in d.main.query_one("#session-list", RowList).rows if row.id]


async def test_a_conversation_is_titled_by_its_first_words_and_listed_by_day(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.say("plan the garden")
        await d.until(lambda: "plan the garden" in _titles(d))
        assert "Monday" in d.text_of("#session-list")
        assert "plan the garden" in d.text_of("#title-bar")


async def test_enter_on_a_conversation_opens_it(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.pilot.press("f2", "enter")
        await d.until(lambda: "Which framework" in d.text_of("#transcript"))
        assert d.main.composer.has_focus


async def test_a_click_on_a_conversation_opens_it(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.pilot.click("#session-list", offset=(5, 1))
        await d.until(lambda: "Which framework" in d.text_of("#transcript"))


async def test_ctrl_n_and_the_button_begin_a_conversation(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.app.chat.open("s_seeded0001")
        await d.pilot.press("ctrl+n")
        await d.until(lambda: d.app.chat.conversation.session_id is None)
        await d.app.chat.open("s_seeded0001")
        await d.pilot.click("#new-chat")
        await d.until(lambda: d.app.chat.conversation.session_id is None)


async def test_rename_and_pin(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.pilot.press("f2", "r")
        await d.until(lambda: d.app.screen.query("#text"))
        await d.pilot.press(*" 2", "enter")
        await d.until(lambda: _titles(d) == ["Java and MySQL 2"])
        await d.pilot.press("p")
        await d.until(lambda: "Pinned" in d.text_of("#session-list"))


async def test_the_buttons_do_what_the_keys_do(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.pilot.click("#session-pin")
        await d.until(lambda: "Pinned" in d.text_of("#session-list"))
        await d.pilot.click("#session-rename")
        await d.until(lambda: d.app.screen.query("#text"))
        await d.pilot.press(*" 2")
        await d.pilot.click("#accept")
        await d.until(lambda: _titles(d) == ["Java and MySQL 2"])
        await d.pilot.click("#session-delete")
        await d.until(lambda: d.app.screen.query("#forget-what"))
        await d.pilot.click("#accept")
        await d.until(lambda: not _titles(d))


async def test_all_conversations_are_exported_to_a_folder(
    desk: StartDesk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    async with desk(fill=seed) as d:
        await d.say("plan the garden")
        await d.pilot.press("f2", "X")
        folder = tmp_path / "desk-assistant-2026-05-20"
        await d.until(lambda: "2 conversations were written" in d.notices)
        assert sorted(path.name for path in folder.iterdir()) == ["Java-and-MySQL.md", "plan-the-garden.md"]
        assert set(d.assistant.memory.exports()) == set(folder.iterdir())


async def test_slash_title_renames_the_open_conversation(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.app.chat.open("s_seeded0001")
        d.main.composer.text = "/title Databases"
        await d.pilot.press("enter")
        await d.until(lambda: "Databases" in d.text_of("#title-bar"))


async def test_a_deleted_conversation_shows_what_goes_with_it_is_gone_and_f6_brings_it_back(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.app.chat.open("s_seeded0001")
        await d.pilot.press("f2", "d")
        await d.until(lambda: "3 facts, 4 messages" in d.text_of("#forget-what"))
        await d.pilot.press("enter")
        await d.until(lambda: not _titles(d))
        assert d.app.chat.conversation.session_id is None
        await d.pilot.press("f6")
        await d.until(lambda: _titles(d) == ["Java and MySQL"])


async def test_export_writes_markdown_and_never_over_a_file(desk: StartDesk, tmp_path: Path) -> None:
    async with desk(fill=seed) as d:
        await d.app.chat.open("s_seeded0001")
        for _ in range(2):
            d.main.composer.text = f"/export {tmp_path}"
            await d.pilot.press("enter")
            await d.pilot.pause()
        await d.until(lambda: (tmp_path / "Java-and-MySQL-2.md").exists())
        text = (tmp_path / "Java-and-MySQL.md").read_text(encoding="utf-8")
        assert "MySQL 8.0" in text
        assert "[EMAIL 1]" in text


@pytest.mark.parametrize("chinese", [False, True])
async def test_search_finds_a_message_and_jumps_to_it(desk: StartDesk, chinese: bool) -> None:
    async with desk(fill=lambda assistant: seed(assistant, chinese=chinese)) as d:
        await d.pilot.press("f7")
        await d.until(lambda: d.app.screen.query("#search-field"))
        await d.pilot.press(*("速度" if chinese else "framework"))
        await d.until(lambda: d.app.screen.query_one("#search-list", RowList).rows)
        await d.pilot.press("enter", "enter")
        await d.until(lambda: ("速度" if chinese else "framework") in d.text_of(".answer-turn:focus"))
