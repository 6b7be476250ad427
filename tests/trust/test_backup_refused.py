"""A backup that the disk or another program stops is not blamed on the database."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from desk_assistant.errors import StorageError
from desk_assistant.memory import backup
from desk_assistant.paths import Locations
from desk_assistant.store import copying
from tests.trust.test_backup import fill


def refusing(code: int) -> sqlite3.OperationalError:
    error = sqlite3.OperationalError("refused")
    error.sqlite_errorcode = code
    return error


@pytest.mark.parametrize(
    ("code", "key"),
    [
        (sqlite3.SQLITE_FULL, "backup.failed"),
        (sqlite3.SQLITE_BUSY, "backup.failed"),
        (sqlite3.SQLITE_LOCKED, "backup.failed"),
        (sqlite3.SQLITE_CORRUPT, "backup.damaged"),
        (sqlite3.SQLITE_NOTADB, "backup.damaged"),
    ],
)
def test_only_damage_is_called_damage(
    locations: Locations, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int, key: str
) -> None:
    fill(locations, "kept")

    def refuse(source: Path, target: Path) -> None:
        raise refusing(code)

    monkeypatch.setattr(copying, "copy", refuse)

    with pytest.raises(StorageError) as told:
        backup.write(locations, tmp_path / "mine.deskbackup")

    assert told.value.key == key
    assert list(tmp_path.glob("*mine*")) == []
