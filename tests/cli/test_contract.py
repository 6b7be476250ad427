"""What scripts rely on: JSON from every command, errors as JSON, codes, pipes, and silence where it was asked for."""

from __future__ import annotations

import argparse
import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desk_assistant import cli
from desk_assistant.cli.ask import asked
from desk_assistant.cli.grammar import build
from desk_assistant.errors import InputError, NotFoundError

WITHOUT_JSON = {("completion",), ("serve", "stdio")}
"""One prints a script for a shell, the other speaks a protocol of its own."""


def leaves(parser: argparse.ArgumentParser, *above: str) -> Iterator[tuple[tuple[str, ...], argparse.ArgumentParser]]:
    groups = [a for a in parser._actions if isinstance(a, argparse._SubParsersAction)]
    if not groups:
        yield above, parser
    for group in groups:
        for name, inner in group.choices.items():
            yield from leaves(inner, *above, name)


def test_every_command_can_answer_in_json_and_be_quiet() -> None:
    lacking = {
        path
        for path, parser in leaves(build())
        if "--json" not in parser._option_string_actions and path not in WITHOUT_JSON
    }
    assert lacking == set()
    assert all("--quiet" in parser._option_string_actions for _, parser in leaves(build()))


@pytest.mark.parametrize(
    ("command", "key", "code"),
    [
        ("memory show f_nothing", "store.no_record", 3),
        ("profiles use nobody", "profiles.none", 3),
        ("serve allow bad/name", "server.bad_client_name", 2),
        ("models use nothing", "models.not_installed", 3),
    ],
)
def test_a_failure_is_one_json_object_on_standard_error(
    data: Path, capsys: pytest.CaptureFixture[str], command: str, key: str, code: int
) -> None:
    returned = cli.main([*command.split(), "--json", "--data-dir", str(data)])
    out, err = capsys.readouterr()
    told = json.loads(err)

    assert (returned, out) == (code, "")
    assert told["exit_code"] == code
    assert told["message"]
    assert told["error"].partition(".")[0] == key.partition(".")[0]


def test_a_command_that_changes_something_says_so_in_json(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    codes = [cli.main([*c.split(), "--json", "--data-dir", str(data)]) for c in ("memory pause", "profiles create b")]
    paused, made = map(json.loads, capsys.readouterr().out.splitlines())

    assert codes == [0, 0]
    assert paused == {"memory": "paused"}
    assert made["name"] == "b"


def test_quiet_leaves_only_results(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["sessions", "--quiet", "--data-dir", str(data)]) == 0
    assert cli.main(["memory", "resume", "--quiet", "--data-dir", str(data)]) == 0

    assert capsys.readouterr() == ("", "")


class Typed(io.StringIO):
    """Standard input of a terminal, or a pipe with something in it."""

    def __init__(self, text: str, *, terminal: bool = False) -> None:
        super().__init__(text)
        self._terminal = terminal
        self.raw_bytes = io.BytesIO(text.encode())

    @property
    def buffer(self) -> io.BytesIO:
        return self.raw_bytes

    def isatty(self) -> bool:
        return self._terminal


def test_a_pipe_takes_the_place_of_the_dash_or_is_the_question(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", Typed("three lines"))
    beside = asked(["Sum up:", "-"], [])
    monkeypatch.setattr(sys, "stdin", Typed("What is this?"))
    alone = asked([], [])
    monkeypatch.setattr(sys, "stdin", Typed("", terminal=True))

    assert (beside, alone, asked([], [])) == ("Sum up: three lines", "What is this?", "")


def test_a_file_goes_with_the_question_as_a_quotation_or_is_the_question(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", Typed("", terminal=True))
    note, code = tmp_path / "note.txt", tmp_path / "code.md"
    note.write_text("Which is older?\n", encoding="utf-8")
    code.write_text("```\nx\n```\n", encoding="utf-8")
    large = tmp_path / "large.txt"
    large.write_bytes(b"x" * 1_000_001)

    assert asked([], [str(note)]) == "Which is older?\n"
    assert asked(["Explain:"], [str(code)]) == "Explain:\n\n````code.md\n```\nx\n```\n````"
    with pytest.raises(NotFoundError):
        asked(["Explain:"], [str(tmp_path / "none")])
    with pytest.raises(InputError, match="larger than"):
        asked(["Explain:"], [str(large)])
    with pytest.raises(InputError, match="cannot be read"):
        asked(["Explain:"], [str(tmp_path)])
