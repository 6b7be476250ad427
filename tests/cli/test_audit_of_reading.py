"""What a command hands out of memory stands in the trail, by id and without content."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desk_assistant import cli


def records(data: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, str]]:
    assert cli.main(["--data-dir", str(data), *arguments, "--json"]) == 0
    return [json.loads(line) for line in capsys.readouterr().out.splitlines()]


@pytest.mark.parametrize(
    ("command", "action"),
    [(["memory", "list"], "listed"), (["memory", "search", "walnuts"], "searched"), (["memory", "show"], "shown")],
)
def test_reading_is_in_the_trail(
    data: Path, capsys: pytest.CaptureFixture[str], command: list[str], action: str
) -> None:
    (added,) = records(data, capsys, "memory", "add", "I'm allergic to walnuts")
    records(data, capsys, *command, *([added["id"]] if action == "shown" else []))
    trail = records(data, capsys, "audit")
    assert added["id"] in [e["record_id"] for e in trail if (e["actor"], e["action"]) == ("person", action)]
    assert "walnut" not in json.dumps(trail)
