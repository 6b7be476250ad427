"""What can be done with the message that has the focus, as words to click, each with its key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

from rich.markup import escape
from textual.widget import Widget
from textual.widgets import Static

from desk_assistant.i18n import t
from desk_assistant.tui import keymap

if TYPE_CHECKING:
    from desk_assistant.tui.app import DeskApp


class TurnActions(Static):
    """A line of links below a message. The message itself has the actions.

    Args:
        ids: Ids of the keys in the key map, in the order shown.
    """

    DEFAULT_CSS = """
    TurnActions { height: auto; color: $text-muted; link-style: underline; link-color: $text-primary; }
    """

    def __init__(self, ids: Sequence[str]) -> None:
        super().__init__("", classes="turn-actions")
        self._ids = ids

    def on_mount(self) -> None:
        """Name each with the key that works now."""
        custom = cast("DeskApp", self.app).custom_keys
        keys = {key.id: key for key in keymap.keys_of("turn")}
        links = []
        for name in self._ids:
            key = keys[name]
            label = f"{t(f'screens.{name}')} ({keymap.shown(key.keys, custom.get(name))})"
            links.append(f"[@click=act('{key.action}')]{escape(label)}[/]")
        self.update("  ".join(links))

    async def action_act(self, name: str) -> None:
        """Do it with the message."""
        turn = self.parent
        if isinstance(turn, Widget):
            await turn.run_action(name)
