"""What an erase looks for in the bytes of the data folder, and in which forms."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desk_assistant.memory import traces


@pytest.mark.parametrize(
    "content",
    [
        "the 翡翠茶 tin".encode(),
        "the 翡翠茶 tin".encode("utf-16-le"),
        "the 翡翠茶 tin".encode("utf-16-be"),
        json.dumps({"tea": "翡翠茶"}).encode(),
    ],
)
def test_words_are_found_in_every_form_that_programs_write(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "file").write_bytes(content)
    assert traces.files_with(tmp_path, ["翡翠茶"], tmp_path / "backups") == [tmp_path / "file"]
    assert traces.files_with(tmp_path, ["茉莉花"], tmp_path / "backups") == []


def test_values_have_their_places_beside_many_long_sentences() -> None:
    sentences = [f"This is the rather long sentence number {number} of them." for number in range(100)]
    chosen = traces.choose_needles(sentences, ["walnuts", "tea"])
    assert "walnuts" in chosen
    assert "tea" not in chosen  # three bytes are found in unrelated ones
    assert len(chosen) == traces.MOST_NEEDLES
