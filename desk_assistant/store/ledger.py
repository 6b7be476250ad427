"""Small ledgers: the audit trail, tombstones of what was forgotten, and a few named values."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable, Mapping
from typing import Final

from desk_assistant.store.database import Database
from desk_assistant.store.records import AuditEntry, now_iso

TOMBSTONE_KEY: Final = "tombstone_key"
"""Name of what marks are hashed with, among the named values."""


class Audit:
    """An append-only trail of writes, recalls and erasures. It names records by id and never holds content."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def write(self, actor: str, action: str, layer: str, record_ids: Iterable[str]) -> None:
        """Add one entry a record."""
        moment = now_iso()
        with self._db.transaction():
            for record_id in record_ids:
                self._db.execute(
                    "INSERT INTO audit (at, actor, action, layer, record_id) VALUES (?, ?, ?, ?, ?)",
                    (moment, actor, action, layer, record_id),
                )

    def rename(self, record_id: str, name: str) -> None:
        """Call a record by another name from its first entry on: ids of imports may say something themselves."""
        with self._db.transaction():
            self._db.execute("UPDATE audit SET record_id = ? WHERE record_id = ?", (name, record_id))

    def recent(self, limit: int = 500) -> list[AuditEntry]:
        """Return the newest entries, newest first."""
        return [
            AuditEntry(row["at"], row["actor"], row["action"], row["layer"], row["record_id"])
            for row in self._db.rows("SELECT * FROM audit ORDER BY id DESC LIMIT ?", (limit,))
        ]


class Meta:
    """Named values of the profile, such as the key that tombstones are hashed with."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def get(self, key: str) -> str | None:
        """Return a value, or None."""
        row = self._db.row("SELECT value FROM meta WHERE key = ?", (key,))
        return str(row[0]) if row else None

    def set(self, key: str, value: str) -> None:
        """Store a value."""
        with self._db.transaction():
            self._db.execute(
                "INSERT INTO meta VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", (key, value)
            )

    def setdefault(self, key: str, value: str) -> str:
        """Store a value unless there is one; return the one that holds."""
        with self._db.transaction():
            self._db.execute("INSERT OR IGNORE INTO meta VALUES (?, ?)", (key, value))
        return self.get(key) or value


class Tombstones:
    """Marks of forgotten statements, so that an import or a second extraction cannot bring them back.

    A mark is HMAC-SHA-256 of the statement's normal form under a random key of the profile: nothing readable stays,
    and equal statements in two profiles have different marks.
    """

    def __init__(self, database: Database, meta: Meta) -> None:
        self._db = database
        self._meta = meta
        self._key: bytes | None = None

    def _digest(self, statement: str) -> str:
        if self._key is None:
            self._key = bytes.fromhex(self._meta.setdefault(TOMBSTONE_KEY, secrets.token_hex(32)))
        return hmac.new(self._key, statement.encode("utf-8", "replace"), hashlib.sha256).hexdigest()

    def add(self, statements: Iterable[str]) -> None:
        """Mark statements (normal forms) as forgotten."""
        moment = now_iso()
        with self._db.transaction():
            for statement in statements:
                self._db.execute("INSERT OR IGNORE INTO tombstones VALUES (?, ?)", (self._digest(statement), moment))

    def remove(self, statements: Iterable[str]) -> None:
        """Lift marks: the person said it anew, or took the forgetting back."""
        with self._db.transaction():
            for statement in statements:
                self._db.execute("DELETE FROM tombstones WHERE digest = ?", (self._digest(statement),))

    def since(self) -> dict[str, str]:
        """Return all marks with the time they were set (ISO 8601)."""
        return {row[0]: row[1] for row in self._db.rows("SELECT digest, created_at FROM tombstones")}

    def adopt(self, other: Tombstones) -> bool:
        """Take over all marks of another database; False when both have marks and their keys differ.

        Nothing is changed then: a mark cannot be made anew under another key, as nothing readable stays of it.
        """
        theirs = other._meta.get(TOMBSTONE_KEY)
        return theirs is None or self.adopt_marks(theirs, other.since())

    def adopt_marks(self, key: str, marks: Mapping[str, str]) -> bool:
        """Take over marks that were read from a file; False, and nothing changed, if there are others of another key.

        Args:
            key: What they were hashed with, in hexadecimal.
            marks: Digest -> time.
        """
        if self._meta.get(TOMBSTONE_KEY) != key and self:
            return False
        with self._db.transaction():
            self._meta.set(TOMBSTONE_KEY, key)
            self._key = None
            for digest, moment in marks.items():
                self._db.execute("INSERT OR IGNORE INTO tombstones VALUES (?, ?)", (digest, moment))
        return True

    def mark_of(self, statement: str) -> str:
        """Return the mark that a statement has, or would have."""
        return self._digest(statement)

    def pseudonym(self, name: str) -> str:
        """Return a name that tells nothing, the same for the same name."""
        return f"forgotten-{self._digest(name)[:10]}"

    def __bool__(self) -> bool:
        return self._db.row("SELECT 1 FROM tombstones LIMIT 1") is not None

    def __contains__(self, statement: object) -> bool:
        if not isinstance(statement, str):
            return False
        return self._db.row("SELECT 1 FROM tombstones WHERE digest = ?", (self._digest(statement),)) is not None
