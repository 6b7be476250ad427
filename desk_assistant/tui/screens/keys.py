"""The keys, to be changed: every one of the key map, with what it does and where."""

from __future__ import annotations

import asyncio
from itertools import groupby
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Footer, Static

from desk_assistant.errors import InputError
from desk_assistant.i18n import t
from desk_assistant.tui import custom_keys, keymap
from desk_assistant.tui.screens.dialog import Dialog
from desk_assistant.tui.widgets.row_list import Row, RowList

if TYPE_CHECKING:
    from desk_assistant.tui.app import DeskApp

CHANGED = "✎"


class KeyCatcher(Static, can_focus=True):
    """Takes the next key that is pressed, whatever it is."""

    async def on_key(self, event: events.Key) -> None:
        """Hand the key to the dialog."""
        event.stop()
        event.prevent_default()
        if isinstance(self.screen, CatchDialog):
            self.screen.caught(event.key)


class CatchDialog(Dialog[str]):
    """Waits for a key. Returns its name once it is one that can be taken.

    Args:
        key: What the key shall do.
        custom: The person's keys as they are.
    """

    def __init__(self, key: keymap.Key, custom: dict[str, str]) -> None:
        super().__init__()
        self._key = key
        self._custom = custom

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog"):
            yield Static(self._key.label, classes="dialog-title", markup=False)
            yield KeyCatcher(t("screens.press_key"), id="key-catcher", markup=False)
            yield Static("", id="key-trouble", markup=False)
            with Horizontal(classes="dialog-buttons"):
                yield Button(t("tui.cancel"), id="cancel")

    def on_mount(self) -> None:
        """Listen."""
        self.query_one(KeyCatcher).focus()

    def caught(self, name: str) -> None:
        """Take a key, or say why it cannot be taken; Escape goes back."""
        if name == "escape":
            self.dismiss(None)
            return
        try:
            custom_keys.check(self._key, name, self._custom)
        except InputError as error:
            self.query_one("#key-trouble", Static).update(str(error))
            return
        self.dismiss(name)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Go back."""
        event.stop()
        self.dismiss(None)


class KeysScreen(Dialog[None]):
    """Enter or a click on a row asks for its new key; what is changed works at once.

    Args:
        desk: The app.
    """

    def __init__(self, desk: DeskApp) -> None:
        super().__init__(classes="keys-screen")
        keymap.bind(self, "keys")
        self._desk = desk
        self._path = desk.locations.home / "keys.toml"

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog -large"):
            yield Static(t("screens.keys_title"), classes="dialog-title")
            yield RowList(id="key-list")
            with Horizontal(classes="panel-buttons"):
                yield Button(t("screens.key_change"), action="screen.change", compact=True, id="key-change")
                yield Button(t("screens.key_standard"), action="screen.standard", compact=True, id="key-standard")
            yield Static(t("screens.keys_where", path=self._path), classes="dialog-hint", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Show the keys."""
        self._fill()
        self.query_one(RowList).focus()

    def _fill(self) -> None:
        rows: list[Row] = []
        custom = self._desk.custom_keys
        for place, keys in groupby(keymap.KEYS, key=lambda key: key.place):
            rows.append(Row("", t(f"tui.place_{place}")))
            for key in keys:
                mark = CHANGED if key.id in custom else ""
                rows.append(Row(key.id, f"{keymap.shown(key.keys, custom.get(key.id))}  ·  {key.label}", mark=mark))
        self.query_one(RowList).set_rows(rows)

    def _chosen(self) -> keymap.Key | None:
        row = self.query_one(RowList).current
        return next((key for key in keymap.KEYS if row is not None and key.id == row.id), None)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Ask for another key."""
        event.stop()
        self.action_change()

    def action_change(self) -> None:
        """Ask for another key for the chosen row."""
        key = self._chosen()
        if key is not None:
            self._desk.attempt(self._change(key))

    def action_standard(self) -> None:
        """Give the chosen row its standard keys again."""
        key = self._chosen()
        if key is not None and key.id in self._desk.custom_keys:
            self._desk.attempt(self._take({k: v for k, v in self._desk.custom_keys.items() if k != key.id}))

    async def _change(self, key: keymap.Key) -> None:
        name = await self._desk.ask(CatchDialog(key, dict(self._desk.custom_keys)))
        if name is not None:
            await self._take({**self._desk.custom_keys, key.id: name})

    async def _take(self, custom: dict[str, str]) -> None:
        await asyncio.to_thread(custom_keys.save, self._path, custom)
        self._desk.custom_keys = custom
        # A key that goes back to the standard is set to it, since the app only hears of what differs.
        standard = {key.id: key.keys for key in keymap.KEYS}
        self._desk.set_keymap({**standard, **custom})
        self._fill()
