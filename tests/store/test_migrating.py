"""A database of every earlier schema is taken over, with a copy made first."""

from __future__ import annotations

import sqlite3

import pytest

from desk_assistant.paths import Locations
from desk_assistant.store import Store
from desk_assistant.store.migrations import MIGRATIONS


@pytest.mark.parametrize("version", range(1, len(MIGRATIONS)))
def test_an_older_schema_is_taken_over_with_its_rows(locations: Locations, version: int) -> None:
    with sqlite3.connect(locations.database) as old:
        for statements in MIGRATIONS[:version]:
            for statement in statements:
                old.execute(statement)
        old.execute(f"PRAGMA user_version = {version}")
        old.execute("INSERT INTO sessions (id, created_at, updated_at) VALUES ('s', '2026-05-11', '2026-05-11')")
    old.close()

    store = Store(locations.database, locations.backups)

    assert store.transcripts.session("s").id == "s"
    assert store.graph.entities() == []
    assert [path.name for path in locations.backups.glob(f"before-migration-{version}-*.db")]
    store.close()
