from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from desk_assistant.index.table import EpisodeTable
from tests.index.conftest import TINY, row


def empty_manifest(path: Path) -> None:
    max((path / "_versions").glob("*.manifest"), key=lambda file: file.stat().st_mtime_ns).write_bytes(b"")
    for manifest in (path / "_versions").glob("*.manifest"):
        manifest.write_bytes(b"")


def cut_data(path: Path) -> None:
    for file in (path / "data").iterdir():
        file.write_bytes(file.read_bytes()[:100])


def lose_data(path: Path) -> None:
    shutil.rmtree(path / "data")


def cut_index(path: Path) -> None:
    for file in (path / "_indices").rglob("*.lance"):
        file.write_bytes(b"")


def replace_by_file(path: Path) -> None:
    shutil.rmtree(path)
    path.write_text("not a table")


def empty_folder(path: Path) -> None:
    shutil.rmtree(path)
    path.mkdir()


@pytest.mark.parametrize("harm", [empty_manifest, cut_data, lose_data, cut_index, replace_by_file, empty_folder])
def test_a_damaged_table_is_moved_aside(
    table: EpisodeTable, table_path: Path, fill: Callable[..., None], harm: Callable[[Path], None]
) -> None:
    fill("apple", "pear")
    harm(table_path)
    fresh = EpisodeTable(table_path, TINY)
    found, moved = fresh.open()
    assert found == "damaged"
    assert moved is not None
    assert moved.exists()
    assert fresh.count() == 0
    fresh.write([row("r1", "plum")])
    assert [hit.id for hit in fresh.full_text(["plum"], 5)] == ["r1"]


def test_a_missing_table_is_new(table_path: Path) -> None:
    assert EpisodeTable(table_path, TINY).open() == ("new", None)
