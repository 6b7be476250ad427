"""How the patterns of a language are laid out in its TOML files, and what is made of them."""

from __future__ import annotations

import re

import pytest

from desk_assistant.memory.extract.rules import filled


def test_line_breaks_and_indentation_are_layout_only() -> None:
    assert filled("  (?:\n    red wine\n    |tea\n  )s?\n", {}) == "(?:red wine|tea)s?"


def test_a_pattern_on_one_line_keeps_its_blanks() -> None:
    assert filled(" you are ", {}) == " you are "


def test_a_piece_may_refer_to_another() -> None:
    assert filled("at <PLACE>", {"PLACE": "the <ROOM>\n", "ROOM": "(?:attic|hall)"}) == "at the (?:attic|hall)"


def test_a_numbered_piece_stands_several_times_in_one_expression() -> None:
    pieces = {"CLOCK": "(?:at <HOUR #>)", "HOUR": r"(?P<h#>\d+)"}
    found = re.fullmatch(filled("<CLOCK 1> or <CLOCK 12>", pieces), "at 3 or at 4")
    assert found
    assert found.groupdict() == {"h1": "3", "h12": "4"}


def test_an_unknown_piece_is_an_error() -> None:
    with pytest.raises(KeyError):
        filled("<NOWHERE>", {})
