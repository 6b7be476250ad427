"""The man page tells every command, in both languages."""

from __future__ import annotations

import re
import shutil
import subprocess

import pytest

from desk_assistant.cli.command_tree import commands
from installer.manpage import page


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_command_and_option_is_told(language: str) -> None:
    grammar = commands(language)
    text = page(grammar, language, "1.2.3", "2026-01-02").replace("\\-", "-")

    for command in grammar:
        if command.words and not command.inner:
            assert f".SS {' '.join(command.words)}" in text
            assert command.help in text
        for option in command.options:
            assert f"\\fB{option.flags[-1]}\\fR" in text


def test_both_languages_have_the_same_sections() -> None:
    counts = {len(re.findall(r"^\.SH ", page(commands(n), n, "1", "2026-01-02"), re.M)) for n in ("en", "zh")}

    assert len(counts) == 1


def test_a_line_that_begins_with_a_point_stays_text() -> None:
    grammar = commands("en")
    (first, *rest) = grammar
    told = [type(first)((".so",), ".so /etc/passwd", (), (), ())]

    assert "\n.so" not in page([first, *told, *rest], "en", "1", "2026-01-02")


def test_groff_has_nothing_to_say_about_it() -> None:
    if shutil.which("groff") is None:
        pytest.skip("groff is not here")
    text = page(commands("en"), "en", "1.2.3", "2026-01-02")
    done = subprocess.run(
        ["groff", "-man", "-Tutf8", "-Kutf8", "-ww", "-z"], input=text, capture_output=True, text=True, check=False
    )

    assert done.stderr == ""
