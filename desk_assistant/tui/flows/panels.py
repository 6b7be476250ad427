"""Brings the records that the memory panel shows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import date
from typing import Final

from desk_assistant.assistant import Assistant, Conversation
from desk_assistant.i18n import t
from desk_assistant.memory.records import RecallResult
from desk_assistant.tui.dates import moment
from desk_assistant.tui.rows import episode_rows, fact_rows, message_rows
from desk_assistant.tui.widgets.memory_panel import MemoryPanel
from desk_assistant.tui.widgets.recall_view import RecallView
from desk_assistant.tui.widgets.row_list import Row

PAGE: Final = 200
"""Episodes loaded at once."""


class PanelFlow:
    """Fills the tab that is open; the others are filled when they are opened.

    Args:
        assistant: Where the records come from.
        today: The present day.
    """

    def __init__(self, assistant: Assistant, today: Callable[[], date]) -> None:
        self._assistant = assistant
        self._today = today
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
        match panel.tab:
            case "profile" | "episodes" as tab:
                query = panel.filter_text
                if self._shown.get(tab) == query:
                    return
                self._shown[tab] = query
                await (self._profile(panel, query) if tab == "profile" else self._episodes(panel, query))
            case "working":
                self._working(panel, conversation)
            case "recall":
                view = panel.query_one(RecallView)
                if self._asked is not None:
                    view.show_result(self._asked, self._today())
                else:
                    view.show_report(conversation.last_report, self._today())

    async def _profile(self, panel: MemoryPanel, query: str) -> None:
        facts = await self._assistant.memory.facts(query=query)
        shown = panel.list_of("profile")
        before, today = shown.rows, self._today()

        def make() -> list[Row] | None:
            rows = fact_rows(facts, today)
            return rows if rows != before else None

        rows = await asyncio.to_thread(make)
        if rows is not None:
            shown.set_rows(rows)
        mode = self._assistant.memory_mode
        panel.note("profile", t(f"tui.memory_is_{mode}") if mode != "on" else "")

    async def _episodes(self, panel: MemoryPanel, query: str) -> None:
        async with self._loading:
            rows = panel.list_of("episodes")
            # What was scrolled to stays loaded when the list is brought up to date.
            wanted = max(PAGE, self._offset) if rows.rows else PAGE
            episodes = await self._assistant.memory.episodes(query, limit=wanted)
            rows.set_rows(episode_rows(episodes, self._today()))
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
            panel.list_of("episodes").add_rows(episode_rows(episodes, self._today(), self._last_day))
            self._offset += len(episodes)
            self._complete = len(episodes) < PAGE
            at = moment(episodes[-1].created_at) if episodes else None
            self._last_day = at.date() if at is not None else self._last_day

    def _working(self, panel: MemoryPanel, conversation: Conversation) -> None:
        words = panel.filter_text.casefold().split()
        messages = [x for x in conversation.window() if all(word in x.content.casefold() for word in words)]
        panel.list_of("working").set_rows(message_rows(messages, self._today()))
        lines = [t("tui.window_holds", count=len(conversation.window()))]
        if conversation.left_out:
            lines.append(t("tui.left_out", count=conversation.left_out))
        panel.note("working", "\n".join(lines))

    def show_recall(self, panel: MemoryPanel, result: RecallResult, *, asked: bool = False) -> None:
        """Show what was recalled before the answer is there, or, when it was asked for by hand, until the next turn."""
        self._asked = result if asked else None
        panel.query_one(RecallView).show_result(result, self._today())
