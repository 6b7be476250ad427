"""Salvaging a database ends soon wherever the damage is, and keeps what lies before it."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

from desk_assistant.paths import Locations
from desk_assistant.store.salvage import salvage
from tests.trust.test_backup import fill

PAGE = 4096


def spoil(path: Path, pages: set[int]) -> None:
    content = bytearray(path.read_bytes())
    for page in pages:
        content[page * PAGE : (page + 1) * PAGE] = b"\xff" * PAGE
    path.write_bytes(content)


def filled(locations: Locations) -> Path:
    fill(locations, *(f"Line {number} of the old talk {'x' * 300}" for number in range(200)))
    return locations.database


def test_a_damaged_last_leaf_costs_only_its_own_rows(locations: Locations) -> None:
    path = filled(locations)
    content, wanted, pages, place = path.read_bytes(), b"Line 199 of the old talk", set[int](), -1
    while (place := content.find(wanted, place + 1)) >= 0:
        pages.add(place // PAGE)
    spoil(path, pages)

    found = salvage(path)

    read = [message.content for message in found.messages["s1"]]
    assert read[0].startswith("Line 0 ")
    assert 150 < len(read) < 200
    assert found.gaps >= 1


def test_a_damaged_root_leaves_the_other_tables(locations: Locations) -> None:
    path = filled(locations)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'messages'").fetchone()
    spoil(path, {root - 1})

    found = salvage(path)

    assert found.messages == {}
    assert [session.id for session in found.sessions] == ["s1"]
    assert found.gaps == 1


def test_a_missing_table_is_an_empty_one(locations: Locations) -> None:
    path = filled(locations)
    with contextlib.closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys = OFF")
        connection.execute("DROP TABLE facts")
        connection.commit()

    found = salvage(path)

    assert found.facts == ()
    assert found.gaps == 0
    assert len(found.messages["s1"]) == 200
