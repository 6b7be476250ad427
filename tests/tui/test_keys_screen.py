"""Keys are changed in the app, checked for collisions, and kept in a file a person can edit."""

from __future__ import annotations

from pathlib import Path

import pytest

from desk_assistant.errors import InputError
from desk_assistant.tui import custom_keys, keymap
from desk_assistant.tui.screens.keys import CatchDialog, KeysScreen
from desk_assistant.tui.widgets.row_list import RowList
from tests.tui.conftest import StartDesk

KEYS = {key.id: key for key in keymap.KEYS}


@pytest.mark.parametrize(
    ("name", "key", "sentence"),
    [
        ("models", "f9", "taken: Settings"),
        ("turn_copy", "b", "taken: Copy its code"),
        ("turn_copy", "ctrl+n", "taken: New"),
        ("models", "m", "needed for typing"),
        ("models", "tab", "keeps its meaning"),
        ("detail_edit", "escape", "taken: Close"),
    ],
)
def test_a_key_that_cannot_be_taken_is_named_with_the_reason(name: str, key: str, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        custom_keys.check(KEYS[name], key, {})


@pytest.mark.parametrize(
    ("name", "key"), [("models", "f10"), ("turn_copy", "p"), ("detail_edit", "f9"), ("memory", "f3")]
)
def test_a_free_key_can_be_taken(name: str, key: str) -> None:
    custom_keys.check(KEYS[name], key, {})


def test_the_standard_keys_collide_nowhere() -> None:
    assert [
        (key.id, name)
        for key in keymap.KEYS
        for name in custom_keys.keys_in_use(key, {})
        if custom_keys.collision(key, name, {})
    ] == []


def test_the_file_keeps_its_comments(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    file.write_text('# mine\nhelp = "f12"\nnew = "ctrl+t"\n', encoding="utf-8")
    custom_keys.save(file, {"help": "f11"})
    assert file.read_text(encoding="utf-8") == '# mine\nhelp = "f11"\n'
    assert keymap.load_custom(file) == {"help": "f11"}


def test_names_of_keys_are_those_on_the_keyboard() -> None:
    assert keymap.shown("ctrl+j,shift+enter") == "Ctrl+J / Shift+Enter"
    assert keymap.shown("x") == "x"
    assert keymap.shown("f12,delete,slash") == "F12 / Delete / /"


async def test_a_key_is_changed_from_the_help_and_works_at_once(desk: StartDesk) -> None:
    async with desk() as d:
        await d.pilot.press("f1", "k")
        await d.until(lambda: isinstance(d.app.screen, KeysScreen))
        d.app.screen.query_one(RowList).focus_row("models")
        await d.pilot.press("enter")
        await d.until(lambda: isinstance(d.app.screen, CatchDialog))
        await d.pilot.press("f9")
        await d.until(lambda: "taken: Settings" in d.text_of("#key-trouble"))
        await d.pilot.press("f10")
        await d.until(lambda: "F10" in d.text_of("#key-list"))
        assert keymap.load_custom(d.app.locations.home / "keys.toml") == {"models": "f10"}
        await d.pilot.press("escape", "f10")
        await d.until(lambda: d.app.screen.has_class("models-screen"))
        await d.pilot.press("escape", "f1")
        await d.until(lambda: "F10" in d.text_of("#help-page"))
        await d.pilot.click("#change-keys")
        await d.until(lambda: isinstance(d.app.screen, KeysScreen))
        d.app.screen.query_one(RowList).focus_row("models")
        await d.pilot.click("#key-standard")
        await d.until(lambda: "F8" in d.text_of("#key-list"))
        await d.pilot.press("escape", "f8")
        await d.until(lambda: d.app.screen.has_class("models-screen"))
