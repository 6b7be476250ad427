"""Completions know every command and option of the program."""

from __future__ import annotations

import shlex
import shutil
import subprocess

import pytest

from desk_assistant import cli
from desk_assistant.cli import shell_completions as completions
from desk_assistant.cli.command_tree import Command, commands


@pytest.fixture(scope="module")
def grammar() -> list[Command]:
    return commands("en")


def _completed(grammar: list[Command], *typed: str) -> set[str]:
    script = completions.bash(grammar) + (
        f"COMP_WORDS=(desk-assistant {shlex.join(typed)}); COMP_CWORD={len(typed)}\n"
        '_desk_assistant; printf "%s\\n" "${COMPREPLY[@]}"\n'
    )
    done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return set(done.stdout.split())


def test_bash_offers_commands_at_the_beginning(grammar: list[Command]) -> None:
    assert {"ask", "memory", "doctor", "--profile"} <= _completed(grammar, "")


def test_bash_offers_what_begins_like_the_word(grammar: list[Command]) -> None:
    assert _completed(grammar, "mem") == {"memory"}


def test_bash_offers_inner_commands_after_options_of_the_program(grammar: list[Command]) -> None:
    assert {"list", "forget"} <= _completed(grammar, "--profile", "work", "memory", "")


def test_bash_offers_the_options_of_the_command_it_is_in(grammar: list[Command]) -> None:
    found = _completed(grammar, "memory", "forget", "--")

    assert {"--about", "--dry-run"} <= found
    assert "--language" not in found


def test_bash_offers_the_values_of_an_option_that_has_few(grammar: list[Command]) -> None:
    assert _completed(grammar, "demo", "--language", "") == {"en", "zh", "both"}


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_the_other_shells_can_read_theirs(shell: str, grammar: list[Command]) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not here")
    script = getattr(completions, shell)(grammar)
    done = subprocess.run([shell, "-n"], input=script, capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr


def test_each_shell_has_every_command_and_option(grammar: list[Command]) -> None:
    for shell in (completions.bash, completions.zsh, completions.fish):
        text = shell(grammar)
        for command in grammar:
            for word, _ in command.inner:
                assert word in text
            for option in command.options:
                assert option.flags[-1].removeprefix("--") in text


def test_help_cannot_break_out_of_its_quotes() -> None:
    trap = Command(("trap",), "don't", (), (), (("on", "don't `rm` \\"),))

    for text in (completions.zsh([trap]), completions.fish([trap])):
        assert "don't" not in text
        assert text.count("'") % 2 == 0


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_program_prints_the_same(grammar: list[Command], shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["completion", shell]) == 0

    assert capsys.readouterr().out == getattr(completions, shell)(commands("en"))
