from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desk_assistant.index.failures import TableDamagedError
from desk_assistant.index.mirror import Mirror, Probe
from desk_assistant.index.table import EpisodeTable
from desk_assistant.index.vectors import Vectors
from tests.index.conftest import TINY, row


def unit(*values: float) -> Vectors:
    vector: Vectors = np.asarray(values, dtype=np.float32)
    return vector / np.linalg.norm(vector)


EAST, NORTH, NORTHEAST = unit(1, 0, 0, 0), unit(0, 1, 0, 0), unit(1, 1, 0, 0)


@pytest.fixture
def mirror(table: EpisodeTable) -> Mirror:
    table.write(
        [
            row("east", "apple harvest", "turn", "a", EAST.tolist()),
            row("north", "pear harvest", "fact", "b", NORTH.tolist()),
            row("none", "plum without a vector"),
        ]
    )
    mirror = Mirror(table, "m")
    mirror.sync()
    return mirror


def found(mirror: Mirror, vector: Vectors | None, *terms: str, **limits: list[str]) -> list[str]:
    return [hit.id for hit in mirror.find([Probe(terms, vector)], 5, **limits)[0]]


def test_meaning_and_words_are_both_looked_through_and_each_hit_has_both_numbers(mirror: Mirror) -> None:
    hits = {hit.id: hit for hit in mirror.find([Probe(["plum", "harvest"], unit(3, 1, 0, 0))], 5)[0]}
    assert hits["east"].cosine == pytest.approx(3 / 10**0.5, abs=1e-5)
    assert hits["none"].cosine is None
    assert (hits["none"].bm25 or 0) > (hits["east"].bm25 or 0) > 0


def test_nearest_first_up_to_the_limit(mirror: Mirror) -> None:
    assert found(mirror, unit(3, 1, 0, 0)) == ["east", "north"]
    assert [hit.id for hit in mirror.find([Probe([], unit(1, 3, 0, 0))], 1)[0]] == ["north"]


def test_several_questions_in_one_pass_are_answered_apart(mirror: Mirror) -> None:
    first, second, third = mirror.find([Probe([], EAST), Probe(["pear"], None), Probe([], NORTH)], 1)
    assert [hit.id for hits in (first, second, third) for hit in hits] == ["east", "north", "north"]
    assert second[0].cosine is None


def test_kinds_and_sessions_limit_the_search(mirror: Mirror) -> None:
    assert found(mirror, EAST, "harvest", kinds=["fact"]) == ["north"]
    assert found(mirror, EAST, "harvest", sessions=["a"]) == ["east"]
    assert found(mirror, EAST, "harvest", kinds=["unheard of"]) == []


def test_own_writes_are_taken_in_without_reading(
    mirror: Mirror, table: EpisodeTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = [row("east", "changed", vector=NORTHEAST.tolist()), row("new", "quince", vector=EAST.tolist())]
    mirror.put(rows, np.stack([NORTHEAST, EAST]), table.write(rows))
    mirror.drop(["north"], table.delete(["north"]))
    monkeypatch.setattr(table, "read", lambda *_: pytest.fail("it was read again"))
    mirror.sync()
    assert found(mirror, EAST) == ["new", "east"]
    assert found(mirror, None, "quinc") == ["new"]
    assert found(mirror, None, "appl", "pear") == []
    assert mirror.text_of("east") == "changed"


def test_vectors_that_come_later_are_taken_in(mirror: Mirror, table: EpisodeTable) -> None:
    filled, commit = table.fill("m", {"none": ("plum without a vector", NORTHEAST.tolist())})
    mirror.fill(filled, NORTHEAST[None], commit)
    assert mirror.current
    assert found(mirror, NORTHEAST)[0] == "none"


def test_writes_of_another_program_are_seen(mirror: Mirror, table: EpisodeTable, table_path: Path) -> None:
    other = EpisodeTable(table_path, TINY)
    other.open()
    other.write([row("new", "quince", vector=EAST.tolist())])
    rows = [row("newer", "quince", vector=EAST.tolist())]
    mirror.put(rows, EAST[None], table.write(rows))
    assert not mirror.current
    mirror.sync()
    assert set(found(mirror, EAST, "quinc")) >= {"east", "new", "newer"}


def test_vectors_of_another_model_are_left_out(table: EpisodeTable, mirror: Mirror) -> None:
    other = Mirror(table, "another model")
    other.sync()
    assert found(other, EAST) == []
    assert found(other, EAST, "appl") == ["east"]
    assert other.vector_of("east") is None


def test_reading_that_was_given_up_begins_anew(table: EpisodeTable, mirror: Mirror) -> None:
    class GivenUpError(Exception):
        pass

    def give_up() -> None:
        raise GivenUpError

    fresh = Mirror(table, "m")
    with pytest.raises(GivenUpError):
        fresh.sync(give_up)
    assert not fresh.current
    fresh.sync()
    assert found(fresh, EAST, "appl") == ["east", "north"]


def test_a_version_that_goes_while_it_is_read_is_no_damage(
    table: EpisodeTable, mirror: Mirror, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, tries = table.batches, []

    def cut(columns: Sequence[str]) -> Iterator[Any]:
        tries.append(1)
        if len(tries) == 1:
            raise TableDamagedError("a file is gone")
        yield from whole(columns)

    monkeypatch.setattr(table, "batches", cut)
    fresh = Mirror(table, "m")
    fresh.sync()
    assert len(tries) == 2
    assert found(fresh, EAST, "appl") == ["east", "north"]


def test_many_rows_that_went_are_not_carried_along(table: EpisodeTable) -> None:
    mirror = Mirror(table, "")
    mirror.sync()
    for start in range(0, 2400, 400):
        rows = [row(f"r{place}", "short") for place in range(start, start + 400)]
        mirror.put(rows, None, table.write(rows))
        mirror.drop([r.record.id for r in rows], table.delete([r.record.id for r in rows]))
    mirror.sync()
    assert found(mirror, None, "short") == []
