"""F1: every key and slash command, made from the same tables that bind them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Footer, Static

from desk_assistant.i18n import t
from desk_assistant.tui import keymap, slash
from desk_assistant.tui.cells import fit
from desk_assistant.tui.screens.dialog import Dialog, MarkedScroll

PLACES: Final[tuple[keymap.Place, ...]] = (
    "main",
    "composer",
    "turn",
    "sessions",
    "memory",
    "graph",
    "detail",
    "models",
)
KEY_CELLS: Final = 24


class HelpScreen(Dialog[None]):
    """One scrolling page."""

    def __init__(self, custom: Mapping[str, str]) -> None:
        super().__init__(classes="help-screen")
        self._custom = custom

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog -large"):
            yield Static(t("tui.help_title"), classes="dialog-title")
            with MarkedScroll(id="help-page"):
                yield Static(t("tui.help_intro"), markup=False)
                for place in PLACES:
                    yield Static(t(f"tui.place_{place}"), classes="section", markup=False)
                    yield Static("\n".join(self._lines(place)), markup=False)
                yield Static(t("tui.help_slash"), classes="section", markup=False)
                yield Static(
                    "\n".join(f"{fit(command.usage, KEY_CELLS)} {command.summary}" for command in slash.COMMANDS),
                    markup=False,
                )
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Let the arrow keys scroll the page."""
        self.query_one("#help-page").focus()

    def _lines(self, place: keymap.Place) -> list[str]:
        extra = [(t("tui.help_enter"), t("tui.help_sends"))] if place == "composer" else []
        rows = extra + [(keymap.shown(key.keys, self._custom.get(key.id)), key.label) for key in keymap.keys_of(place)]
        return [f"{fit(keys, KEY_CELLS)} {label}" for keys, label in rows]
