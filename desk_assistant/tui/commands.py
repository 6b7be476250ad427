"""The command palette: everything the main screen can do, by name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final, cast

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.types import IgnoreReturnCallbackType

from desk_assistant.i18n import t
from desk_assistant.tui import keymap

if TYPE_CHECKING:
    from desk_assistant.tui.app import DeskApp


MORE: Final = ("theme", "language", "keys", "context", "continue", "quit")
"""Lines of the palette about the program itself, shown last."""


@dataclass(frozen=True)
class Entry:
    """One line of the palette."""

    title: str
    help: str
    run: IgnoreReturnCallbackType


class DeskCommands(Provider):
    """Actions with a key, then those without one."""

    def _entries(self) -> Iterator[Entry]:
        app = cast("DeskApp", self.app)
        for key in keymap.keys_of("main"):
            if key.id == "palette":
                continue
            keys = keymap.shown(key.keys, app.custom_keys.get(key.id))
            yield Entry(key.label, keys, partial(self.screen.run_action, key.action))
        for name in ("forget", "erased", "audit", "log", "export", "export_all", "import", *MORE):
            yield Entry(t(f"tui.palette_{name}"), "", partial(self.screen.run_action, f"palette('{name}')"))

    async def discover(self) -> Hits:
        """Yield every command, before anything is typed."""
        for entry in self._entries():
            yield DiscoveryHit(entry.title, entry.run, help=entry.help)

    async def search(self, query: str) -> Hits:
        """Yield the commands that match."""
        matcher = self.matcher(query)
        for entry in self._entries():
            score = matcher.match(entry.title)
            if score > 0:
                yield Hit(score, matcher.highlight(entry.title), entry.run, help=entry.help)
