"""One SQLite file: connections, transactions, migrations, and the translation of its failures into sentences."""

from __future__ import annotations

import contextlib
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Final

from desk_assistant.errors import StorageError
from desk_assistant.store import copying
from desk_assistant.store.migrations import MIGRATIONS

BUSY_SECONDS: Final = 15.0
Row = sqlite3.Row


class Database:
    """A SQLite database in WAL mode, safe to use from several threads and several programs.

    Each thread has a connection of its own. Writes go through `transaction()`, which takes the write lock at once
    (`BEGIN IMMEDIATE`), so that two writers queue instead of failing half-way.

    Args:
        path: The database file; it and its folder are created readable by the owner alone.
        backups: Folder for the copy made before a migration of existing data.

    Raises:
        StorageError: The file cannot be opened, is damaged, or was written by a newer program.
    """

    def __init__(self, path: Path, backups: Path) -> None:
        self.path = path
        self._backups = backups
        self._local = threading.local()
        self._idle = threading.Condition()
        self._in_use = 0
        self._closed = False
        self._connections: list[sqlite3.Connection] = []
        try:
            with self._sentences():
                path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
                if not path.exists():
                    os.close(os.open(path, os.O_CREAT | os.O_RDWR, 0o600))
                if self._was_emptied():
                    raise StorageError("store.damaged", path=path, backups=backups, cause="empty")
                self._migrate()
        except BaseException:
            self.close()
            raise

    @property
    def _connection(self) -> sqlite3.Connection:
        connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
        if connection is None:
            connection = sqlite3.connect(
                self.path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False, cached_statements=256
            )
            with self._idle:
                self._connections.append(connection)
            connection.row_factory = sqlite3.Row
            # Lone surrogates can come in by paste or import; SQLite's driver refuses them, so they are replaced
            # before they get here (see transcripts); reading never fails on bytes written by another program.
            connection.text_factory = lambda raw: raw.decode("utf-8", errors="replace")
            for pragma in (
                "journal_mode = WAL",
                "synchronous = FULL",  # an acknowledged message survives a power cut, not only a crash
                "foreign_keys = ON",
                "secure_delete = ON",
                "temp_store = MEMORY",  # no clear text in temporary files
            ):
                connection.execute(f"PRAGMA {pragma}").fetchall()
            self._local.connection = connection
            self._local.depth = 0
        return connection

    def _was_emptied(self) -> bool:
        """Tell whether the file lost all its content: a profile with backups had something in it."""
        log = self.path.with_name(self.path.name + "-wal")
        return self.path.stat().st_size == 0 and not log.exists() and any(self._backups.glob("*"))

    @contextlib.contextmanager
    def _using(self) -> Iterator[sqlite3.Connection]:
        """Hold the database open for the block: a connection must never be closed under another thread's statement."""
        with self._idle:
            if self._closed:
                raise StorageError("store.closed", path=self.path)
            self._in_use += 1
        try:
            with self._sentences():
                yield self._connection
        finally:
            with self._idle:
                self._in_use -= 1
                self._idle.notify_all()

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Run a block as one write transaction; a nested one joins the outer.

        Raises:
            StorageError: The disk is full, the file is read-only, locked for too long or damaged. Nothing of the
                transaction is kept.
        """
        with self._using() as connection:
            if self._local.depth:
                self._local.depth += 1
                try:
                    yield
                finally:
                    self._local.depth -= 1
                return
            connection.execute("BEGIN IMMEDIATE")
            self._local.depth = 1
            try:
                yield
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
            finally:
                self._local.depth = 0

    def execute(self, sql: str, parameters: Sequence[object] = ()) -> sqlite3.Cursor:
        """Run one statement and return its cursor.

        Raises:
            StorageError: As in `transaction`.
        """
        with self._using() as connection:
            return connection.execute(sql, parameters)

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[sqlite3.Row]:
        """Return all rows of a query."""
        with self._using() as connection:
            return connection.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Sequence[object] = ()) -> sqlite3.Row | None:
        """Return the first row of a query, or None."""
        with self._using() as connection:
            found: sqlite3.Row | None = connection.execute(sql, parameters).fetchone()
            return found

    def scrub(self) -> None:
        """Make deleted content unrecoverable: rebuild the file without free pages and empty the write-ahead log.

        Raises:
            StorageError: Another program kept reading for too long, so that the log could not be emptied; try again.
        """
        with self._using() as connection:
            self._empty_log(connection)
            connection.execute("VACUUM")
            self._empty_log(connection)

    def checkpoint(self) -> None:
        """Write the log into the file and empty it; raises like `scrub`."""
        with self._using() as connection:
            self._empty_log(connection)

    def _empty_log(self, connection: sqlite3.Connection) -> None:
        # SQLite does not raise when readers keep it from doing so; it answers with a 1 in the first column.
        deadline = time.monotonic() + BUSY_SECONDS
        while connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]:
            if time.monotonic() > deadline:
                raise StorageError("store.busy", path=self.path, cause="the write-ahead log stayed in use")
            time.sleep(0.05)

    def data_version(self) -> int:
        """Return a number that changes when another program (or thread) has written to the database."""
        found = self.row("PRAGMA data_version")
        return int(found[0]) if found else 0

    def close(self) -> None:
        """Wait for what is under way and close every connection; the last one folds the write-ahead log into the file.

        What is asked afterwards is refused with a `StorageError`.
        """
        with self._idle:
            self._closed = True
            self._idle.wait_for(lambda: self._in_use == 0, timeout=BUSY_SECONDS)
            for connection in self._connections:
                connection.close()
            self._connections.clear()

    def _migrate(self) -> None:
        connection = self._connection
        version = int(connection.execute("PRAGMA user_version").fetchone()[0])
        if version == len(MIGRATIONS):
            return
        if version > len(MIGRATIONS):
            raise StorageError("store.newer", path=self.path, found=version, known=len(MIGRATIONS))
        if version > 0:
            self.back_up(f"before-migration-{version}")
        with self.transaction():
            # Another program may have migrated while this one waited for the write lock.
            version = int(connection.execute("PRAGMA user_version").fetchone()[0])
            for number, statements in enumerate(MIGRATIONS[version:], start=version + 1):
                for statement in statements:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {number}")

    def back_up(self, reason: str) -> Path:
        """Copy the database into the backups folder, readable by the owner alone; returns the copy.

        Args:
            reason: Beginning of the file's name; the time follows.
        """
        with self._sentences():
            self._backups.mkdir(parents=True, exist_ok=True, mode=0o700)
            name = f"{reason}-{datetime.now():%Y%m%d-%H%M%S}"
            copy, number = self._backups / f"{name}.db", 1
            while copy.exists():
                number += 1
                copy = self._backups / f"{name}-{number}.db"
            copying.copy(self.path, copy)
        return copy

    @contextlib.contextmanager
    def _sentences(self) -> Iterator[None]:
        """Turn SQLite's and the file system's failures into sentences."""
        try:
            yield
        except sqlite3.Error as error:
            raise self._explain(error) from error
        except OSError as error:
            raise StorageError(
                "common.data_folder_unwritable", path=self.path.parent, reason=error.strerror or error
            ) from error

    def _explain(self, error: sqlite3.Error) -> StorageError:
        code = getattr(error, "sqlite_errorcode", None)
        primary = code & 0xFF if isinstance(code, int) else None
        cause = f"{type(error).__name__}: {getattr(error, 'sqlite_errorname', '')}"
        if primary == sqlite3.SQLITE_FULL or (primary == sqlite3.SQLITE_IOERR and _disk_is_full(self.path.parent)):
            return StorageError("store.disk_full", path=self.path.parent, cause=cause)
        if primary in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM):
            return StorageError("store.read_only", path=self.path, cause=cause)
        if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
            return StorageError("store.busy", path=self.path, cause=cause)
        if primary in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return StorageError("store.damaged", path=self.path, backups=self._backups, cause=cause)
        return StorageError("store.failed", path=self.path, reason=cause, cause=cause)


def _disk_is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < 1 << 20
    except OSError:
        return False
