"""Message catalogue: every sentence a person reads, in English and Chinese, in parallel TOML files.

A key is `area.name`; `area` is the file (`en/models.toml`, `zh/models.toml`), `name` the entry. Adding a language is
adding a folder. Files are read on first use, so a command pays only for the areas it speaks of.

An entry that depends on a number is a table of plural forms, `{ one = "…", other = "…" }`; the form is chosen by the
language's own rule from the parameter `count`. A language without plurals writes a plain sentence.
"""

from __future__ import annotations

import locale
import os
import tomllib
from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Final

LANGUAGES: Final = ("en", "zh")
_current = "en"

COUNT: Final = "count"
"""The parameter that a plural form is chosen by."""

OTHER: Final = "other"
"""The form that every plural entry has."""

PLURAL_FORM: Final[Mapping[str, Callable[[int], str]]] = {
    "en": lambda count: "one" if count == 1 else OTHER,
    "zh": lambda _: OTHER,
}
"""Which form a number takes, by language; the names of the forms are those of Unicode CLDR."""

Entry = str | Mapping[str, str]


def set_language(choice: str) -> str:
    """Select the interface language.

    Args:
        choice: `"en"`, `"zh"` or `"auto"` (from the environment's locale, English when unknown).

    Returns:
        The language now in use.
    """
    global _current
    _current = choice if choice in LANGUAGES else _from_environment()
    return _current


def language() -> str:
    """Return the interface language in use, `"en"` or `"zh"`."""
    return _current


def t(key: str, /, **params: object) -> str:
    """Return the message for `key` in the current language, with `{placeholders}` filled from `params`.

    A key that is missing in the current language falls back to English; an unknown key raises `KeyError`, since it
    is a programming mistake that the tests must see.
    """
    return t_in(_current, key, **params)


def t_in(lang: str, key: str, /, **params: object) -> str:
    """Return the message for `key` in a given language: prompts follow the conversation, not the interface."""
    area, _, name = key.partition(".")
    entry = _area(lang, area).get(name)
    if entry is None:
        lang = "en"
        entry = _area(lang, area)[name]
    template = entry if isinstance(entry, str) else _plural(lang, entry, params.get(COUNT))
    return template.format(**params) if params else template


def counted(noun: str, count: int, /) -> str:
    """Return a number with its noun, for a sentence that names several counted things.

    Args:
        noun: Its name in the area `common`: `message`, `conversation`, `fact`, `episode` or `job`.
        count: How many.
    """
    return t(f"common.counted_{noun}", count=count)


def _plural(lang: str, forms: Mapping[str, str], count: object) -> str:
    form = PLURAL_FORM[lang](count) if isinstance(count, int) else OTHER
    return forms.get(form, forms[OTHER])


def has(key: str, /) -> bool:
    """Tell whether there is a message for `key`, for names that come from data."""
    area, _, name = key.partition(".")
    return name in _area("en", area)


@cache
def _area(lang: str, area: str) -> dict[str, Entry]:
    file = resources.files(__package__) / lang / f"{area}.toml"
    data = tomllib.loads(file.read_text(encoding="utf-8"))
    return {name: entry if isinstance(entry, dict) else str(entry) for name, entry in data.items()}


def _from_environment() -> str:
    for variable in ("LC_ALL", "LC_MESSAGES", "LANGUAGE", "LANG"):
        value = os.environ.get(variable)
        if value:
            return "zh" if value.lower().startswith("zh") else "en"
    try:
        name = locale.getlocale()[0] or ""
    except ValueError:
        name = ""
    return "zh" if name.lower().startswith(("zh", "chinese")) else "en"
