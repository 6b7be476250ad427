"""The bar that offers to take back what was just done, and says when something was erased."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.timer import Timer
from textual.widgets import Button, Static

from desk_assistant.i18n import t
from desk_assistant.tui.messages import ShowErased, UndoForget

REPORT_SECONDS: Final = 30.0
"""How long it says that something was erased."""


class UndoBar(Horizontal):
    """One line with a button. It never takes the focus: F6 and a command do the same."""

    def __init__(self) -> None:
        super().__init__(id="undo-bar")
        self.display = False
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        yield Static("", id="undo-text", markup=False)
        for button in (
            Button(t("tui.undo_button"), id="undo-button", compact=True),
            Button(t("panel.erased_details"), id="erased-button", compact=True),
        ):
            button.can_focus = False
            yield button

    def offer(self, sentence: str) -> None:
        """Say what can be taken back."""
        self._show(sentence, "undo-button")

    def report(self, sentence: str) -> None:
        """Say that something was erased, with the way to the details."""
        self._show(sentence, "erased-button")
        self._timer = self.set_timer(REPORT_SECONDS, self.close)

    def close(self) -> None:
        """The time is over, or it was taken back."""
        self._stop_timer()
        self.display = False

    def _show(self, sentence: str, button: str) -> None:
        self._stop_timer()
        self.display = True
        self.query_one("#undo-text", Static).update(sentence)
        for each in self.query(Button):
            each.display = each.id == button

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Take it back, or show what was erased."""
        event.stop()
        self.post_message(ShowErased() if event.button.id == "erased-button" else UndoForget())
