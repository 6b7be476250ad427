"""The right panel: what is remembered, what hangs together, what is in the window now, what the last answer used."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget
from textual.widgets import Button, ContentSwitcher, Input, Static

from desk_assistant.i18n import t
from desk_assistant.tui import keymap
from desk_assistant.tui.messages import AddRecord, ChooseToForget, OpenRecord
from desk_assistant.tui.widgets.graph_view import GraphList, GraphView
from desk_assistant.tui.widgets.recall_view import RecallView
from desk_assistant.tui.widgets.record_list import RecordList
from desk_assistant.tui.widgets.row_list import RowList
from desk_assistant.tui.widgets.side_panel import SidePanel
from desk_assistant.tui.widgets.tab_strip import TabStrip

TABS: Final = ("profile", "tasks", "episodes", "graph", "insights", "review", "working", "recall")
LISTS: Final = ("profile", "tasks", "episodes", "insights", "review", "working")
"""Tabs that hold one list of records."""

FILTER_DELAY: Final = 0.15
"""Seconds of rest after which a filter is applied while typing."""

MARK_BUTTONS: Final = ("confirm", "settle", "forget", "unmark")
"""What can be done with several marked records."""


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
        with Horizontal(classes="panel-buttons", id="memory-head"):
            yield Static(t("tui.memory"), classes="panel-title")
            yield Button(t("panel.add"), id="memory-add", compact=True)
            yield Button(t("panel.forget_more"), id="memory-forget", compact=True)
        yield Input(placeholder=t("tui.filter"), id="memory-filter", compact=True)
        yield TabStrip([(name, t(f"panel.tab_{name}")) for name in TABS], id="memory-tabs")
        with ContentSwitcher(initial=TABS[0], id="memory-pages"):
            for name in TABS:
                with Vertical(id=name, classes="memory-page"):
                    match name:
                        case "recall":
                            yield RecallView()
                        case "graph":
                            yield GraphView()
                        case _:
                            yield Static("", classes="tab-note", id=f"{name}-note", markup=False)
                            yield RecordList(name)
        with Horizontal(classes="panel-buttons", id="marked-bar"):
            yield Static("", id="marked-count", markup=False)
            for action in MARK_BUTTONS:
                yield Button(t(f"panel.marked_{action}"), id=f"marked-{action}", compact=True)
        yield Vertical(Static("", classes="panel-keys", id="memory-keys", markup=False), classes="panel-foot")

    def on_mount(self) -> None:
        """Begin with the first tab and without marks."""
        self.query_one("#marked-bar").display = False
        for name in LISTS:
            self.note(name, "")
        self._tell_keys()

    @property
    def tab(self) -> str:
        """The open tab."""
        return self.query_one(TabStrip).active

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
        """Show one tab, and take the focus along when it was in the old one."""
        if tab == self.tab:
            return
        self.query_one(TabStrip).active = tab
        self.query_one(ContentSwitcher).current = tab
        self._tell_keys()
        self._tell_marks()
        self.post_message(self.Wanted(tab, self.filter_text))
        if self.holds_focus and not isinstance(self.screen.focused, Input):
            self._focus_target().focus()

    def search(self, query: str, tab: str = "profile") -> None:
        """Show one tab filtered by `query`."""
        self.query_one("#memory-filter", Input).value = query
        self.open_tab(tab)

    def clear_filter(self) -> None:
        """Show everything again."""
        self.query_one("#memory-filter", Input).value = ""

    def on_tab_strip_picked(self, event: TabStrip.Picked) -> None:
        """Open the tab that was clicked."""
        event.stop()
        self.open_tab(event.name)

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

    def on_record_list_marks_changed(self, event: RecordList.MarksChanged) -> None:
        """Show what can be done with the marked records."""
        event.stop()
        self._tell_marks()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Do what a button of the head or of the bar for marked records says."""
        event.stop()
        match event.button.id:
            case "memory-add":
                self.post_message(AddRecord())
            case "memory-forget":
                self.post_message(ChooseToForget(self.filter_text))
            case "marked-unmark":
                rows = self.list_of(self.tab)
                rows.focus()
                rows.unmark()
            case str(name):
                rows = self.list_of(self.tab)
                rows.focus()  # the bar hides with the last mark, and the keys belong to the rows
                # As its own doing: Textual stops a message at the widget in whose name it was posted.
                rows.call_later(getattr(rows, f"action_{name.removeprefix('marked-')}"))

    def action_filter(self) -> None:
        """Go to the filter."""
        self.query_one("#memory-filter", Input).focus()

    def action_tab(self, step: int) -> None:
        """Go to the next tab left or right."""
        self.open_tab(TABS[(TABS.index(self.tab) + step) % len(TABS)])

    def action_forget_more(self) -> None:
        """Choose a topic, a person or a time span to forget."""
        self.post_message(ChooseToForget(self.filter_text))

    def _tell_keys(self) -> None:
        self.query_one("#memory-keys", Static).update(t(f"panel.keys_{self.tab}"))

    def _tell_marks(self) -> None:
        marked = len(self.list_of(self.tab).marked) if self.tab in LISTS else 0
        self.query_one("#marked-bar").display = bool(marked)
        self.query_one("#marked-count", Static).update(t("panel.marked_count", count=marked))

    def _focus_target(self) -> Widget:
        match self.tab:
            case "recall":
                return self.query_one(RecallView)
            case "graph":
                return self.query_one(GraphList)
            case _:
                return self.list_of(self.tab)
