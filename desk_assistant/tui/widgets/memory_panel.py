"""The right panel: what is remembered, what is in the window now, and what was used for the last answer."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Input, Static, TabbedContent, TabPane

from desk_assistant.i18n import t
from desk_assistant.tui import keymap
from desk_assistant.tui.messages import (
    AddRecord,
    ConfirmRecord,
    EditRecord,
    ForgetRecords,
    OpenRecord,
    PinRecord,
)
from desk_assistant.tui.rows import PENDING, PINNED
from desk_assistant.tui.widgets.recall_view import RecallView
from desk_assistant.tui.widgets.row_list import RowList
from desk_assistant.tui.widgets.side_panel import SidePanel

TABS: Final = ("profile", "episodes", "working", "recall")
FILTER_DELAY: Final = 0.15
"""Seconds of rest after which a filter is applied while typing."""


class RecordList(RowList):
    """A list of facts, episodes or messages with the keys for them."""

    def __init__(self, name: str) -> None:
        super().__init__(empty=t(f"tui.empty_{name}"), id=f"{name}-list")
        keymap.bind(self, "memory")

    @property
    def _fact(self) -> str | None:
        """Id of the fact under the cursor; the keys that change records are for facts alone."""
        return self.current.id if self.current is not None and self.current.id.startswith("f_") else None

    def action_edit(self) -> None:
        """Ask for a new wording."""
        if self._fact is not None:
            self.post_message(EditRecord(self._fact))

    def action_pin(self) -> None:
        """Pin it, or let it go."""
        if self._fact is not None and self.current is not None:
            self.post_message(PinRecord(self._fact, self.current.mark != PINNED))

    def action_confirm(self) -> None:
        """Say that a pending fact is right."""
        if self._fact is not None and self.current is not None and self.current.mark == PENDING:
            self.post_message(ConfirmRecord(self._fact))

    def action_forget(self) -> None:
        """Forget the marked records, or the one under the cursor."""
        if self.selection:
            ids, self.marked = self.selection, set()
            self.post_message(ForgetRecords(ids))

    def action_mark(self) -> None:
        """Mark it, for forgetting several at once."""
        self.toggle_mark()

    def action_add(self) -> None:
        """Ask for something to remember."""
        self.post_message(AddRecord())


class MemoryPanel(SidePanel):
    """Tabs over lists, with one filter for all."""

    class Wanted(Message):
        """A tab was opened or the filter changed: the screen brings the records."""

        def __init__(self, tab: str, query: str) -> None:
            super().__init__()
            self.tab = tab
            self.query_text = query

    def __init__(self) -> None:
        super().__init__(id="memory-panel", classes="side-panel")
        keymap.bind(self, "memory")
        self._filter_timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        yield Static(t("tui.memory"), classes="panel-title")
        yield Input(placeholder=t("tui.filter"), id="memory-filter", compact=True)
        with TabbedContent(initial="profile", id="memory-tabs"):
            for name in TABS:
                with TabPane(t(f"tui.tab_{name}"), id=name):
                    if name == "recall":
                        yield RecallView()
                    else:
                        yield Static("", classes="tab-note", id=f"{name}-note", markup=False)
                        yield RecordList(name)
        yield Vertical(Static(t("tui.memory_keys"), classes="panel-keys", markup=False), classes="panel-foot")

    @property
    def tab(self) -> str:
        """The open tab."""
        return self.query_one(TabbedContent).active

    @property
    def filter_text(self) -> str:
        """What the lists are filtered by."""
        return self.query_one("#memory-filter", Input).value.strip()

    def list_of(self, tab: str) -> RecordList:
        """Return the list of one tab."""
        return self.query_one(f"#{tab}-list", RecordList)

    def note(self, tab: str, text: str) -> None:
        """Say something above a list; nothing when empty."""
        line = self.query_one(f"#{tab}-note", Static)
        line.display = bool(text)
        line.update(text)

    def open_tab(self, tab: str) -> None:
        """Show one tab."""
        self.query_one(TabbedContent).active = tab

    def search(self, query: str, tab: str = "profile") -> None:
        """Show one tab filtered by `query`."""
        self.query_one("#memory-filter", Input).value = query
        self.open_tab(tab)

    def on_tabbed_content_tab_activated(self, event: TabbedContent.TabActivated) -> None:
        """Fill the tab that was opened, and take the focus along when it was in the old one."""
        event.stop()
        self.post_message(self.Wanted(self.tab, self.filter_text))
        if self.holds_focus and not isinstance(self.screen.focused, Input):
            self._focus_target().focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Filter once the typing rests."""
        event.stop()
        if self._filter_timer is not None:
            self._filter_timer.stop()
        self._filter_timer = self.set_timer(FILTER_DELAY, self._filter)

    def _filter(self) -> None:
        self.post_message(self.Wanted(self.tab, self.filter_text))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go from the filter to the list."""
        event.stop()
        self._focus_target().focus()

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Open a record."""
        event.stop()
        self.post_message(OpenRecord(event.row_id))

    def action_filter(self) -> None:
        """Go to the filter."""
        self.query_one("#memory-filter", Input).focus()

    def action_tab(self, step: int) -> None:
        """Go to the next tab left or right."""
        self.open_tab(TABS[(TABS.index(self.tab) + step) % len(TABS)])

    def _focus_target(self) -> Widget:
        return self.query_one(RecallView) if self.tab == "recall" else self.list_of(self.tab)
