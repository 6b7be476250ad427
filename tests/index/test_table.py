from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from desk_assistant.index.analysis import query_terms
from desk_assistant.index.table import WRITES_BEFORE_COMPACTION, EpisodeTable
from tests.index.conftest import TINY, row

Fill = Callable[..., None]


def found(table: EpisodeTable, question: str, **limits: list[str]) -> set[str]:
    return {hit.id for hit in table.full_text(query_terms(question), 10, **limits)}


def test_rows_are_found_at_once_and_by_one_or_two_characters(table: EpisodeTable, fill: Fill) -> None:
    fill("我的猫叫豆包", "I planted basil")
    fill("隔壁的狗很吵", first=2)
    assert found(table, "猫") == {"r0"}
    assert found(table, "豆包") == {"r0"}
    assert found(table, "basil") == {"r1"}
    assert found(table, "狗") == {"r2"}


def test_the_same_id_replaces(table: EpisodeTable, fill: Fill) -> None:
    fill("old words", "other")
    fill("new phrase")
    assert table.count() == 2
    assert found(table, "phrase") == {"r0"}
    assert not found(table, "words")


def test_search_keeps_to_kinds_and_sessions(table: EpisodeTable, fill: Fill) -> None:
    fill("apple one", kind="turn", session="a")
    fill("apple two", first=1, kind="fact", session="b")
    assert found(table, "apple", kinds=["fact"]) == {"r1"}
    assert found(table, "apple", sessions=["a"]) == {"r0"}
    assert found(table, "apple", kinds=["fact"], sessions=["a"]) == set()


def test_deleted_rows_are_not_found(table: EpisodeTable, fill: Fill) -> None:
    fill("apple", "apple pie")
    table.delete(["r0"])
    assert found(table, "apple") == {"r1"}


def test_strange_ids_and_texts_are_stored(table: EpisodeTable) -> None:
    table.write([row("it's'; --", "a \ud800 lone \x00 surrogate", session="o'brien")])
    assert found(table, "surrogate", sessions=["o'brien"]) == {"it's'; --"}
    table.delete(["it's'; --"])
    assert table.count() == 0


def test_two_programs_see_and_replace_each_other_s_rows(table: EpisodeTable, table_path: Path) -> None:
    other = EpisodeTable(table_path, TINY)
    assert other.open() == ("whole", None)
    table.write([row("r1", "apple")])
    assert found(other, "apple") == {"r1"}
    other.write([row("r1", "pear")])
    table.write([row("r1", "plum"), row("r2", "quince")])
    assert (table.count(), other.count()) == (2, 2)
    assert found(other, "plum") == {"r1"}


def test_many_small_writes_do_not_pile_up(table: EpisodeTable) -> None:
    for number in range(WRITES_BEFORE_COMPACTION + 20):
        table.write([row(f"r{number}", f"word{number}")])
    assert table.fragments <= 25
    assert [hit.id for hit in table.full_text(["word3"], 5)] == ["r3"]


def test_short_runs_compact_too(table: EpisodeTable, table_path: Path) -> None:
    for number in range(WRITES_BEFORE_COMPACTION + 2):
        again = EpisodeTable(table_path, TINY)
        again.open()
        again.write([row(f"r{number}", f"word{number}")])
    assert table.fragments <= 4


def test_a_table_of_another_width_keeps_its_words(table: EpisodeTable, table_path: Path) -> None:
    table.write([row("r1", "apple", vector=[1.0, 0.0, 0.0, 0.0])])
    wider = EpisodeTable(table_path, TINY + 2)
    assert wider.open() == ("whole", None)
    assert found(wider, "apple") == {"r1"}
    wider.write([row("r2", "pear", vector=[0.0] * (TINY + 2))])
    assert wider.read(("model",))["model"].to_pylist().count("") == 1
