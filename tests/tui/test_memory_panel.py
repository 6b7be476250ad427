"""The memory panel: lists, filter, detail with sources, and corrections, through keys and clicks."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from desk_assistant.assistant import Assistant
from desk_assistant.store import Episode, Fact
from desk_assistant.tui.widgets.row_list import RowList
from tests.tui.conftest import Desk, StartDesk, seed


def _profile(d: Desk) -> list[str]:
    return [row.text for row in d.main.memory_panel.list_of("profile").rows]


async def _opened(d: Desk, *keys: str) -> None:
    await d.pilot.press("f3", *keys)
    await d.until(lambda: "Confidence" in d.text_of("#detail-state"))


async def test_the_profile_is_grouped_by_kind_with_what_waits_on_top(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        assert _profile(d)[:2] == ["To confirm (1)", "Writes by Friday"]
        assert _profile(d)[2:] == ["Identity", "Works as Java developer", "Fact", "Uses MySQL 8.0"]


async def test_what_is_said_appears_in_the_profile(desk: StartDesk) -> None:
    async with desk() as d:
        await d.say("I am a Java backend developer; my projects use Spring Boot 3 and MySQL 8.0.")
        await d.settled()
        await d.until(lambda: any("MySQL" in text for text in _profile(d)))


async def test_enter_opens_a_fact_with_the_words_it_came_from(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await _opened(d, "end", "enter")
        assert "»my projects use MySQL 8.0«" in d.text_of("#detail-sources")
        assert "remembered" in d.text_of("#detail-history")


async def test_a_click_opens_a_fact(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.pilot.click("#profile-list", offset=(6, 1))
        await d.until(lambda: "Writes by Friday" in d.text_of("#detail-text"))


async def test_edit_changes_the_fact_and_keeps_the_old_words_in_its_history(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await _opened(d, "end", "enter")
        await d.pilot.press("e")
        await d.until(lambda: d.app.screen.query("#text"))
        await d.pilot.press(*" and 9", "enter")
        await d.until(lambda: "MySQL 8.0 and 9" in d.text_of("#detail-text"))
        assert "edited by you" in d.text_of("#detail-state")
        assert "→ Uses MySQL 8.0 and 9" in d.text_of("#detail-history")


async def test_confirm_and_pin_through_keys(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.pilot.press("f3", "c")
        await d.until(lambda: "To confirm (1)" not in _profile(d))
        assert d.assistant.store.facts.get("f_seeded0003").status == "active"
        d.main.memory_panel.list_of("profile").focus_row("f_seeded0001")
        await d.pilot.press("p")
        await d.until(lambda: d.assistant.store.facts.get("f_seeded0001").pinned)


async def test_confirm_and_pin_through_buttons(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await _opened(d, "home", "enter")
        await d.pilot.click("#do-confirm")
        await d.until(lambda: d.assistant.store.facts.get("f_seeded0003").status == "active")
        await d.until(lambda: not d.app.screen.query_one("#do-confirm").display)
        await d.pilot.click("#do-pin")
        await d.until(lambda: d.assistant.store.facts.get("f_seeded0003").pinned)


async def test_the_filter_narrows_the_list(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.pilot.press("f3", "slash", *"mysql")
        await d.until(lambda: _profile(d) == ["Fact", "Uses MySQL 8.0"])


async def test_add_remembers_a_statement(desk: StartDesk) -> None:
    async with desk() as d:
        await d.pilot.press("f3", "a")
        await d.until(lambda: d.app.screen.query("#text"))
        await d.pilot.press(*"I prefer short answers", "enter")
        await d.until(lambda: any("short answers" in text for text in _profile(d)))


@pytest.mark.parametrize("command", ["/remember I prefer tea", "/remember 我喜欢喝茶"])
async def test_slash_remember(desk: StartDesk, command: str) -> None:
    async with desk() as d:
        d.main.composer.text = command
        await d.pilot.press("enter")
        await d.until(lambda: "Remembered" in d.notices)
        assert _profile(d)


async def test_the_timeline_shows_episodes_and_opens_to_their_messages(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.pilot.press("f3", "right", "right")
        await d.until(lambda: "Monday" in d.text_of("#episodes-list"))
        await d.pilot.press("end", "enter")
        await d.until(lambda: "I am a Java backend developer" in d.text_of("#detail-sources"))
        await d.pilot.press("g")
        await d.until(lambda: "Which framework" in d.text_of("#transcript"))


async def test_working_shows_the_window(desk: StartDesk) -> None:
    async with desk() as d:
        await d.say("hello there")
        await d.pilot.press("f3", "left", "left")
        await d.until(lambda: "hello there" in d.text_of("#working-list"))
        assert "window now: 2" in d.text_of("#working-note")


def _many(assistant: Assistant) -> None:
    values: dict[str, Any] = {"created_at": "2026-05-01T10:00:00+00:00", "last_seen": "2026-05-01T10:00:00+00:00"}
    with assistant.store.transaction():
        assistant.store.transcripts.create_session("s_many", title="many")
        for n in range(1_200):
            fact = Fact(f"f_{n:05}", "user", "likes", f"thing {n}", f"Likes thing {n}", "preference", f"k{n}", **values)
            assistant.store.facts.add(fact, actor="test")
            at = f"2026-05-{n % 20 + 1:02}T10:00:00+00:00"
            assistant.store.episodes.put(Episode(f"e_{n:05}", "turn", "s_many", f"talk {n}", f"talk {n}", at))


def _longer(rows: RowList, than: int) -> bool:
    return len(rows.rows) > than


async def test_thousands_of_records_are_scrolled_to_the_end(desk: StartDesk) -> None:
    async with desk(fill=_many) as d:
        rows = d.main.memory_panel.list_of("profile")
        await d.pilot.press("f3", "end")
        await d.until(lambda: rows.current is not None and rows.cursor == 1_200)
        await d.pilot.press("right", "right")
        episodes = d.main.memory_panel.list_of("episodes")
        await d.until(lambda: episodes.has_focus and len(episodes.rows) >= 200)
        for _ in range(3):
            before = len(episodes.rows)
            await d.pilot.press("end")
            await d.until(partial(_longer, episodes, before))


async def test_rows_keep_the_cursor_on_the_same_record(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        rows = d.main.query_one("#profile-list", RowList)
        rows.focus_row("f_seeded0001")
        await d.assistant.memory.add("I prefer tea")
        await d.until(lambda: any("tea" in text for text in _profile(d)))
        assert rows.current is not None
        assert rows.current.id == "f_seeded0001"
