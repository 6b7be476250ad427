from __future__ import annotations

import json
from pathlib import Path

from tests.cli.desk_shell import Desk


def test_a_text_is_shown_as_it_would_be_kept(desk: Desk, data: Path) -> None:
    result = desk("privacy", "check", "write", "to", "jo@example.org")

    assert result.returncode == 0
    assert result.stdout == "write to [EMAIL]\n"
    assert "e-mail" in result.stderr
    assert not data.exists()


def test_json_gives_the_spans(desk: Desk) -> None:
    answer = json.loads(desk("privacy", "check", "--json", "邮箱是jo@example.org").stdout)

    assert answer["spans"] == [{"start": 3, "end": 17, "type": "EMAIL"}]


def test_a_dash_reads_standard_input(desk: Desk) -> None:
    assert desk("privacy", "check", "-", stdin="mail jo@example.org").stdout == "mail [EMAIL]\n"


def test_every_line_of_a_file_is_answered_in_order_and_bad_ones_are_named(desk: Desk) -> None:
    lines = '{"id": "a", "text": "jo@example.org"}\nnot json\n{"id": "b", "text": "nothing \\ud800 here"}\n'

    result = desk("privacy", "check", "--jsonl", "-", stdin=lines)

    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert [row["id"] for row in rows] == ["a", "b"]
    assert rows[1]["spans"] == []
    assert result.returncode == 7
    assert "Line 2 " in result.stderr


def test_a_kind_that_the_person_allows_is_left_alone(desk: Desk, data: Path) -> None:
    settings = data / "profiles" / "default" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('[privacy]\nallow = ["EMAIL"]\n', encoding="utf-8")

    assert desk("privacy", "check", "jo@example.org").stdout == "jo@example.org\n"


def test_text_and_file_together_are_refused(desk: Desk) -> None:
    assert desk("privacy", "check", "x", "--jsonl", "-").returncode == 2
