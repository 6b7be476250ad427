"""Every key of the interface, as data: the bindings, the footer and the help page are all made from `KEYS`.

A person's own keys are read from `keys.toml` in the profile's folder: a line `id = "key[,key]"` for an id of the
table.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from textual.binding import Binding, BindingsMap
from textual.dom import DOMNode

from desk_assistant import i18n
from desk_assistant.errors import InputError, StorageError

Place = Literal[
    "main",
    "composer",
    "turn",
    "sessions",
    "memory",
    "graph",
    "detail",
    "insight",
    "forget",
    "copies",
    "models",
    "keys",
    "dialog",
]


@dataclass(frozen=True)
class Key:
    """One thing a key does.

    Attributes:
        id: Name by which it is remapped; its label is the message `tui.key_<id>`.
        keys: Key names of Textual, comma separated; the first is shown.
        action: Textual action of the node that carries the binding.
        place: Where the key works.
        show: Whether the footer shows it.
        priority: Works even when a focused text field knows the key too.
    """

    id: str
    keys: str
    action: str
    place: Place
    show: bool = False
    priority: bool = False

    @property
    def label(self) -> str:
        """What it does, in the interface language."""
        return i18n.t(f"tui.key_{self.id}")


KEYS: Final[tuple[Key, ...]] = (
    Key("help", "f1", "help", "main", show=True, priority=True),
    Key("sessions", "f2", "toggle_sessions", "main", show=True, priority=True),
    Key("memory", "f3", "toggle_memory", "main", show=True, priority=True),
    Key("private", "f4,ctrl+shift+p", "private", "main", show=True, priority=True),
    Key("pause", "f5", "pause_memory", "main", show=True, priority=True),
    Key("undo", "f6", "undo", "main", show=True, priority=True),
    Key("search", "f7", "search", "main", priority=True),
    Key("models", "f8", "models", "main", priority=True),
    Key("settings", "f9", "settings", "main", priority=True),
    Key("new", "ctrl+n", "new", "main", show=True, priority=True),
    Key("regenerate", "ctrl+r", "regenerate", "main", priority=True),
    Key("stop", "escape", "back", "main", show=True),
    Key("palette", "ctrl+p", "app.command_palette", "main", show=True, priority=True),
    Key("copy_answer", "ctrl+o", "copy_answer", "main", priority=True),
    Key("editor", "ctrl+g", "palette('editor')", "main", priority=True),
    Key("newline", "ctrl+j,shift+enter,alt+enter", "newline", "composer"),
    Key("turn_copy", "c", "copy", "turn"),
    Key("turn_copy_code", "b", "copy_code", "turn"),
    Key("turn_again", "a", "again", "turn"),
    Key("turn_continue", "g", "go_on", "turn"),
    Key("turn_remember", "r", "remember", "turn"),
    Key("turn_forget", "d", "forget", "turn"),
    Key("turn_edit", "e", "edit", "turn"),
    Key("turn_other", "left,right", "other", "turn"),
    Key("session_open", "enter", "open", "sessions"),
    Key("session_rename", "r", "rename", "sessions"),
    Key("session_pin", "p", "pin", "sessions"),
    Key("session_delete", "d,delete", "delete", "sessions"),
    Key("session_export", "x", "export", "sessions"),
    Key("session_export_all", "X", "export_all", "sessions"),
    Key("record_open", "enter", "open", "memory"),
    Key("record_filter", "slash", "filter", "memory"),
    Key("record_add", "a", "add", "memory"),
    Key("record_edit", "e", "edit", "memory"),
    Key("record_pin", "p", "pin", "memory"),
    Key("record_confirm", "c", "confirm", "memory"),
    Key("record_forget", "d,delete", "forget", "memory"),
    Key("record_mark", "space", "mark", "memory"),
    Key("record_settle", "x", "settle", "memory"),
    Key("record_forget_more", "f", "forget_more", "memory"),
    Key("tab_left", "left", "tab(-1)", "memory"),
    Key("tab_right", "right", "tab(1)", "memory"),
    Key("graph_back", "backspace", "ask('back')", "graph"),
    Key("graph_home", "h", "ask('home')", "graph"),
    Key("graph_fact", "o", "ask('fact')", "graph"),
    Key("graph_path", "w", "ask('path')", "graph"),
    Key("graph_join", "m", "ask('join')", "graph"),
    Key("graph_part", "u", "ask('part')", "graph"),
    Key("insight_dismiss", "x", "dismiss_insight", "insight", show=True),
    Key("forget_accept", "ctrl+s", "accept", "forget", show=True, priority=True),
    Key("forget_leave_out", "x", "leave_out", "forget", show=True),
    Key("copies_delete", "d,delete", "delete_copies", "copies", show=True),
    Key("detail_edit", "e", "edit", "detail", show=True),
    Key("detail_pin", "p", "pin", "detail", show=True),
    Key("detail_confirm", "c", "confirm", "detail", show=True),
    Key("detail_settle", "x", "settle", "detail", show=True),
    Key("detail_forget", "d,delete", "forget", "detail", show=True),
    Key("detail_goto", "g", "goto", "detail", show=True),
    Key("model_use", "enter", "use", "models"),
    Key("model_install", "i", "install", "models", show=True),
    Key("model_import", "a", "import", "models", show=True),
    Key("model_verify", "v", "verify", "models", show=True),
    Key("model_configure", "s", "configure", "models", show=True),
    Key("model_remove", "d,delete", "remove", "models", show=True),
    Key("model_stop", "x", "stop_job", "models"),
    Key("key_standard", "d,delete", "standard", "keys", show=True),
    Key("close", "escape", "close", "dialog", show=True),
)


def keys_of(place: Place) -> tuple[Key, ...]:
    """Return the keys that work in one place, in the order help shows them."""
    return tuple(key for key in KEYS if key.place == place)


def bind(node: DOMNode, *places: Place) -> None:
    """Give a widget or screen the bindings of `places`, labelled in the interface language of this moment.

    Textual reads class-level bindings once, when the class is made, before a language is chosen; hence this.
    """
    bindings = [
        Binding(key.keys, key.action, key.label, show=key.show, priority=key.priority, id=key.id)
        for place in places
        for key in keys_of(place)
    ]
    node._bindings = BindingsMap.merge([node._bindings, BindingsMap(bindings)])


def shown(keys: str, custom: str | None = None) -> str:
    """Return key names as people read them: `ctrl+n` as `Ctrl+N`."""
    names = {"slash": "/", "escape": "Esc", "pageup": "PgUp", "pagedown": "PgDn", "space": "Space"}
    names |= {f"f{number}": f"F{number}" for number in range(1, 25)}
    names |= {name: name.capitalize() for name in ("enter", "delete", "backspace")}
    names |= {"left": "←", "right": "→", "up": "↑", "down": "↓"}
    parts = [
        "+".join(names.get(part, part if part == key else part.capitalize()) for part in key.split("+"))
        for key in map(str.strip, (custom or keys).split(","))
    ]
    return " / ".join(parts)


def load_custom(path: Path) -> Mapping[str, str]:
    """Read a person's own keys.

    Returns:
        Key names by id, empty when there is no such file.

    Raises:
        InputError: The file is not TOML or names something that has no key.
        StorageError: The file cannot be read.
    """
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StorageError("tui.keys_unreadable", path=path, reason=error.strerror or error) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise InputError("tui.keys_bad", path=path, reason=error) from error
    known = {key.id for key in KEYS}
    unknown = _first_unknown(table.items(), known)
    if unknown is not None:
        raise InputError("tui.keys_bad", path=path, reason=unknown)
    return {name: str(keys) for name, keys in table.items()}


def _first_unknown(entries: Iterable[tuple[str, object]], known: set[str]) -> str | None:
    for name, keys in entries:
        if name not in known or not isinstance(keys, str) or not keys.strip():
            return name
    return None
