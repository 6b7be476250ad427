"""The first frame: what one sees, and can type into, while the profile is being opened."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.screen import Screen
from textual.widgets import Static

from desk_assistant.i18n import t
from desk_assistant.tui.widgets.composer import Composer, Entry

if TYPE_CHECKING:
    from desk_assistant.tui.app import DeskApp
    from desk_assistant.tui.typed import SendText


class StartScreen(Screen[None]):
    """The chat's outline with a composer that works.

    It imports nothing that the frame does not show. The chat takes its place as soon as the profile is open, with what
    was typed.

    Attributes:
        sent: The message that was sent already; it goes out when there is somewhere to keep it.
    """

    AUTO_FOCUS = "#composer"

    def __init__(self) -> None:
        super().__init__()
        self.sent = ""

    def compose(self) -> ComposeResult:
        """Lay out the outline."""
        yield Static(t("tui.app_name"), classes="start-title", markup=False)
        with Horizontal(id="body"):
            yield Static(classes="start-left")
            with Vertical(id="chat"):
                yield Static("", id="start-room", markup=False)
                yield Entry(id="entry")
            yield Static(classes="start-right")
        yield Static(t("tui.opening"), id="start-state", markup=False)

    def on_mount(self) -> None:
        """Open the profile once this is drawn."""
        self.call_after_refresh(cast("DeskApp", self.app).open_profile)

    @property
    def draft(self) -> str:
        """What is typed and not sent."""
        return self.query_one(Composer).content

    def on_send_text(self, event: SendText) -> None:
        """Keep the message until it can be stored; what is typed after it waits as well."""
        event.stop()
        self.sent = event.text
        self.query_one(Composer).sent(event.text)
        self.query_one("#start-state", Static).update(t("tui.opening_sends"))
        cast("DeskApp", self.app).hold_keys()
