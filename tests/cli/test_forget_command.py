from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.desk_shell import Desk, Result

TALKS = [
    ("a", "2026-03-02T10:00:00", "My sister Noor plays the harp."),
    ("b", "2026-04-05T10:00:00", "I restore clocks."),
    ("c", "2026-05-06T10:00:00", "The heron nests by the mill pond."),
]


def records(result: Result) -> list[dict[str, Any]]:
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture
def told(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A profile with three talks, on a machine without models."""
    monkeypatch.setenv("DESK_ASSISTANT_MODELS", str(tmp_path / "models"))
    rows = [{"session": s, "id": s, "role": "user", "content": text, "time": at} for s, at, text in TALKS]
    file = tmp_path / "talks.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    assert desk("import", str(file), "--format", "jsonl").returncode == 0
    return desk


def test_a_person_is_shown_and_then_erased(told: Desk, data: Path) -> None:
    shown = records(told("memory", "forget", "--person", "Noor", "--dry-run", "--json"))
    assert {row["layer"] for row in shown} == {"fact", "message"}
    assert all("Noor" in row["text"] or row["layer"] == "fact" for row in shown)

    (report,) = records(told("memory", "forget", "--person", "Noor", "--yes", "--json"))
    assert report["verified"]
    assert not any(b"Noor" in path.read_bytes() for path in data.rglob("*") if path.is_file())
    (check,) = records(told("doctor", "--forgotten", "--json"))
    assert check["ok"]
    trail = records(told("audit", "--json"))
    assert {"erased", "written"} <= {row["action"] for row in trail}
    assert "Noor" not in json.dumps(trail)


def test_a_time_span_ends_with_its_last_day(told: Desk) -> None:
    options = ("memory", "forget", "--since", "2026-04-01", "--until", "2026-05-06", "--dry-run", "--json")
    assert {row["session"] for row in records(told(*options))} == {"b", "c"}


def test_everything_goes_with_the_backups(told: Desk, data: Path) -> None:
    backups = data / "profiles" / "default" / "backups"
    backups.mkdir()
    (backups / "old.db").write_bytes(b"the heron nests")
    assert [row["name"] for row in records(told("backups", "list", "--json"))] == ["old.db"]

    (report,) = records(told("memory", "forget", "--everything", "--backups", "--yes", "--json"))

    assert report["verified"]
    assert report["backups"] == []
    assert told("sessions", "--json").stdout == ""
    assert not any(b"heron" in path.read_bytes() for path in data.rglob("*") if path.is_file())


@pytest.mark.parametrize(
    "options",
    [(), ("--everything", "--person", "Noor"), ("f_1", "--about", "harps"), ("--since", "yesterday")],
)
def test_a_wish_that_is_not_clear_is_refused(desk: Desk, options: tuple[str, ...]) -> None:
    result = desk("memory", "forget", *options, "--yes")

    assert result.returncode == 2
    assert result.stderr.startswith("desk-assistant: ")


def test_backups_are_deleted_by_name(desk: Desk, data: Path) -> None:
    desk("memory", "list")
    backups = data / "profiles" / "default" / "backups"
    backups.mkdir()
    for name in ("one.db", "two.db"):
        (backups / name).write_bytes(b"x")

    assert desk("backups", "delete", "three.db", "--yes").returncode == 3
    assert desk("backups", "delete", "one.db").returncode == 2  # no terminal to ask at
    assert desk("backups", "delete", "one.db", "--yes").returncode == 0
    assert [path.name for path in backups.iterdir()] == ["two.db"]


def test_purge_deletes_what_the_program_made(desk: Desk, data: Path, tmp_path: Path) -> None:
    shared = tmp_path / "shared-models"
    (shared / "tiny").mkdir(parents=True)
    env = {"DESK_ASSISTANT_MODELS": str(shared)}
    desk("memory", "add", "I restore clocks", env=env)

    assert desk("purge", env=env).returncode == 2  # no terminal to ask at
    planned = records(desk("purge", "--dry-run", "--json", env=env))
    assert [(row["path"], row["deleted"]) for row in planned] == [(str(data / "profiles"), False)]
    assert desk("purge", "--yes", env=env).returncode == 0
    assert not data.exists()
    assert shared.exists()
    assert desk("purge", "--models", "--yes", env=env).returncode == 0
    assert not shared.exists()
