"""The first line: the conversation's title, and badges for what must never be overlooked."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.message import Message
from textual.widgets import Static

from desk_assistant.i18n import t
from desk_assistant.tui.cells import one_line
from desk_assistant.tui.messages import TogglePause, TogglePrivate


class Badge(Static):
    """A word on a strong ground; a click does what it stands for."""

    def __init__(self, text: str, message: type[Message], *, id: str) -> None:
        super().__init__(text, id=id, classes="badge", markup=False)
        self._message = message

    def on_click(self, event: events.Click) -> None:
        """Act."""
        event.stop()
        self.post_message(self._message())


class TitleBar(Horizontal):
    """Title and badges."""

    def __init__(self) -> None:
        super().__init__(id="title-bar")

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        yield Static(t("tui.app_name"), id="title", markup=False)
        yield Badge(t("tui.badge_private"), TogglePrivate, id="badge-private")
        yield Badge(t("tui.badge_paused"), TogglePause, id="badge-memory")

    def show(self, title: str, *, private: bool, memory_mode: str) -> None:
        """Show the state of the conversation."""
        self.query_one("#title", Static).update(one_line(title) or t("tui.new_title"))
        self.query_one("#badge-private").display = private
        badge = self.query_one("#badge-memory", Badge)
        badge.display = memory_mode != "on" and not private
        badge.update(t("tui.badge_off") if memory_mode == "off" else t("tui.badge_paused"))
