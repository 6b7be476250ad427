"""The command line as data, read from the program's own grammar: what man pages and completions are made of."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from desk_assistant import i18n
from desk_assistant.cli.grammar import build


@dataclass(frozen=True)
class Option:
    """One option.

    Attributes:
        flags: As they are typed, short ones first.
        help: What it does, one line.
        value: What the value is called; empty for a switch.
        choices: The values there are, empty for any.
    """

    flags: tuple[str, ...]
    help: str
    value: str
    choices: tuple[str, ...]


@dataclass(frozen=True)
class Command:
    """A command, the program itself included.

    Attributes:
        words: Its words after the program's name; none for the program itself.
        help: What it does, one line.
        arguments: What its other arguments are called.
        options: Its options.
        inner: The words that can follow.
    """

    words: tuple[str, ...]
    help: str
    arguments: tuple[str, ...]
    options: tuple[Option, ...]
    inner: tuple[tuple[str, str], ...]


def commands(language: str) -> list[Command]:
    """Return every command, the program first and groups before what is in them, with the help in a language."""
    i18n.set_language(language)
    return list(_walk(build(), (), ""))


def _walk(parser: argparse.ArgumentParser, words: tuple[str, ...], text: str) -> Iterator[Command]:
    groups = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    told = {choice.dest: _line(choice.help) for group in groups for choice in group._choices_actions}
    plain = [action for action in parser._actions if action not in groups and action.help is not argparse.SUPPRESS]
    yield Command(
        words,
        text or _line(parser.description),
        tuple(_called(action) for action in plain if not action.option_strings),
        tuple(_option(action) for action in plain if action.option_strings),
        tuple((name, told.get(name, "")) for group in groups for name in group.choices),
    )
    for group in groups:
        for name, inner in group.choices.items():
            yield from _walk(inner, (*words, name), told.get(name, ""))


def _option(action: argparse.Action) -> Option:
    flags = tuple(sorted(action.option_strings, key=len))
    choices = tuple(map(str, action.choices or ()))
    return Option(flags, _line(action.help), "" if action.nargs == 0 else _called(action), choices)


def _called(action: argparse.Action) -> str:
    if action.choices:
        return "|".join(map(str, action.choices))
    name = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    return f"{name} …" if action.nargs in ("*", "+") else name


def _line(text: str | None) -> str:
    return " ".join((text or "").replace("%%", "%").split())
