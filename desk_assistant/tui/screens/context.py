"""What fills the model's window: the parts of the last prompt, each with its share."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Footer, Static

from desk_assistant.assistant.events import PromptParts
from desk_assistant.i18n import t
from desk_assistant.tui.cells import fit
from desk_assistant.tui.screens.dialog import Dialog

PARTS: Final = ("persona", "profile", "history", "recalled", "message", "answer")
LABEL_CELLS: Final = 20
BAR_CELLS: Final = 30


class ContextScreen(Dialog[None]):
    """One line a part, and one for what is free.

    Args:
        parts: The parts of the last prompt; None before the first.
    """

    def __init__(self, parts: PromptParts | None) -> None:
        super().__init__(classes="context-screen")
        self._parts = parts

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog"):
            if self._parts is None:
                yield Static(t("screens.context_empty"), markup=False)
            else:
                yield Static(t("tui.parts_heading", context=f"{self._parts.context:,}"), classes="dialog-title")
                yield Static("\n".join(lines(self._parts)), id="context-parts", markup=False)
                if self._parts.left_out:
                    yield Static(t("tui.left_out", count=self._parts.left_out), classes="dialog-hint", markup=False)
            with Horizontal(classes="dialog-buttons"):
                yield Button(t("tui.close"), id="close", compact=True)
        yield Footer(compact=True, show_command_palette=False)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Close."""
        event.stop()
        self.dismiss(None)


def lines(parts: PromptParts) -> list[str]:
    """Return one line a part: its name, its share as a bar, its tokens."""
    tokens = {name: int(getattr(parts, name)) for name in PARTS}
    tokens["free"] = max(0, parts.context - sum(tokens.values()))
    made = []
    for name, count in tokens.items():
        filled = round(BAR_CELLS * count / max(1, parts.context))
        bar = "█" * filled + "░" * (BAR_CELLS - filled)
        made.append(f"{fit(t(f'tui.part_{name}'), LABEL_CELLS)} {bar} {count:>8,}")
    return made
