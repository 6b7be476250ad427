"""Every word of the interface is in both catalogues, with the same placeholders, and every key has its label."""

from __future__ import annotations

import re
import string
import tomllib
from importlib import resources
from pathlib import Path

import desk_assistant.tui
from desk_assistant.tui import keymap, slash

_USED = re.compile(r"""t\(\s*f?["']tui\.([a-z_0-9]+)["'{]""")


def _catalogue(language: str) -> dict[str, str]:
    text = (resources.files("desk_assistant.i18n") / language / "tui.toml").read_text(encoding="utf-8")
    return {name: str(value) for name, value in tomllib.loads(text).items()}


def _placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


def test_both_languages_say_the_same_things() -> None:
    english, chinese = _catalogue("en"), _catalogue("zh")
    assert english.keys() == chinese.keys()
    # English puts the month's name into a date where Chinese has its number.
    differing = {k for k in english if _placeholders(english[k]) != _placeholders(chinese[k])}
    assert differing == {"date"}


def test_every_word_in_the_code_is_in_the_catalogue() -> None:
    known = _catalogue("en")
    missing = set()
    for file in Path(desk_assistant.tui.__path__[0]).rglob("*.py"):
        for name in _USED.findall(file.read_text(encoding="utf-8")):
            if name not in known and not any(entry.startswith(name) for entry in known if name.endswith("_")):
                missing.add(f"{file.name}: {name}")
    assert not missing


def test_every_key_and_command_has_words() -> None:
    known = _catalogue("en")
    assert all(f"key_{key.id}" in known for key in keymap.KEYS)
    assert all(f"slash_{command.name}" in known for command in slash.COMMANDS)
    assert all(f"slash_{c.name}_argument" in known for c in slash.COMMANDS if c.argument != "none")


def test_no_key_is_given_twice_in_one_place() -> None:
    for place in {key.place for key in keymap.KEYS}:
        keys = [name for key in keymap.keys_of(place) for name in key.keys.split(",")]
        assert len(keys) == len(set(keys))


def test_no_chinese_and_no_sentence_in_the_code() -> None:
    allowed = {"first_run.py", "cells.py"}  # a language's own name; ranges of characters
    for file in Path(desk_assistant.tui.__path__[0]).rglob("*.py"):
        if file.name not in allowed:
            assert not re.search(r"[\u4e00-\u9fff]", file.read_text(encoding="utf-8")), file
