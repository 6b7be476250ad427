"""The tabs beside the profile: tasks, the graph, insights and the review, through keys and through clicks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.cells import cell_len

from desk_assistant.assistant import Assistant
from desk_assistant.store import FactSource, Message
from desk_assistant.tui.widgets.row_list import RowList
from tests.tui.conftest import Desk, StartDesk, seed

STORY = (
    "My sister Noor lives in Lyon and works at Renault.",
    "My friend Alex lives in Lyon too.",
    "I work at Renault.",
)


def _shown(d: Desk, tab: str) -> list[str]:
    return [row.text for row in d.main.query_one(f"#{tab}-list", RowList).rows]


async def _open(d: Desk, tab: str) -> None:
    d.main.memory_panel.open_tab(tab)
    d.main.memory_panel.open()
    await d.until(lambda: d.main.memory_panel.holds_focus)


def _with_tasks(assistant: Assistant) -> None:
    seed(assistant)
    fact = assistant.store.facts.get("f_seeded0003")
    for number, (text, due) in enumerate(
        [("Hand in the report", "2026-05-12"), ("Pay the rent", "2026-05-21"), ("Water the ferns", None)]
    ):
        task = replace(fact, id=f"f_task{number:06}", text=text, object=text, due=due, status="active", key=text)
        assistant.store.facts.add(task, actor="test")


async def test_tasks_stand_by_their_day_and_are_done_undone_and_reopened(desk: StartDesk) -> None:
    async with desk(fill=_with_tasks) as d:
        await _open(d, "tasks")
        await d.until(lambda: "Overdue (1)" in _shown(d, "tasks"))
        assert _shown(d, "tasks") == [
            *("To confirm (1)", "Writes by Friday", "Overdue (1)", "Hand in the report"),
            *("Within a week (1)", "Pay the rent", "No day (1)", "Water the ferns"),
        ]
        assert "overdue since May 12, 2026" in d.text_of("#tasks-list")
        assert "due tomorrow" in d.text_of("#tasks-list")
        d.main.query_one("#tasks-list", RowList).focus_row("f_task000001")
        await d.pilot.press("x")
        await d.until(lambda: _shown(d, "tasks")[-2:] == ["Done (1)", "Pay the rent"])
        await d.pilot.press("f6")
        await d.until(lambda: "Within a week (1)" in _shown(d, "tasks"))
        # By the mouse: two rows are marked at their left edge and closed together.
        for line in (4, 10):
            await d.pilot.click("#tasks-list", offset=(1, line))
        await d.until(lambda: "2 marked" in d.text_of("#marked-bar"))
        await d.pilot.click("#marked-settle")
        await d.until(lambda: "Done (2)" in _shown(d, "tasks"))
        assert not d.main.query_one("#marked-bar").display
        d.main.query_one("#tasks-list", RowList).focus_row("f_task000002")
        await d.pilot.press("x")
        await d.until(
            lambda: _shown(d, "tasks")[-4:] == ["No day (1)", "Water the ferns", "Done (1)", "Hand in the report"]
        )


async def test_the_graph_is_walked_searched_joined_and_parted(desk: StartDesk) -> None:
    async with desk() as d:
        for text in STORY:
            await d.say(text)
        await d.settled()
        await _open(d, "graph")
        rows = d.main.query_one("#graph-list", RowList)

        async def go(name: str) -> None:
            rows.cursor = _shown(d, "graph").index(name)
            await d.pilot.press("enter")
            await d.until(lambda: d.text_of("#graph-trail").strip().endswith(name))

        await d.until(lambda: "Noor" in _shown(d, "graph"))
        await go("Noor")
        await go("Lyon")
        assert {"Noor", "Alex"} <= set(_shown(d, "graph"))
        await d.pilot.press("backspace")
        await d.until(lambda: d.text_of("#graph-trail").strip() == "You › Noor")
        await d.pilot.press("w")
        await d.until(lambda: d.app.screen.query("#text"))
        await d.pilot.press(*"Alex", "enter")
        await d.until(lambda: _shown(d, "graph") == ["Noor → Lyon", "Alex → Lyon"])
        await d.pilot.click("#graph-back")
        await d.until(lambda: "Renault" in _shown(d, "graph"))
        await d.pilot.press("m")
        await d.until(lambda: d.app.screen.query("#text"))
        await d.pilot.press(*"Nora", "enter")
        await d.until(lambda: _shown(d, "graph")[-2:] == ["Also called", "Nora"])
        await d.pilot.click("#graph-part")
        await d.until(lambda: "Nora" not in _shown(d, "graph"))
        await d.pilot.press("slash", *"alex")
        await d.until(lambda: _shown(d, "graph") == ["Alex"])
        await d.pilot.press("enter", "enter")
        await d.until(lambda: d.text_of("#graph-trail").strip().endswith("Alex"))
        rows.cursor = _shown(d, "graph").index("Lyon")
        await d.pilot.press("o")
        await d.until(lambda: "»lives in Lyon«" in d.text_of("#detail-sources") or "Lyon" in d.text_of("#detail-text"))


def _said_thrice(assistant: Assistant) -> None:
    seed(assistant)
    fact = assistant.store.facts.get("f_seeded0001")
    sources = list(fact.sources)
    for number in range(2):
        session = assistant.store.transcripts.create_session(f"s_again{number:05}", title="again")
        text = "my projects use MySQL 8.0"
        message = Message(f"m_again{number:05}", session.id, "user", text, f"2026-05-1{number}T10:00:00+00:00")
        assistant.store.transcripts.append(message)
        sources.append(FactSource(session.id, message.id, 0, len(text), text))
    assistant.store.facts.change(fact.id, actor="test", action="supported", sources=sources[1:])


async def test_an_insight_opens_to_the_words_it_rests_on_and_can_be_dismissed(desk: StartDesk) -> None:
    async with desk(fill=_said_thrice) as d:
        await _open(d, "insights")
        await d.until(lambda: any("MySQL" in text for text in _shown(d, "insights")))
        assert "rests on 3 conversations" in d.text_of("#insights-list")
        await d.pilot.press("enter")
        await d.until(lambda: len(d.app.screen.query_one("#sources-list", RowList).rows) == 3)
        await d.pilot.press("x")
        await d.until(lambda: not any("MySQL" in text for text in _shown(d, "insights")))


async def test_what_grew_old_is_kept_put_aside_and_brought_back(desk: StartDesk) -> None:
    async with desk(fill=_long_ago) as d:
        await _open(d, "review")
        await d.until(lambda: "Still true? (2)" in _shown(d, "review"))
        rows = d.main.query_one("#review-list", RowList)
        rows.focus_row("f_seeded0003")
        await d.pilot.press("c")
        await d.until(lambda: "Still true? (1)" in _shown(d, "review"))
        assert d.assistant.store.facts.get("f_seeded0003").status == "active"
        rows.focus_row("f_seeded0001")
        await d.pilot.press("x")
        await d.until(lambda: "Put aside: facts (1)" in _shown(d, "review"))
        assert not [fact for fact in await d.assistant.memory.facts() if fact.id == "f_seeded0001"]
        await d.pilot.press("enter")
        await d.until(lambda: "Uses MySQL 8.0" in d.text_of("#detail-text"))
        await d.pilot.click("#do-settle")
        await d.until(lambda: d.assistant.store.facts.get("f_seeded0001").status == "active")


def _long_ago(assistant: Assistant) -> None:
    seed(assistant)
    for fact_id in ("f_seeded0001", "f_seeded0003"):
        assistant.store.facts.change(fact_id, actor="test", action="edited", last_seen="2020-01-01T10:00:00+00:00")


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_every_tab_is_reached_by_keys_and_by_clicks_and_filtered(desk: StartDesk, language: str) -> None:
    chinese = language == "zh"
    async with desk(fill=lambda assistant: seed(assistant, chinese=chinese), language=language) as d:
        panel = d.main.memory_panel
        await d.pilot.press("f3")
        seen = []
        for _ in range(8):
            seen.append(panel.tab)
            await d.pilot.press("right")
        assert len(set(seen)) == 8
        assert panel.tab == seen[0]
        lines = d.text_of("#memory-tabs").split("\n")
        assert len(lines) <= 2
        label = "归纳" if chinese else "Insights"
        y = next(n for n, line in enumerate(lines) if label in line)
        x = cell_len(lines[y][: lines[y].index(label)])
        await d.pilot.click("#memory-tabs", offset=(x, y))
        await d.until(lambda: panel.tab == "insights")
