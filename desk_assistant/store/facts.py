"""The semantic layer on disk: facts with their sources and history."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields, replace

from desk_assistant.errors import NotFoundError
from desk_assistant.store.database import Database
from desk_assistant.store.records import Fact, FactChange, FactSource, FactStatus, now_iso
from desk_assistant.store.transcripts import like

_COLUMNS = tuple(field.name for field in fields(Fact) if field.name != "sources")


class Facts:
    """Reads and writes facts. Every change is also an entry in the fact's history.

    Every method raises `StorageError` when the disk refuses (see `Database`).
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    def add(self, fact: Fact, *, actor: str) -> Fact:
        """Store a new fact with its sources."""
        with self._db.transaction():
            marks = ",".join("?" * len(_COLUMNS))
            self._db.execute(
                f"INSERT INTO facts ({','.join(_COLUMNS)}) VALUES ({marks})",
                [getattr(fact, name) for name in _COLUMNS],
            )
            self._add_sources(fact.id, fact.sources)
            self._log(fact.id, actor, "added", None, fact.text)
        return fact

    def change(
        self, fact_id: str, *, actor: str, action: str, sources: Iterable[FactSource] = (), **values: object
    ) -> Fact:
        """Change columns of a fact (by the names of `Fact`), add sources, and write its history.

        Raises:
            NotFoundError: There is no such fact.
        """
        unknown = set(values) - set(_COLUMNS) - {"id"}
        if unknown:
            raise TypeError(f"facts have no column {sorted(unknown)}")
        with self._db.transaction():
            before = self.get(fact_id)
            values["version"] = before.version + 1
            assignments = ",".join(f"{name} = ?" for name in values)
            self._db.execute(f"UPDATE facts SET {assignments} WHERE id = ?", [*values.values(), fact_id])
            self._add_sources(fact_id, sources)
            after = self.get(fact_id)
            self._log(fact_id, actor, action, before.text, after.text)
        return after

    def note(
        self, fact_id: str, *, actor: str, action: str, before: str | None = None, after: str | None = None
    ) -> None:
        """Write an entry into a fact's history without changing the fact, such as a statement that contradicts it."""
        with self._db.transaction():
            self._log(fact_id, actor, action, before, after)

    def touch(self, fact_ids: Iterable[str], at: str | None = None) -> None:
        """Count an access to each fact (it was recalled); not an entry of its history."""
        moment = at or now_iso()
        with self._db.transaction():
            for fact_id in fact_ids:
                self._db.execute(
                    "UPDATE facts SET access_count = access_count + 1, last_access = ? WHERE id = ?", (moment, fact_id)
                )

    def get(self, fact_id: str) -> Fact:
        """Return one fact with its sources.

        Raises:
            NotFoundError: There is no such fact.
        """
        row = self._db.row("SELECT * FROM facts WHERE id = ?", (fact_id,))
        if row is None:
            raise NotFoundError("store.no_record", id=fact_id)
        return self._with_sources([row])[0]

    def all(
        self,
        statuses: Sequence[FactStatus] | None = ("active",),
        *,
        subject: str | None = None,
        predicate: str | None = None,
        limit: int = 100_000,
    ) -> list[Fact]:
        """Return facts, pinned ones first, then the most recently seen. `statuses=None` means all."""
        conditions: list[str] = []
        parameters: list[object] = []
        if statuses is not None:
            conditions.append(f"status IN ({','.join('?' * len(statuses))})")
            parameters += statuses
        for column, value in (("subject", subject), ("predicate", predicate)):
            if value is not None:
                conditions.append(f"{column} = ?")
                parameters.append(value)
        where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
        rows = self._db.rows(
            f"SELECT * FROM facts {where} ORDER BY pinned DESC, last_seen DESC, rowid DESC LIMIT ?",
            [*parameters, limit],
        )
        return self._with_sources(rows)

    def of_subject(self, subject: str) -> list[Fact]:
        """Return all facts about somebody, of any status, oldest first; upper and lower case are the same."""
        rows = self._db.rows("SELECT * FROM facts WHERE subject = ? COLLATE NOCASE ORDER BY rowid", (subject,))
        return self._with_sources(rows)

    def by_id(self, fact_ids: Iterable[str]) -> dict[str, Fact]:
        """Return those of the facts that exist, by id."""
        ids = list(dict.fromkeys(fact_ids))
        found: dict[str, Fact] = {}
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            rows = self._db.rows(f"SELECT * FROM facts WHERE id IN ({','.join('?' * len(part))})", part)
            found.update((fact.id, fact) for fact in self._with_sources(rows))
        return found

    def from_message(self, message_id: str) -> list[Fact]:
        """Return the facts that cite a message, whatever their status."""
        rows = self._db.rows(
            "SELECT * FROM facts WHERE id IN (SELECT fact_id FROM fact_sources WHERE message_id = ?)", (message_id,)
        )
        return self._with_sources(rows)

    def outdated(self, message_ids: Iterable[str]) -> set[str]:
        """Return those of the messages whose facts have all been superseded or retracted."""
        ids = list(dict.fromkeys(message_ids))
        found: set[str] = set()
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            rows = self._db.rows(
                f"""SELECT s.message_id FROM fact_sources s JOIN facts f ON f.id = s.fact_id
                    WHERE s.message_id IN ({",".join("?" * len(part))}) GROUP BY s.message_id
                    HAVING sum(f.status IN ('superseded', 'retracted')) = count(*)""",
                part,
            )
            found.update(row[0] for row in rows)
        return found

    def search(self, query: str, limit: int = 50) -> list[Fact]:
        """Return facts of any status whose text, subject or object contains every word of `query`."""
        words = query.split()
        if not words:
            return []
        column = "(text || ' ' || subject || ' ' || object || ' ' || predicate)"
        condition = " AND ".join(f"{column} LIKE ? ESCAPE '\\'" for _ in words)
        rows = self._db.rows(
            f"SELECT * FROM facts WHERE {condition} ORDER BY status = 'active' DESC, last_seen DESC LIMIT ?",
            [*map(like, words), limit],
        )
        return self._with_sources(rows)

    def holding(self, words: str, limit: int = 20) -> list[Fact]:
        """Return facts of any status that hold `words` as they stand."""
        rows = self._db.rows(
            "SELECT * FROM facts WHERE instr(text, ?) > 0 OR instr(object, ?) > 0 OR instr(subject, ?) > 0 LIMIT ?",
            (words, words, words, limit),
        )
        return self._with_sources(rows)

    def walk(self, batch: int = 500) -> Iterator[list[Fact]]:
        """Yield all facts in batches, oldest first, without holding them all in memory."""
        last = -1
        while rows := self._db.rows(
            "SELECT *, rowid AS place FROM facts WHERE rowid > ? ORDER BY rowid LIMIT ?", (last, batch)
        ):
            last = rows[-1]["place"]
            yield self._with_sources(rows)

    def history(self, fact_id: str) -> list[FactChange]:
        """Return what happened to a fact, oldest first."""
        rows = self._db.rows("SELECT * FROM fact_history WHERE fact_id = ? ORDER BY id", (fact_id,))
        return [
            FactChange(row["fact_id"], row["at"], row["actor"], row["action"], row["before"], row["after"])
            for row in rows
        ]

    def delete(self, fact_ids: Iterable[str]) -> None:
        """Delete facts with their sources and history."""
        with self._db.transaction():
            for fact_id in fact_ids:
                self._db.execute("UPDATE facts SET superseded_by = NULL WHERE superseded_by = ?", (fact_id,))
                self._db.execute("DELETE FROM facts WHERE id = ?", (fact_id,))

    def requote(self, message_id: str, content: str) -> None:
        """Cite anew the words that facts rest on, after some of a message were blacked out."""
        with self._db.transaction():
            for row in self._db.rows(
                'SELECT fact_id, start, "end" FROM fact_sources WHERE message_id = ?', (message_id,)
            ):
                self._db.execute(
                    "UPDATE fact_sources SET quote = ? WHERE fact_id = ? AND message_id = ? AND start = ?",
                    (content[row["start"] : row["end"]], row["fact_id"], message_id, row["start"]),
                )

    def rewrite_history(self, clean: Callable[[str, str], str]) -> None:
        """Rewrite the entries of histories that differ from what their fact says now.

        Args:
            clean: Gets the fact's present text and that of an entry, and returns what the entry is to say.
        """
        with self._db.transaction():
            rows = self._db.rows(
                """SELECT h.id, h.before, h.after, f.text FROM fact_history h JOIN facts f ON f.id = h.fact_id
                   WHERE ifnull(h.before, f.text) != f.text OR ifnull(h.after, f.text) != f.text"""
            )
            for row in rows:
                before, after = (None if row[c] is None else clean(row["text"], row[c]) for c in ("before", "after"))
                if (before, after) != (row["before"], row["after"]):
                    self._db.execute(
                        "UPDATE fact_history SET before = ?, after = ? WHERE id = ?", (before, after, row["id"])
                    )

    def drop_source(self, fact_id: str, message_id: str) -> None:
        """Remove a message from what a fact rests on; its support falls with it."""
        with self._db.transaction():
            self._db.execute("DELETE FROM fact_sources WHERE fact_id = ? AND message_id = ?", (fact_id, message_id))
            self._db.execute("UPDATE facts SET support = max(1, support - 1) WHERE id = ?", (fact_id,))

    def count(self) -> dict[str, int]:
        """Return how many facts there are by status."""
        return {row[0]: int(row[1]) for row in self._db.rows("SELECT status, count(*) FROM facts GROUP BY status")}

    def _add_sources(self, fact_id: str, sources: Iterable[FactSource]) -> None:
        for source in sources:
            self._db.execute(
                'INSERT OR IGNORE INTO fact_sources (fact_id, session_id, message_id, start, "end", quote,'
                " clause_start, clause_end) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (
                    fact_id,
                    source.session_id,
                    source.message_id,
                    source.start,
                    source.end,
                    source.quote,
                    source.clause_start,
                    source.clause_end,
                ),
            )

    def _log(self, fact_id: str, actor: str, action: str, before: str | None, after: str | None) -> None:
        self._db.execute(
            "INSERT INTO fact_history (fact_id, at, actor, action, before, after) VALUES (?, ?, ?, ?, ?, ?)",
            (fact_id, now_iso(), actor, action, before, after),
        )

    def _with_sources(self, rows: Sequence[sqlite3.Row]) -> list[Fact]:
        sources: dict[str, list[FactSource]] = {}
        ids = [row["id"] for row in rows]
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            for row in self._db.rows(
                f"SELECT * FROM fact_sources WHERE fact_id IN ({','.join('?' * len(part))}) ORDER BY message_id, start",
                part,
            ):
                sources.setdefault(row["fact_id"], []).append(
                    FactSource(
                        row["session_id"],
                        row["message_id"],
                        row["start"],
                        row["end"],
                        row["quote"],
                        row["clause_start"],
                        row["clause_end"],
                    )
                )
        return [replace(fact_of(row), sources=tuple(sources.get(row["id"], ()))) for row in rows]


def fact_of(row: sqlite3.Row) -> Fact:
    """Return the fact that a row holds, without its sources."""
    values = {name: row[name] for name in _COLUMNS}
    for name in ("polarity", "pinned", "edited"):
        values[name] = bool(values[name])
    return Fact(**values)
