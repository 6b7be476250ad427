from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from desk_assistant.index.analysis import query_terms
from desk_assistant.index.table import EpisodeTable
from tests.index.conftest import TINY, row

Fill = Callable[..., None]
SECRET = "the zanzibarite vault opens at midnight"


def on_disk(folder: Path, text: str) -> bool:
    return any(text.encode() in file.read_bytes() for file in folder.rglob("*") if file.is_file())


def test_an_erased_row_is_in_no_file(table: EpisodeTable, table_path: Path, fill: Fill) -> None:
    fill(*(f"harmless line number {number}" for number in range(300)))
    table.write([row("secret", SECRET, vector=[0.5] * TINY)])
    fill("one more", first=400)
    assert on_disk(table_path, "zanzibarite")
    table.erase(["secret"])
    assert not on_disk(table_path, "zanzibarite")
    assert not table.full_text(query_terms("zanzibarite"), 5)
    assert table.count() == 301
    assert {hit.id for hit in table.full_text(query_terms("number 7"), 5)} >= {"r7"}


def test_what_was_deleted_or_replaced_before_goes_too(table: EpisodeTable, table_path: Path, fill: Fill) -> None:
    fill("kept")
    table.write([row("secret", SECRET)])
    table.write([row("secret", "changed since")])
    table.delete(["secret"])
    table.erase(["secret"])
    assert not on_disk(table_path, "zanzibarite")
    assert table.ids() == ["r0"]


def test_the_last_row_can_be_erased(table: EpisodeTable, table_path: Path) -> None:
    table.write([row("secret", SECRET)])
    table.erase(["secret"])
    assert not on_disk(table_path, "zanzibarite")
    table.write([row("r1", "apple")])
    assert [hit.id for hit in table.full_text(["appl"], 5)] == ["r1"]


def test_the_same_words_said_elsewhere_are_no_obstacle(table: EpisodeTable) -> None:
    table.write([row("r1", SECRET), row("r2", f"She said {SECRET}.")])
    table.erase(["r1"])
    assert table.ids() == ["r2"]


def test_another_program_reads_on(table: EpisodeTable, table_path: Path, fill: Fill) -> None:
    fill("apple", "pear")
    other = EpisodeTable(table_path, TINY)
    other.open()
    table.erase(["r0"])
    assert other.count() == 1
    assert not other.full_text(["appl"], 5)
    assert [hit.id for hit in other.full_text(["pear"], 5)] == ["r1"]


def test_reset_leaves_nothing(table: EpisodeTable, table_path: Path) -> None:
    table.write([row("secret", SECRET)])
    table.reset()
    assert table.count() == 0
    assert not on_disk(table_path, "zanzibarite")


def test_what_a_killed_process_had_not_finished_is_swept_away(
    table: EpisodeTable, table_path: Path, fill: Fill
) -> None:
    fill(*(f"harmless line number {number}" for number in range(20)))
    halves = [
        table_path / "_deletions" / ".tmpwvA9xq",
        table_path / "data" / ".tmp8Qe1zz",
        table_path / "data" / "0001.lance#1",
        table_path / "_indices" / "made-up" / ".tmp77aaBB",
    ]
    for half in halves:
        half.parent.mkdir(exist_ok=True)
        half.write_text(SECRET)
    table.erase(["r3"])
    assert [half for half in halves if half.exists()] == []
    assert table.count() == 19
