"""Settings: declared once as a schema, kept in a TOML file that a person may edit by hand.

`SCHEMA` is the single source: defaults, types and limits are checked from it, the file's comments are written from
it, and a settings screen can be generated from it. Titles are in the message catalogue under `settings.<key>`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import tomlkit
from tomlkit.exceptions import TOMLKitError

from desk_assistant import atomic, i18n
from desk_assistant.errors import InputError, StorageError

Value = bool | int | float | str | list[str]


@dataclass(frozen=True)
class Setting:
    """One setting.

    Attributes:
        key: Dotted name; the part before the dot is the TOML table.
        default: Value when the file says nothing; its type is the setting's type.
        minimum: Smallest number allowed.
        maximum: Largest number allowed.
        choices: Allowed words, empty when free.
    """

    key: str
    default: Value
    minimum: float | None = None
    maximum: float | None = None
    choices: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The setting's name in the interface language."""
        return i18n.t(f"settings.{self.key.replace('.', '_')}")

    def check(self, value: object) -> Value:
        """Return `value` in the setting's type.

        Raises:
            InputError: The value has another type, is out of range or not among the choices.
        """
        parsed = _coerce(value, self.default)
        if parsed is None:
            raise InputError("settings.bad_type", key=self.key, value=value, example=self.default)
        if self.choices and parsed not in self.choices:
            raise InputError("settings.bad_choice", key=self.key, value=value, choices=", ".join(self.choices))
        if isinstance(parsed, int | float) and not isinstance(parsed, bool):
            low, high = self.minimum, self.maximum
            if (low is not None and parsed < low) or (high is not None and parsed > high):
                raise InputError("settings.out_of_range", key=self.key, value=value, low=low, high=high)
        return parsed


def _coerce(value: object, like: Value) -> Value | None:
    """Return `value` as the type of `like`, or None when it is something else; words are read as a shell gives them."""
    if isinstance(like, bool):
        if isinstance(value, bool):
            return value
        return {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}.get(
            str(value).strip().lower()
        )
    if isinstance(like, list):
        if isinstance(value, list) and all(isinstance(item, str) for item in value):
            return [str(item) for item in value]
        if isinstance(value, str):
            return [part.strip() for part in value.split(",") if part.strip()]
        return None
    if isinstance(like, str):
        return value if isinstance(value, str) else None
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        return int(value) if isinstance(like, int) and float(value) == int(float(value)) else float(value)
    except (ValueError, OverflowError):
        return None


SCHEMA: Final[tuple[Setting, ...]] = (
    Setting("interface.language", "auto", choices=("auto", "en", "zh")),
    Setting("interface.theme", "textual-dark"),
    # "auto" takes the installed starter that speaks the language of the conversation.
    Setting("model.name", "auto"),
    Setting("model.context", 4096, 512, 1_048_576),
    Setting("model.threads", 0, 0, 256),
    Setting("model.temperature", -1.0, -1.0, 2.0),  # -1: as the catalogue says
    Setting("memory.enabled", True),
    Setting("memory.paused", False),
    # Token budgets of the prompt's parts, in tokens of the model in use.
    Setting("prompt.profile_tokens", 800, 0, 100_000),
    Setting("prompt.episode_tokens", 1000, 0, 100_000),
    Setting("prompt.answer_tokens", 512, 16, 100_000),
    Setting("prompt.persona", ""),
    Setting("working.max_messages", 60, 2, 10_000),
    Setting("recall.max_items", 5, 0, 50),
    Setting("recall.threshold", 0.5, 0.0, 1.0),
    Setting("privacy.allow", []),
    Setting("forget.undo_seconds", 8, 0, 120),
)
_BY_KEY: Final = {setting.key: setting for setting in SCHEMA}


class Settings(Mapping[str, Value]):
    """The settings of one profile.

    Reading is by key (`settings["model.context"]`), or typed with `integer`, `number`, `text`, `flag`, `words`.
    """

    def __init__(self, path: Path | None = None, values: Mapping[str, object] | None = None) -> None:
        self.path = path
        self._values: dict[str, Value] = {
            key: _BY_KEY[key].check(value) for key, value in (values or {}).items() if key in _BY_KEY
        }

    @classmethod
    def load(cls, path: Path) -> Settings:
        """Read the settings file; a missing one means defaults.

        Raises:
            InputError: The file is not TOML, or a value in it is not allowed. The file is left as it is.
            StorageError: The file cannot be read.
        """
        try:
            tables = tomllib.loads(path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return cls(path)
        except OSError as error:
            raise StorageError("settings.unreadable", path=path, reason=error.strerror or error) from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise InputError("settings.not_toml", path=path, reason=error) from error
        flat = {
            f"{table}.{name}": value
            for table, entries in tables.items()
            if isinstance(entries, dict)
            for name, value in entries.items()
        }
        return cls(path, flat)

    def set(self, key: str, value: object) -> Value:
        """Check and store one value, in memory and in the file, keeping the file's comments and unknown entries.

        Raises:
            InputError: Unknown key or a value that is not allowed.
            StorageError: The file cannot be written; the value is not changed.
        """
        if key not in _BY_KEY:
            raise InputError("settings.unknown", key=key, known=", ".join(_BY_KEY))
        checked = _BY_KEY[key].check(value)
        if self.path is not None:
            self._write(self.path, key, checked)
        self._values[key] = checked
        return checked

    def _write(self, path: Path, key: str, value: Value) -> None:
        table, _, name = key.partition(".")
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            document = tomlkit.parse(text)
            if table not in document:
                document[table] = tomlkit.table()
            document[table][name] = value
            atomic.write_text(path, tomlkit.dumps(document))
        except (OSError, TOMLKitError, UnicodeDecodeError) as error:
            raise StorageError("settings.unwritable", path=path, reason=error, cause=repr(error)) from error

    def __getitem__(self, key: str) -> Value:
        return self._values.get(key, _BY_KEY[key].default)

    def __iter__(self) -> Iterator[str]:
        return iter(_BY_KEY)

    def __len__(self) -> int:
        return len(_BY_KEY)

    def integer(self, key: str) -> int:
        """Return a whole number."""
        value = self[key]
        assert isinstance(value, int)
        return value

    def number(self, key: str) -> float:
        """Return a number."""
        value = self[key]
        assert isinstance(value, int | float)
        return float(value)

    def text(self, key: str) -> str:
        """Return a word or text."""
        value = self[key]
        assert isinstance(value, str)
        return value

    def flag(self, key: str) -> bool:
        """Return a switch."""
        value = self[key]
        assert isinstance(value, bool)
        return value

    def words(self, key: str) -> tuple[str, ...]:
        """Return a list of words."""
        value = self[key]
        assert isinstance(value, list)
        return tuple(value)
