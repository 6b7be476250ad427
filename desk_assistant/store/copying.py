"""Copies of a whole database: making one while it is in use, checking one, and pouring one back."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desk_assistant.errors import StorageError
from desk_assistant.store.migrations import MIGRATIONS

PART: Final = ".part"
"""End of the name of a copy that is not complete yet."""

BUSY_SECONDS: Final = 15.0


@dataclass(frozen=True)
class Contents:
    """What a database holds.

    Attributes:
        schema: Number of its last migration.
        sessions: Conversations.
        messages: Messages.
        facts: Facts, ended ones too.
    """

    schema: int
    sessions: int
    messages: int
    facts: int


def copy(source: Path, target: Path) -> None:
    """Copy a database that may be in use; what is half-way through a transaction is not in the copy.

    The copy takes its name only when it is complete and on the disk, so that whatever has the name is whole.

    Raises:
        sqlite3.Error: The source cannot be read.
        OSError: The target cannot be written.
    """
    part = target.with_name(target.name + PART)
    part.unlink(missing_ok=True)
    os.close(os.open(part, os.O_CREAT | os.O_WRONLY, 0o600))
    try:
        with (
            contextlib.closing(sqlite3.connect(source, timeout=BUSY_SECONDS)) as old,
            contextlib.closing(sqlite3.connect(part)) as new,
        ):
            old.backup(new)
        sync(part)
        part.replace(target)
        sync(target.parent)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


def contents(path: Path) -> Contents:
    """Look through every page of a database that nobody has open, and count what it holds. Nothing is written.

    Raises:
        StorageError: It is damaged, no database of this program, or newer than the program.
    """
    # Without `immutable` SQLite would lay a log beside a file that may be a person's backup.
    uri = f"{path.absolute().as_uri()}?mode=ro&immutable=1"
    try:
        with contextlib.closing(sqlite3.connect(uri, uri=True)) as connection:
            sound = _is_sound(connection)
            schema = int(connection.execute("PRAGMA user_version").fetchone()[0])
            if schema > len(MIGRATIONS):
                raise StorageError("backup.newer", path=path)
            if not sound or schema < 1:
                raise StorageError("backup.damaged", path=path, cause="quick_check")
            counts = [
                int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0])
                for table in ("sessions", "messages", "facts")
            ]
    except sqlite3.Error as error:
        raise StorageError("backup.damaged", path=path, cause=type(error).__name__) from error
    return Contents(schema, *counts)


def is_damaged(path: Path) -> bool:
    """Tell whether a database is there and cannot be read to its end; one that is merely locked counts as sound.

    So does an empty file, which is what a new profile begins with.
    """
    if not path.is_file() or path.stat().st_size == 0:
        return False
    try:
        with contextlib.closing(sqlite3.connect(path, timeout=BUSY_SECONDS)) as connection:
            return not _is_sound(connection)
    except sqlite3.OperationalError:
        return False
    except sqlite3.DatabaseError:
        return True


def _is_sound(connection: sqlite3.Connection) -> bool:
    """Look through all pages.

    SQLite up to 3.40 takes columns of a WITHOUT ROWID table for NULL where the key is not at its beginning, once a row.
    Those lines say nothing of the pages, and must not use up the number of lines that are reported either.
    """
    lines = connection.execute("PRAGMA quick_check(100000000)")
    return all(line == "ok" or line.startswith("NULL value in ") for (line,) in lines)


def pour(source: Path, target: Path) -> None:
    """Make a database what another one is, in one transaction: a crash leaves the old content or the new.

    Raises:
        sqlite3.Error: One of them cannot be read or written; the target is as it was.
    """
    with (
        contextlib.closing(sqlite3.connect(source)) as new,
        contextlib.closing(sqlite3.connect(target, timeout=BUSY_SECONDS)) as old,
    ):
        old.execute("PRAGMA synchronous = FULL")
        new.backup(old)
        old.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def set_aside(path: Path, kept: Path) -> None:
    """Keep a damaged database under another name too, with its log, so that a sound one can take its place.

    Its own name stays until `put_in_place`: at no moment is there nothing.

    Raises:
        OSError: It cannot be kept.
    """
    for suffix in ("", "-wal"):
        source = path.with_name(path.name + suffix)
        if source.exists():
            shutil.copyfile(source, kept.with_name(kept.name + suffix))
            kept.with_name(kept.name + suffix).chmod(0o600)


def put_in_place(source: Path, target: Path) -> None:
    """Let a complete database take the place of one that cannot be read any more.

    Raises:
        OSError: It cannot be moved.
    """
    sync(source)
    for suffix in ("-wal", "-shm"):  # a foreign log would be played into the sound file
        target.with_name(target.name + suffix).unlink(missing_ok=True)
    source.replace(target)
    sync(target.parent)


def sync(path: Path) -> None:
    """Wait until a file, or the names in a folder, are on the disk; systems that cannot sync folders do without.

    Raises:
        OSError: A file cannot be synced.
    """
    try:
        handle = os.open(path, os.O_RDONLY)
    except PermissionError:
        return  # Windows does not open folders
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
