"""Brings the records that the memory panel shows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import date
from typing import Final

from desk_assistant.assistant import Conversation
from desk_assistant.i18n import t
from desk_assistant.memory.records import RecallResult
from desk_assistant.store import Fact
from desk_assistant.tui.dates import moment
from desk_assistant.tui.flows.curation import CurationFlow
from desk_assistant.tui.flows.graph import GraphFlow
from desk_assistant.tui.host import Host
from desk_assistant.tui.memory_rows import insight_rows, matching, review_rows, task_rows
from desk_assistant.tui.rows import episode_rows, fact_rows, message_rows
from desk_assistant.tui.widgets.graph_view import Act, GraphView
from desk_assistant.tui.widgets.memory_panel import MemoryPanel
from desk_assistant.tui.widgets.recall_view import RecallView
from desk_assistant.tui.widgets.row_list import Row

PAGE: Final = 200
"""Episodes loaded at once."""

DONE_SHOWN: Final = 30
"""Finished tasks that are shown, the last ones."""


class PanelFlow:
    """Fills the tab that is open; the others are filled when they are opened.

    Args:
        host: The app.
        curation: Joins and parts names for the graph.
    """

    def __init__(self, host: Host, curation: CurationFlow) -> None:
        self._host = host
        self._assistant = host.assistant
        self._graph = GraphFlow(host, curation)
        self._loading = asyncio.Lock()
        self._shown: dict[str, str] = {}
        self._offset = 0
        self._last_day: date | None = None
        self._asked: RecallResult | None = None
        self._complete = True

    def memory_changed(self) -> None:
        """What the tabs show of the stored memory is no longer what is stored."""
        self._shown.clear()

    async def fill(self, panel: MemoryPanel, conversation: Conversation) -> None:
        """Bring the open tab up to date. A long list is not made again when neither memory nor the filter changed.

        Raises:
            DeskError: The records cannot be read; what is shown stays.
        """
        tab, query = panel.tab, panel.filter_text
        match tab:
            case "working":
                self._working(panel, conversation)
            case "recall":
                view = panel.query_one(RecallView)
                view.filter(query)
                if self._asked is not None:
                    view.show_result(self._asked, self._host.today)
                else:
                    view.show_report(conversation.last_report, self._host.today)
            case _ if self._shown.get(tab) != query:
                self._shown[tab] = query
                await self._fill_stored(panel, tab, query)

    async def _fill_stored(self, panel: MemoryPanel, tab: str, query: str) -> None:
        match tab:
            case "profile":
                await self._profile(panel, query)
            case "tasks":
                await self._tasks(panel, query)
            case "episodes":
                await self._episodes(panel, query)
            case "graph":
                await self._graph.fill(panel.query_one(GraphView), query)
            case "insights":
                insights = await self._assistant.memory.insights()
                panel.list_of(tab).set_rows(matching(insight_rows(insights, self._host.today), query))
            case "review":
                await self._review(panel, query)

    async def ask_graph(self, panel: MemoryPanel, act: Act, row_id: str) -> None:
        """Do what was asked of the graph, and show where one is then.

        Raises:
            DeskError: The facade refuses.
        """
        if await self._graph.ask(act, row_id):
            panel.clear_filter()
            self._shown["graph"] = ""
            await self._graph.fill(panel.query_one(GraphView), "")

    async def _profile(self, panel: MemoryPanel, query: str) -> None:
        facts = await self._assistant.memory.facts(query=query)
        today = self._host.today
        await self._set(panel, "profile", lambda: fact_rows(facts, today))
        mode = self._assistant.memory_mode
        panel.note("profile", t(f"tui.memory_is_{mode}") if mode != "on" else "")

    async def _tasks(self, panel: MemoryPanel, query: str) -> None:
        memory, today = self._assistant.memory, self._host.today
        open_tasks = await memory.tasks()
        pending = [fact for fact in await memory.facts(("pending",)) if fact.kind == "task"]
        done = sorted(await memory.facts(("closed",)), key=lambda fact: fact.valid_to or "", reverse=True)[:DONE_SHOWN]
        await self._set(panel, "tasks", lambda: matching(task_rows(open_tasks, pending, done, today), query))

    async def _review(self, panel: MemoryPanel, query: str) -> None:
        memory, today = self._assistant.memory, self._host.today
        stale: Sequence[Fact] = await memory.stale()
        archive = await memory.archived()
        await self._set(
            panel, "review", lambda: matching(review_rows(stale, archive.facts, archive.episodes, today), query)
        )
        panel.note("review", t("panel.review_note"))

    async def _set(self, panel: MemoryPanel, tab: str, make: Callable[[], list[Row]]) -> None:
        """Make the rows beside the event loop, and show them when they are other ones."""
        shown = panel.list_of(tab)
        before = shown.rows

        def work() -> list[Row] | None:
            rows = make()
            return rows if rows != before else None

        rows = await asyncio.to_thread(work)
        if rows is not None:
            shown.set_rows(rows)

    async def _episodes(self, panel: MemoryPanel, query: str) -> None:
        async with self._loading:
            rows = panel.list_of("episodes")
            # What was scrolled to stays loaded when the list is brought up to date.
            wanted = max(PAGE, self._offset) if rows.rows else PAGE
            episodes = await self._assistant.memory.episodes(query, limit=wanted)
            rows.set_rows(episode_rows(episodes, self._host.today))
            self._offset = len(episodes)
            self._complete = len(episodes) < wanted
            at = moment(episodes[-1].created_at) if episodes else None
            self._last_day = at.date() if at is not None else None

    async def more_episodes(self, panel: MemoryPanel) -> None:
        """Append the next page of the timeline."""
        if self._complete or self._loading.locked():
            return
        async with self._loading:
            episodes = await self._assistant.memory.episodes(panel.filter_text, limit=PAGE, offset=self._offset)
            panel.list_of("episodes").add_rows(episode_rows(episodes, self._host.today, self._last_day))
            self._offset += len(episodes)
            self._complete = len(episodes) < PAGE
            at = moment(episodes[-1].created_at) if episodes else None
            self._last_day = at.date() if at is not None else self._last_day

    def _working(self, panel: MemoryPanel, conversation: Conversation) -> None:
        rows = message_rows(conversation.window(), self._host.today)
        panel.list_of("working").set_rows(matching(rows, panel.filter_text))
        lines = [t("tui.window_holds", count=len(conversation.window()))]
        if conversation.left_out:
            lines.append(t("tui.left_out", count=conversation.left_out))
        panel.note("working", "\n".join(lines))

    def show_recall(self, panel: MemoryPanel, result: RecallResult, *, asked: bool = False) -> None:
        """Show what was recalled before the answer is there, or, when it was asked for by hand, until the next turn."""
        self._asked = result if asked else None
        panel.query_one(RecallView).show_result(result, self._host.today)
