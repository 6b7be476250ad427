"""F1: every key and slash command, made from the same tables that bind them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Final

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.widgets import Button, Footer, Static

from desk_assistant.i18n import t
from desk_assistant.tui import keymap, slash
from desk_assistant.tui.flows.workbench import Workbench
from desk_assistant.tui.screens.dialog import Dialog, MarkedScroll

if TYPE_CHECKING:
    from desk_assistant.tui.app import DeskApp

PLACES: Final = tuple(dict.fromkeys(key.place for key in keymap.KEYS))
COLUMN_LIMIT: Final = 34
"""Cells of the column of keys, at most."""


class HelpScreen(Dialog[None]):
    """One scrolling page.

    Args:
        desk: The app.
    """

    BINDINGS: ClassVar[list[BindingType]] = [("k", "change_keys")]

    def __init__(self, desk: DeskApp) -> None:
        super().__init__(classes="help-screen")
        self._desk = desk

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog -large"):
            yield Static(t("tui.help_title"), classes="dialog-title")
            with MarkedScroll(id="help-page"):
                yield Static(t("tui.help_intro"), markup=False)
                yield Button(t("screens.help_change"), action="screen.change_keys", compact=True, id="change-keys")
                for place in PLACES:
                    yield Static(t(f"tui.place_{place}"), classes="section", markup=False)
                    yield Static(_columns(self._rows(place)), markup=False)
                yield Static(t("tui.help_slash"), classes="section", markup=False)
                yield Static(_columns([(c.usage, c.summary) for c in slash.COMMANDS]), markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Let the arrow keys scroll the page."""
        self.query_one("#help-page").focus()

    def action_change_keys(self) -> None:
        """Show the keys, to be changed."""
        self._desk.attempt(Workbench(self._desk).run("keys"))
        self.dismiss(None)

    def _rows(self, place: keymap.Place) -> list[tuple[str, str]]:
        custom = self._desk.custom_keys
        extra = [(t("tui.help_enter"), t("tui.help_sends"))] if place == "composer" else []
        extra += [("PgUp / PgDn", t("screens.help_scrolls"))] if place == "composer" else []
        return extra + [(keymap.shown(key.keys, custom.get(key.id)), key.label) for key in keymap.keys_of(place)]


def _columns(rows: Sequence[tuple[str, str]]) -> Table:
    """Return keys and what they do; a long text goes on below its own beginning."""
    table = Table.grid(padding=(0, 2, 0, 0))
    widest = max(cell_len(keys) for keys, _ in rows)
    table.add_column(width=min(widest, COLUMN_LIMIT), overflow="fold")
    table.add_column(overflow="fold")
    for keys, label in rows:
        table.add_row(Text(keys), Text(label))
    return table
