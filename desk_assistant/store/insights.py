"""Insights on disk: conclusions with the records that they rest on. Derived: made anew, never changed."""

from __future__ import annotations

from collections.abc import Iterable

from desk_assistant.errors import NotFoundError
from desk_assistant.store.database import Database
from desk_assistant.store.records import Insight

_STAMP = "insights_stamp"


class Insights:
    """Reads and writes insights. Every method raises `StorageError` when the disk refuses (see `Database`)."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def is_current(self) -> bool:
        """Tell whether no fact and no turn was added, changed or taken away since they were made."""
        row = self._db.row("SELECT value FROM meta WHERE key = ?", (_STAMP,))
        return row is not None and row[0] == self._stamp()

    def replace(self, insights: Iterable[Insight]) -> None:
        """Put these in the place of all there are."""
        with self._db.transaction():
            self.clear()
            for insight in insights:
                self._db.execute(
                    "INSERT INTO insights VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (
                        insight.id,
                        insight.kind,
                        insight.text,
                        insight.key,
                        insight.language,
                        insight.sessions,
                        insight.updated_at,
                    ),
                )
                for place, record_id in enumerate(dict.fromkeys(insight.sources)):
                    self._db.execute("INSERT INTO insight_sources VALUES (?, ?, ?)", (insight.id, record_id, place))
            self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (_STAMP, self._stamp()))

    def clear(self) -> None:
        """Delete all; they are made anew when they are asked for."""
        with self._db.transaction():
            self._db.execute("DELETE FROM insight_sources")
            self._db.execute("DELETE FROM insights")
            self._db.execute("DELETE FROM meta WHERE key = ?", (_STAMP,))

    def all(self) -> list[Insight]:
        """Return the insights, the best supported first."""
        rows = self._db.rows("SELECT * FROM insights ORDER BY sessions DESC, kind, text")
        sources: dict[str, list[str]] = {}
        for row in self._db.rows("SELECT insight_id, record_id FROM insight_sources ORDER BY insight_id, place"):
            sources.setdefault(row[0], []).append(row[1])
        return [
            Insight(
                row["id"],
                row["kind"],
                row["text"],
                row["key"],
                row["language"],
                row["sessions"],
                row["updated_at"],
                tuple(sources.get(row["id"], ())),
            )
            for row in rows
        ]

    def get(self, insight_id: str) -> Insight:
        """Return one insight.

        Raises:
            NotFoundError: There is no such insight (any more).
        """
        for insight in self.all():
            if insight.id == insight_id:
                return insight
        raise NotFoundError("store.no_record", id=insight_id)

    def _stamp(self) -> str:
        facts = self._db.row("SELECT count(*), coalesce(sum(version), 0), coalesce(max(rowid), 0) FROM facts")
        turns = self._db.row("SELECT count(*), coalesce(max(rowid), 0) FROM episodes")
        return ":".join(str(value) for row in (facts, turns) for value in (tuple(row) if row is not None else ()))
