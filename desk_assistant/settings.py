"""Settings: declared once as a schema, kept in a TOML file that a person may edit by hand.

`SCHEMA` is the single source: defaults, types and limits are checked from it, the file's comments are written from
it, and a settings screen can be generated from it. Titles are in the message catalogue under `settings.<key>`.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

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
        table, _, name = self.key.rpartition(".")
        return i18n.t(f"settings.of_model_{name}" if table.startswith(f"{MODELS}.") else f"settings.{table}_{name}")

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
    Setting("interface.blink", True),
    # "auto" takes the installed starter that speaks the language of the conversation.
    Setting("model.name", "auto"),
    Setting("model.context", 4096, 512, 1_048_576),
    Setting("model.threads", 0, 0, 256),
    Setting("model.temperature", -1.0, -1.0, 2.0),  # -1: as the catalogue says
    Setting("model.thinking", False),  # where the model's template knows how
    Setting("memory.enabled", True),
    Setting("memory.paused", False),
    Setting("memory.max_exchanges", 2000, 0, 10_000_000),  # 0: no limit
    Setting("memory.max_age_days", 0, 0, 100_000),  # 0: age alone puts nothing aside
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

MODELS: Final = "models"
"""Table whose sub-tables, one a model, hold settings of that model alone: `[models."some-model"]`."""

MODEL_SCHEMA: Final[tuple[Setting, ...]] = (
    Setting("context", 4096, 512, 1_048_576),
    Setting("threads", 0, 0, 256),
    Setting("thinking", False),
    Setting("temperature", 0.7, 0.0, 2.0),
    Setting("top_p", 0.9, 0.0, 1.0),
    Setting("top_k", 40, 0, 1_000_000),
    Setting("min_p", 0.05, 0.0, 1.0),
    Setting("repeat_penalty", 1.1, 0.5, 2.0),
    Setting("max_tokens", 512, 16, 100_000),
)
"""What can be set for one model. What is not set follows the general setting, then the catalogue; a default here only
gives the type."""
_OF_MODEL: Final = {setting.key: setting for setting in MODEL_SCHEMA}


def setting_of(key: str) -> Setting | None:
    """Return the declaration of a key, None when there is no such setting."""
    table, _, name = key.rpartition(".")
    if table.startswith(f"{MODELS}.") and name in _OF_MODEL:
        return replace(_OF_MODEL[name], key=key)
    return _BY_KEY.get(key)


class Settings(Mapping[str, Value]):
    """The settings of one profile.

    Reading is by key (`settings["model.context"]`), or typed with `integer`, `number`, `text`, `flag`, `words`.
    """

    def __init__(self, path: Path | None = None, values: Mapping[str, object] | None = None) -> None:
        self.path = path
        self._values: dict[str, Value] = {}
        for key, value in (values or {}).items():
            if (setting := setting_of(key)) is not None:
                self._values[key] = setting.check(value)

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
        of_models = tables.pop(MODELS, {})
        for model, entries in of_models.items() if isinstance(of_models, dict) else ():
            tables[f"{MODELS}.{model}"] = entries
        flat = {
            f"{table}.{name}": value
            for table, entries in tables.items()
            if isinstance(entries, dict)
            for name, value in entries.items()
        }
        return cls(path, flat)

    def of_model(self, model_id: str) -> dict[str, Value]:
        """Return what is set for one model alone, by the names of `MODEL_SCHEMA`."""
        table = f"{MODELS}.{model_id}."
        return {key.removeprefix(table): value for key, value in self._values.items() if key.startswith(table)}

    def is_set(self, key: str) -> bool:
        """Tell whether a value was chosen, in the file or since, rather than being the default."""
        return key in self._values

    def unset(self, key: str) -> None:
        """Go back to the default of one setting, in memory and in the file.

        Raises:
            StorageError: The file cannot be written; the value is not changed.
        """
        if key in self._values:
            if self.path is not None:
                self._write(self.path, key, None)
            del self._values[key]

    def set(self, key: str, value: object) -> Value:
        """Check and store one value, in memory and in the file, keeping the file's comments and unknown entries.

        Args:
            key: A key of `SCHEMA`, or `models.<id>.<name>` for a name of `MODEL_SCHEMA`.
            value: The value, or how it is written.

        Raises:
            InputError: Unknown key or a value that is not allowed.
            StorageError: The file cannot be written; the value is not changed.
        """
        setting = setting_of(key)
        if setting is None:
            known = _OF_MODEL if key.startswith(f"{MODELS}.") else _BY_KEY
            raise InputError("settings.unknown", key=key, known=", ".join(known))
        checked = setting.check(value)
        if self.path is not None:
            self._write(self.path, key, checked)
        self._values[key] = checked
        return checked

    def _write(self, path: Path, key: str, value: Value | None) -> None:
        # Only writing needs it, and it takes its time to import.
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        table, _, name = key.rpartition(".")  # a model's id may contain dots, a setting's name does not
        try:
            text = path.read_text(encoding="utf-8") if path.exists() else ""
            document = tomlkit.parse(text)
            place: MutableMapping[str, Any] = document
            for part in (MODELS, table.removeprefix(f"{MODELS}.")) if table.startswith(f"{MODELS}.") else (table,):
                if part not in place:
                    place[part] = tomlkit.table(is_super_table=part == MODELS)
                place = place[part]
            if value is None:
                place.pop(name, None)
            else:
                place[name] = value
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
