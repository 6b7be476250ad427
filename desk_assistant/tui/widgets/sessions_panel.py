"""The conversations, by day."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widget import Widget
from textual.widgets import Button, Static

from desk_assistant.i18n import t
from desk_assistant.store import Session
from desk_assistant.tui import keymap
from desk_assistant.tui.messages import (
    ChooseToForget,
    ExportAll,
    ExportSession,
    NewSession,
    OpenSession,
    PinSession,
    RenameSession,
)
from desk_assistant.tui.rows import session_rows
from desk_assistant.tui.widgets.row_list import RowList
from desk_assistant.tui.widgets.side_panel import SidePanel


class SessionList(RowList):
    """The list with its keys."""

    def __init__(self) -> None:
        super().__init__(empty=t("tui.no_sessions"), id="session-list")
        keymap.bind(self, "sessions")

    def action_rename(self) -> None:
        """Ask for a new title."""
        if self.current is not None:
            self.post_message(RenameSession(self.current.id))

    def action_pin(self) -> None:
        """Pin it, or let it go."""
        if self.current is not None:
            self.post_message(PinSession(self.current.id, not self.current.mark))

    def action_delete(self) -> None:
        """Show what goes with the conversation, and forget it."""
        if self.current is not None:
            self.post_message(ChooseToForget(session_id=self.current.id))

    def action_export(self) -> None:
        """Write it to a file."""
        if self.current is not None:
            self.post_message(ExportSession(self.current.id))

    def action_export_all(self) -> None:
        """Write every conversation to a file of its own."""
        self.post_message(ExportAll())


class SessionsPanel(SidePanel):
    """The left panel."""

    def __init__(self) -> None:
        super().__init__(id="sessions-panel", classes="side-panel")

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        yield Static(t("tui.sessions"), classes="panel-title")
        with Horizontal(classes="panel-buttons"):
            yield Button(t("tui.new_chat"), id="new-chat", compact=True)
            yield Button(t("tui.new_private"), id="new-private", compact=True)
        yield SessionList()
        # They act on the row under the cursor, for those who use the mouse alone.
        for row in (("rename", "pin"), ("delete", "export")):
            with Horizontal(classes="panel-buttons -foot"):
                for action in row:
                    yield Button(t(f"panel.session_{action}"), id=f"session-{action}", compact=True)
        with Horizontal(classes="panel-buttons -foot"):
            yield Button(t("panel.export_all"), id="session-export_all", compact=True)

    def show(self, sessions: Sequence[Session], current: str | None, today: date) -> None:
        """Show these conversations, with the open one under the cursor."""
        rows = self.query_one(SessionList)
        rows.set_rows(session_rows(sessions, today))
        if current is not None and not rows.has_focus:
            rows.focus_row(current)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Open a conversation."""
        event.stop()
        self.post_message(OpenSession(event.row_id))

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Begin a conversation, or act on the one under the cursor."""
        event.stop()
        name = event.button.id or ""
        if name.startswith("session-"):
            rows = self.query_one(SessionList)
            # As its own doing: Textual stops a message at the widget in whose name it was posted.
            rows.call_later(getattr(rows, f"action_{name.removeprefix('session-')}"))
        else:
            self.post_message(NewSession(private=name == "new-private"))

    def _focus_target(self) -> Widget:
        return self.query_one(SessionList)
