"""Whether another program has a database open."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path
from typing import Final

WAIT_SECONDS: Final = 0.5


def is_in_use(path: Path) -> bool:
    """Tell whether any connection to a database is open, in this program or another one.

    In WAL mode every open connection holds a shared lock on the file, so that the exclusive locking mode, which would
    do without the shared memory, can only be entered by the only one. A file that is no database is in nobody's use.
    """
    if not path.is_file():
        return False
    with contextlib.closing(sqlite3.connect(path, timeout=WAIT_SECONDS, isolation_level=None)) as connection:
        try:
            connection.execute("PRAGMA locking_mode = EXCLUSIVE").fetchall()
            connection.execute("SELECT count(*) FROM sqlite_master").fetchall()
        except sqlite3.OperationalError as error:
            return error.sqlite_errorcode & 0xFF in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
        except sqlite3.DatabaseError:
            return False
    return False
