from __future__ import annotations

from pathlib import Path

import pytest

from desk_assistant.cli.jsonl import BadLine, read_lines
from desk_assistant.errors import InputError, NotFoundError


def test_good_lines_are_given_with_their_numbers_and_bad_ones_are_named(tmp_path: Path) -> None:
    file = tmp_path / "in.jsonl"
    file.write_bytes(b'\xef\xbb\xbf{"text": "a"}\n\n{"text": 1}\n[]\n{"text": "\xff"}\n{"text": "b"\n' + b"[" * 100_000)

    rows = list(read_lines(str(file), required=("text",)))

    assert [row[1]["text"] for row in rows if not isinstance(row, BadLine)] == ["a", "\ufffd"]
    assert [row.number for row in rows if isinstance(row, BadLine)] == [3, 4, 6, 7]


def test_the_sentence_names_line_and_field(tmp_path: Path) -> None:
    file = tmp_path / "in.jsonl"
    file.write_text("{}\n", encoding="utf-8")

    (bad,) = read_lines(str(file), required=("query",))

    assert "1" in str(bad)
    assert "query" in str(bad)


def test_a_missing_file_and_a_folder_are_said(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError):
        list(read_lines(str(tmp_path / "none"), required=()))
    with pytest.raises(InputError):
        list(read_lines(str(tmp_path), required=()))
