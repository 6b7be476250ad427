"""The man page, written from the command line's grammar and a few texts for each language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from desk_assistant.cli.command_tree import Command, Option

WORDS: Final = Path(__file__).with_name("man")
"""Folder with a file of texts for each language."""

_ESCAPED: Final = re.compile(r"[\\-]")


def page(commands: Sequence[Command], language: str, version: str, day: str) -> str:
    """Return the man page in roff.

    Args:
        commands: The program first, then all commands.
        language: Language of the texts; the help of the commands is already in it.
        version: Version of the program.
        day: Date of the page.
    """
    words: dict[str, Any] = tomllib.loads((WORDS / f"{language}.toml").read_text(encoding="utf-8"))
    program, *rest = commands
    lines = [
        f'.TH DESK\\-ASSISTANT 1 "{day}" "desk\\-assistant {version}" "{words["title"]}"',
        f".SH {words['name']}",
        f"desk\\-assistant \\- {_roff(words['summary'])}",
        f".SH {words['synopsis']}",
        ".B desk\\-assistant",
        f".RI [ {words['option']} ...]",
        f".RI [ {words['command']} ...]",
        f".SH {words['description']}",
        *_paragraphs(words["about"]),
        f".SH {words['options']}",
        *_options(program.options),
        f".SH {words['commands']}",
    ]
    shared = {option.flags for option in program.options}
    for command in rest:
        lines += _command(command, [option for option in command.options if option.flags not in shared])
    for section in words["section"]:
        lines.append(f".SH {section['title']}")
        lines += _paragraphs(section.get("text", ""))
        for term, text in section.get("terms", {}).items():
            lines += [".TP", f".B {_roff(term)}", _roff(text)]
    return "\n".join(lines) + "\n"


def _command(command: Command, options: Sequence[Option]) -> Iterator[str]:
    if command.inner:
        return
    yield f".SS {_roff(' '.join([*command.words, *command.arguments]))}"
    yield _roff(command.help)
    yield from _options(options)


def _options(options: Sequence[Option]) -> Iterator[str]:
    for option in options:
        value = f" \\fI{_roff(option.value)}\\fR" if option.value else ""
        yield ".TP"
        yield ", ".join(f"\\fB{_roff(flag)}\\fR{value}" for flag in option.flags)
        yield _roff(option.help)


def _paragraphs(text: str) -> Iterator[str]:
    for paragraph in text.strip().split("\n\n"):
        if paragraph:
            yield ".PP"
            yield _roff(" ".join(paragraph.split()))


def _roff(text: str) -> str:
    """Return a text with what means something to roff made harmless."""
    escaped = _ESCAPED.sub(lambda found: "\\e" if found[0] == "\\" else "\\-", text)
    return f"\\&{escaped}" if escaped.startswith((".", "'")) else escaped
