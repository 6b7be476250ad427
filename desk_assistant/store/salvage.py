"""Reading what can still be read of a damaged database. It is opened read-only and left as it is."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, TypeVar

from desk_assistant.errors import StorageError
from desk_assistant.store.facts import fact_of
from desk_assistant.store.ledger import TOMBSTONE_KEY
from desk_assistant.store.records import Fact, FactSource, Message, Session
from desk_assistant.store.transcripts import message_of, session_of

Record = TypeVar("Record")

LAST_ROW: Final = 1 << 40
"""Beyond any row that a profile has."""

_WAYS: Final = ("mode=ro", "mode=ro&immutable=1")
"""How a damaged file is opened, in this order. `immutable` keeps SQLite from touching the log, and from playing it in,
which such a file may not survive; it is tried when the file cannot be read with its log."""

MOST_FAILURES: Final = 1 << 15
"""Reads that may fail since the last row that was read. With a damaged root or last leaf every row number beyond fails,
so this is what ends the search; a gap of half as many rows is still crossed."""


@dataclass(frozen=True)
class Salvaged:
    """What was read.

    Attributes:
        sessions: Conversations; those of which only messages are left have no title.
        messages: Messages by conversation, in the order in which they were stored.
        facts: Facts, with the words they rest on where these could be read.
        gaps: How many stretches of rows could not be read.
    """

    sessions: tuple[Session, ...]
    messages: dict[str, list[Message]]
    facts: tuple[Fact, ...]
    gaps: int


@dataclass(frozen=True)
class Marks:
    """What a damaged database still tells of what was forgotten.

    Attributes:
        key: What the marks were hashed with, in hexadecimal; None when it cannot be read or there is none.
        marks: Digest -> time.
        complete: Whether all of them could be read.
    """

    key: str | None
    marks: dict[str, str]
    complete: bool


def forgotten_marks(path: Path) -> Marks:
    """Read the marks of forgotten statements from a damaged database, as far as they can be read."""
    best = Marks(None, {}, complete=False)
    for options in _WAYS:
        with contextlib.suppress(sqlite3.Error), contextlib.closing(_opened(path, options)) as connection:
            row = connection.execute("SELECT value FROM meta WHERE key = ?", (TOMBSTONE_KEY,)).fetchone()
            marks: dict[str, str] = {}
            complete = False
            # The table is in the order of its digests, without row numbers: what comes before a gap is what there is.
            with contextlib.suppress(sqlite3.Error):
                marks.update(connection.execute("SELECT digest, created_at FROM tombstones"))
                complete = True
            best = Marks(row and str(row[0]), marks, complete)
            if complete:
                break
    return best


def _opened(path: Path, options: str) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?{options}", uri=True)


def salvage(path: Path) -> Salvaged:
    """Read all rows of a damaged database that can be read.

    Raises:
        StorageError: Nothing can be read: its first page is damaged, or it is no database.
    """
    for options in _WAYS:
        with contextlib.suppress(sqlite3.Error), contextlib.closing(_opened(path, options)) as connection:
            connection.row_factory = sqlite3.Row
            connection.text_factory = lambda raw: raw.decode("utf-8", errors="replace")
            connection.execute("SELECT name FROM sqlite_master").fetchall()
            return _all(connection)
    raise StorageError("store.unreadable", path=path)


def _all(connection: sqlite3.Connection) -> Salvaged:
    table = _Table(connection)
    messages: dict[str, list[Message]] = {}
    for message in table.read("SELECT *, 0 AS message_count FROM messages", message_of):
        messages.setdefault(message.session_id, []).append(message)
    known = list(table.read("SELECT *, 0 AS message_count FROM sessions", session_of))
    sessions = [replace(one, message_count=len(messages.get(one.id, ()))) for one in known]
    for name in messages.keys() - {session.id for session in sessions}:
        first, last = messages[name][0], messages[name][-1]
        sessions.append(Session(name, "", first.created_at, last.created_at, message_count=len(messages[name])))
    sources: dict[str, list[FactSource]] = {}
    # A table without row numbers cannot be read around a gap: what comes before it is what there is.
    with contextlib.suppress(sqlite3.Error):
        for row in connection.execute("SELECT * FROM fact_sources"):
            sources.setdefault(row["fact_id"], []).append(
                FactSource(row["session_id"], row["message_id"], row["start"], row["end"], row["quote"])
            )
    facts = table.read("SELECT * FROM facts", fact_of)
    found = tuple(replace(fact, sources=tuple(sources.get(fact.id, ()))) for fact in facts)
    return Salvaged(tuple(sessions), messages, found, table.gaps)


class _Table:
    """Reads tables by row number, around the stretches that cannot be read."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self.gaps = 0
        self._in_gap = False

    def read(self, query: str, make: Callable[[sqlite3.Row], Record]) -> Iterator[Record]:
        """Yield what the rows hold; a stretch that cannot be read is halved until only its bad rows are left out."""
        self._in_gap = False
        failures = 0
        waiting: list[tuple[int, int]] = [(1, LAST_ROW)]
        while waiting and failures < MOST_FAILURES:
            first, last = waiting.pop()
            rows = self._rows(f"{query} WHERE rowid BETWEEN ? AND ? ORDER BY rowid", (first, last))
            if rows is not None:
                self._in_gap = self._in_gap and not rows
                failures = 0 if rows else failures
                yield from map(make, rows)
                continue
            failures += 1
            if first == last:
                self.gaps += not self._in_gap
                self._in_gap = True
            else:
                middle = (first + last) // 2
                waiting += [(middle + 1, last), (first, middle)]

    def _rows(self, query: str, span: Sequence[int]) -> list[sqlite3.Row] | None:
        try:
            return self._connection.execute(query, span).fetchall()
        except sqlite3.Error as error:
            # The plain error is one of the query: there is no such table or column, so there is nothing to read.
            return [] if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR else None
