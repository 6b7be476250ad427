"""Data of every schema there has been is taken over, with its rows and after a backup; newer data is refused.

The dumps were made with the programs of their time and are never changed; a new schema brings a new one.
"""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from desk_assistant.paths import Locations
from desk_assistant.store import Store
from desk_assistant.store.migrations import MIGRATIONS
from tests.cli.desk_shell import Desk

FIXTURES = sorted((Path(__file__).parent / "fixtures").glob("schema-*.sql"))


def lay(locations: Locations, dump: str) -> None:
    with contextlib.closing(sqlite3.connect(locations.database)) as connection:
        connection.execute("PRAGMA journal_mode = WAL").fetchall()  # as the program had it
        connection.executescript(dump)


def test_there_is_a_dump_of_each() -> None:
    assert [path.name for path in FIXTURES] == [f"schema-{number}.sql" for number in range(1, len(MIGRATIONS) + 1)]


@pytest.mark.parametrize("fixture", FIXTURES, ids=lambda path: path.stem)
def test_its_rows_are_taken_over(locations: Locations, fixture: Path) -> None:
    lay(locations, fixture.read_text(encoding="utf-8"))
    store = Store(locations.database, locations.backups)
    try:
        said = [message.content for message in store.transcripts.all_messages("s1")]
        facts = [fact.text for fact in store.facts.all()]
    finally:
        store.close()

    assert (said, facts) == (["My kiln came from Turku."], ["User owns a kiln"])
    # One that is up to date already needs no copy.
    assert len(list(locations.backups.glob("before-migration-*.db"))) == int(fixture != FIXTURES[-1])


def test_newer_data_is_refused_with_a_sentence_and_left_alone(locations: Locations, desk: Desk) -> None:
    lay(locations, FIXTURES[-1].read_text(encoding="utf-8") + f"PRAGMA user_version = {len(MIGRATIONS) + 1};")
    before = locations.database.read_bytes()

    done = desk("memory", "list")

    assert (done.returncode, "newer version" in done.stderr) == (5, True)
    assert locations.database.read_bytes() == before
