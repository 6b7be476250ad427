"""The README tells the truth about the command line."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from desk_assistant import cli, errors
from desk_assistant.cli.grammar import build
from desk_assistant.cli.jsonl import PARTLY_DONE
from desk_assistant.paths import APP, shared_models

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def commands(parser: argparse.ArgumentParser, *above: str) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    """Yield every command with its parser."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, inner in action.choices.items():
                yield (*above, name), inner
                yield from commands(inner, *above, name)


def test_every_command_is_in_the_table() -> None:
    table = README.split("## The command line")[1].split("## For developers")[0]
    rows = [line for line in table.splitlines() if line.startswith("| `")]

    for path, _ in commands(build()):
        assert any(re.search(rf"`{path[0]}\b", row) and re.search(rf"\b{path[-1]}\b", row) for row in rows), path


def test_every_option_in_the_table_exists() -> None:
    table = README.split("## The command line")[1].split("| exit code |")[0]
    known = {option for _, parser in commands(build()) for a in parser._actions for option in a.option_strings}

    assert set(re.findall(r"--[a-z][a-z-]*", table)) <= known


def test_the_exit_codes_are_those_of_the_program() -> None:
    table = README.split("| exit code |")[1].split("##")[0]
    documented = {int(code) for row in re.findall(r"^\| ([\d, ]+) \|", table, re.MULTILINE) for code in row.split(",")}

    family = {error.exit_code for error in errors.DeskError.__subclasses__()}
    assert documented == {0, 1, *family, PARTLY_DONE, cli.UNEXPECTED, cli.INTERRUPTED, cli.READER_GONE}


def test_files_and_folders_it_names_are_there() -> None:
    for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", README):
        assert (ROOT / picture).is_file()
    for folder in ("tui", "cli", "assistant", "memory", "privacy", "store", "llm", "index", "workers", "models"):
        assert (ROOT / "desk_assistant" / folder).is_dir()
    assert APP in README
    assert shared_models().name == "models"
