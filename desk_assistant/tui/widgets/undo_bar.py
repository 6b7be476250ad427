"""The bar that offers to bring back what was just forgotten, while that is still possible."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button, Static

from desk_assistant.i18n import t
from desk_assistant.tui.cells import fit, one_line
from desk_assistant.tui.messages import UndoForget

QUOTED = 40
"""Cells of the forgotten words that are shown."""


class UndoBar(Horizontal):
    """One line with a button. It never takes the focus."""

    def __init__(self) -> None:
        super().__init__(id="undo-bar")
        self.display = False

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        yield Static("", id="undo-text", markup=False)
        button = Button(t("tui.undo_button"), id="undo-button", compact=True)
        button.can_focus = False
        yield button

    def offer(self, texts: tuple[str, ...], seconds: int) -> None:
        """Show what was forgotten and how long it can be brought back."""
        self.display = True
        first = fit(one_line(texts[0]), QUOTED).rstrip() if texts else ""
        key = "tui.forgotten_one" if len(texts) == 1 else "tui.forgotten_many"
        self.query_one("#undo-text", Static).update(t(key, text=first, count=len(texts), seconds=seconds))

    def close(self) -> None:
        """The time is over, or it was brought back."""
        self.display = False

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Bring it back."""
        event.stop()
        self.post_message(UndoForget())
