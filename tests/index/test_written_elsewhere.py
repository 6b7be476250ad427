"""What another process writes is taken in row by row, not by reading everything into the word lists again."""

from __future__ import annotations

from pathlib import Path

import pytest

from desk_assistant.index import IndexClient, IndexRecord
from desk_assistant.index.child import DEFAULT_DIMENSIONS
from desk_assistant.index.mirror import Mirror, Probe
from desk_assistant.index.postings import Postings
from desk_assistant.index.table import EpisodeTable
from tests.index.conftest import row


@pytest.fixture
def taken_in(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The terms of every record that is put into word lists in this process."""
    taken: list[str] = []
    add = Postings.add

    def noted(self: Postings, place: int, terms: str) -> None:
        taken.append(terms)
        add(self, place, terms)

    monkeypatch.setattr(Postings, "add", noted)
    return taken


def words(mirror: Mirror, *terms: str) -> set[str]:
    return {hit.id for hit in mirror.find([Probe(terms, None)], 50)[0]}


async def test_only_the_rows_that_differ_are_taken_in(
    client: IndexClient, table_path: Path, taken_in: list[str]
) -> None:
    await client.add([IndexRecord(f"r{n}", "turn", f"harvest number{n}") for n in range(40)])
    here = EpisodeTable(table_path, DEFAULT_DIMENSIONS)
    here.open()
    mirror = Mirror(here, "")
    mirror.sync()
    assert len(taken_in) == 40

    taken_in.clear()
    await client.add([IndexRecord("r3", "turn", "quince"), IndexRecord("new", "turn", "medlar")])
    await client.delete(["r4"])
    mirror.sync()
    assert len(taken_in) == 2
    assert words(mirror, "quinc") == {"r3"}
    assert words(mirror, "medlar") == {"new"}
    assert words(mirror, "number3", "number4") == set()
    assert words(mirror, "number5") == {"r5"}


@pytest.mark.parametrize("cleaned", ["compact", "erase"])
async def test_files_written_anew_elsewhere_change_nothing_here(
    client: IndexClient, table_path: Path, taken_in: list[str], cleaned: str
) -> None:
    await client.add([IndexRecord(f"r{n}", "turn", f"harvest number{n}") for n in range(30)])
    await client.add([IndexRecord(f"r{n}", "turn", f"harvest number{n}") for n in range(30, 40)])
    here = EpisodeTable(table_path, DEFAULT_DIMENSIONS)
    here.open()
    mirror = Mirror(here, "")
    mirror.sync()

    taken_in.clear()
    await (client.compact() if cleaned == "compact" else client.erase(["r7"]))
    assert not mirror.current
    mirror.sync()
    assert taken_in == []
    assert len(words(mirror, "harvest")) == (40 if cleaned == "compact" else 39)


def test_a_vector_given_elsewhere_is_taken_in(table: EpisodeTable) -> None:
    table.write([row("a", "quince"), row("b", "medlar")])
    mirror = Mirror(table, "m")
    mirror.sync()
    other = EpisodeTable(table.path, table.dimensions)
    other.open()
    other.fill("m", {"a": ("quince", [1.0, 0.0, 0.0, 0.0])})
    mirror.sync()
    vector = mirror.vector_of("a")
    assert vector is not None
    assert vector.tolist() == [1.0, 0.0, 0.0, 0.0]
    assert mirror.vector_of("b") is None


def test_a_record_dropped_here_while_another_wrote_stays_gone(table: EpisodeTable) -> None:
    table.write([row("a", "quince"), row("b", "medlar")])
    mirror = Mirror(table, "m")
    mirror.sync()
    other = EpisodeTable(table.path, table.dimensions)
    other.open()
    other.write([row("c", "sorb")])
    mirror.drop(["a"], table.delete(["a"]))
    mirror.sync()
    assert words(mirror, "quinc") == set()
    assert words(mirror, "sorb") == {"c"}


def test_reading_goes_on_where_it_gave_way(table: EpisodeTable, taken_in: list[str]) -> None:
    class GivenWayError(Exception):
        pass

    table.write([row("a", "quince")])
    mirror = Mirror(table, "m")
    mirror.sync()
    other = EpisodeTable(table.path, table.dimensions)
    other.open()
    other.write([row("b", "medlar")])

    def give_way() -> None:
        raise GivenWayError

    with pytest.raises(GivenWayError):
        mirror.sync(give_way)
    assert not mirror.current
    mirror.sync()
    assert words(mirror, "medlar") == {"b"}
    assert len(taken_in) == 2
