"""The slash commands, as data: their names, and which of them fit what has been typed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from desk_assistant.i18n import t


@dataclass(frozen=True)
class Slash:
    """One command.

    Attributes:
        name: What is typed after the slash.
        argument: `none`, `optional` or `needed`.
    """

    name: str
    argument: str = "none"

    @property
    def summary(self) -> str:
        """What it does, in the interface language."""
        return t(f"tui.slash_{self.name}")

    @property
    def usage(self) -> str:
        """How it is written."""
        return f"/{self.name}" if self.argument == "none" else f"/{self.name} {t(f'tui.slash_{self.name}_argument')}"


COMMANDS: Final[tuple[Slash, ...]] = (
    Slash("help"),
    Slash("remember", "needed"),
    Slash("forget", "optional"),
    Slash("recall", "needed"),
    Slash("search", "optional"),
    Slash("memory", "optional"),
    Slash("private"),
    Slash("new"),
    Slash("title", "needed"),
    Slash("export", "optional"),
    Slash("import", "optional"),
    Slash("copy"),
    Slash("again"),
    Slash("continue"),
    Slash("model", "optional"),
    Slash("settings"),
    Slash("keys"),
    Slash("editor"),
    Slash("context"),
    Slash("undo"),
    Slash("log"),
    Slash("audit"),
    Slash("erased"),
    Slash("quit"),
)
_BY_NAME: Final = {command.name: command for command in COMMANDS}


def matching(text: str) -> tuple[Slash, ...]:
    """Return the commands that begin with what was typed, while it is still the name that is typed."""
    if not text.startswith("/") or any(character.isspace() for character in text):
        return ()
    return tuple(command for command in COMMANDS if command.name.startswith(text[1:].lower()))


def unknown(text: str) -> str:
    """Return the name that looks like a command and is none, or nothing.

    One line that begins with a slash and a plain word is meant as a command; a path has a second slash or a dot.
    """
    head, _, _ = text.strip().partition(" ")
    name = head[1:]
    if "\n" in text.strip() or not head.startswith("/") or not name.isalpha():
        return ""
    return "" if name.lower() in _BY_NAME else head


def parse(text: str) -> tuple[Slash, str] | None:
    """Return the command and its argument, or None when the text is an ordinary message.

    Only a first line of a known name is a command: a pasted path such as `/etc/hosts` is a message.
    """
    head, _, rest = text.strip().partition(" ")
    if not head.startswith("/"):
        return None
    command = _BY_NAME.get(head[1:].lower())
    return (command, rest.strip()) if command is not None else None
