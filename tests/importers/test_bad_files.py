from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from desk_assistant.errors import InputError, NotFoundError
from desk_assistant.importers import Problem, Reading, Talk
from desk_assistant.importers.stream import objects
from tests.importers.exports import gpt_line, write, zipped


class Drops(io.BytesIO):
    """A file that hands out a few bytes at a time."""

    def read(self, size: int | None = -1, /) -> bytes:
        return super().read(7)


def test_objects_are_found_wherever_the_chunks_end() -> None:
    values = [{"n": n, "t": ']},{"[' * n, "z": "字"} for n in range(40)]
    raw = json.dumps(values, ensure_ascii=False).encode()

    assert list(objects(io.BytesIO(b"\xef\xbb\xbf" + raw), lambda _: None)) == values
    assert list(objects(Drops(raw), lambda _: None)) == values


def test_a_download_that_broke_off_gives_what_it_has(tmp_path: Path) -> None:
    path = write(tmp_path / "conversations.json", [gpt_line(str(n), "T", [("user", f"Say {n}")]) for n in range(5)])
    path.write_bytes(path.read_bytes()[:-300])
    found = list(Reading(path))

    assert [talk.id for talk in found if isinstance(talk, Talk)] == ["0", "1", "2", "3"]
    assert [problem.unit for problem in found if isinstance(problem, Problem)] == ["file"]


@pytest.mark.parametrize(
    "content", [b"", b"\x00\x01\x02", b"[[[[", b"[" * 100_000, b'{"a":' * 5000, b"\xff\xfe[1]", b"null"]
)
@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.md", "x"])
def test_no_bytes_are_too_strange(tmp_path: Path, content: bytes, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)

    assert not [item for item in Reading(path) if isinstance(item, Talk)]


def test_what_cannot_be_opened_is_said(tmp_path: Path) -> None:
    broken = tmp_path / "broken.zip"
    broken.write_bytes(b"PK\x03\x04" + b"\x00" * 40)
    empty = zipped(tmp_path / "empty.zip", {"picture.png": "x"})

    with pytest.raises(NotFoundError, match="no file or folder"):
        Reading(tmp_path / "nothing.json")
    with pytest.raises(InputError, match="nothing in"):
        Reading(empty)
    with pytest.raises(InputError, match="not known"):
        Reading(empty, "word")
    assert not [item for item in Reading(broken) if isinstance(item, Talk)]


def test_an_archive_with_damaged_content_ends_in_a_sentence(tmp_path: Path) -> None:
    path = zipped(tmp_path / "e.zip", {"conversations.json": [gpt_line("c", "T", [("user", "x" * 5000)])]})
    raw = bytearray(path.read_bytes())
    raw[60:90] = bytes(30)
    path.write_bytes(bytes(raw))

    with pytest.raises(InputError, match="cannot be read"):
        list(Reading(path))
