"""A person's own keys: which may be taken, which collide, and how they are written down."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from desk_assistant import atomic
from desk_assistant.errors import InputError, StorageError
from desk_assistant.tui.keymap import KEYS, Key, Place

RESERVED: Final = frozenset({"tab", "shift+tab", "ctrl+q", "ctrl+c", "enter"})
"""Keys that keep their meaning: going from part to part, quitting, copying, sending."""

TYPING: Final[frozenset[Place]] = frozenset({"main", "composer"})
"""Places where a plain character is text that is being typed."""

DIALOGS: Final[frozenset[Place]] = frozenset({"detail", "insight", "forget", "copies", "models", "dialog"})
"""Places that lie over the main screen; its keys do not work there, and Escape closes each."""


def keys_in_use(key: Key, custom: Mapping[str, str]) -> tuple[str, ...]:
    """Return the names of the keys that do something, as things are set."""
    return tuple(name.strip() for name in custom.get(key.id, key.keys).split(","))


def collision(changed: Key, name: str, custom: Mapping[str, str]) -> Key | None:
    """Return what a key does already in a place where the changed one would work too; None when it is free."""
    for other in KEYS:
        if other.id != changed.id and _meet(changed.place, other.place) and name in keys_in_use(other, custom):
            return other
    return None


def check(changed: Key, name: str, custom: Mapping[str, str]) -> None:
    """Check that a key can be given to something.

    Raises:
        InputError: It keeps its own meaning, is needed for typing, or does something else already.
    """
    if name in RESERVED:
        raise InputError("screens.key_reserved", key=name)
    if changed.place in TYPING and "+" not in name and (len(name) == 1 or name in ("space", "slash", "backspace")):
        raise InputError("screens.key_is_text", key=name)
    other = collision(changed, name, custom)
    if other is not None:
        raise InputError("screens.key_taken", key=name, label=other.label)


def _meet(one: Place, other: Place) -> bool:
    if one == other:
        return True
    if "dialog" in (one, other):
        return one in DIALOGS and other in DIALOGS
    # The keys of the main screen work wherever in it one is.
    return "main" in (one, other) and not {one, other} & DIALOGS


def save(path: Path, custom: Mapping[str, str]) -> None:
    """Write a person's keys, keeping the comments of the file; ids that are not in `custom` are taken out.

    Raises:
        StorageError: The file cannot be read or written.
    """
    import tomlkit
    from tomlkit.exceptions import TOMLKitError

    try:
        document = tomlkit.parse(path.read_text(encoding="utf-8")) if path.exists() else tomlkit.document()
        for name in [name for name in document if name not in custom]:
            del document[name]
        for name, keys in custom.items():
            if document.get(name) != keys:
                document[name] = keys
        atomic.write_text(path, tomlkit.dumps(document))
    except (OSError, TOMLKitError, UnicodeDecodeError) as error:
        raise StorageError("screens.keys_unwritable", path=path, reason=error, cause=repr(error)) from error
