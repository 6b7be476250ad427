"""SQLite: transcripts, facts, episodes, the outbox of pending work, and the ledgers. SQL lives here alone."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

from desk_assistant.store.database import Database
from desk_assistant.store.episodes import Episodes
from desk_assistant.store.facts import Facts
from desk_assistant.store.graph import Entity, GraphTables, Relation
from desk_assistant.store.insights import Insights
from desk_assistant.store.ledger import Audit, Meta, Tombstones
from desk_assistant.store.outbox import Outbox
from desk_assistant.store.ports import EpisodeStore, FactStore, GraphStore
from desk_assistant.store.records import (
    AuditEntry,
    Episode,
    Fact,
    FactChange,
    FactSource,
    FactStatus,
    Insight,
    InsightKind,
    Job,
    Message,
    MessageState,
    Role,
    Session,
    epoch_of,
    new_id,
    now_iso,
)
from desk_assistant.store.transcripts import Transcripts

__all__ = [
    "AuditEntry",
    "Entity",
    "Episode",
    "Fact",
    "FactChange",
    "FactSource",
    "FactStatus",
    "Insight",
    "InsightKind",
    "Job",
    "Message",
    "MessageState",
    "Relation",
    "Role",
    "Session",
    "Store",
    "epoch_of",
    "new_id",
    "now_iso",
]


class Store:
    """All tables of one profile.

    Methods are synchronous and short; call them from a thread where a stall would be seen.

    Args:
        path: The SQLite file.
        backups: Folder for copies made before migrations.

    Raises:
        StorageError: The file cannot be opened, is damaged, or is newer than the program.
    """

    def __init__(self, path: Path, backups: Path) -> None:
        self._database = Database(path, backups)
        self.transcripts = Transcripts(self._database)
        self.facts: FactStore = Facts(self._database)
        self.episodes: EpisodeStore = Episodes(self._database)
        self.graph: GraphStore = GraphTables(self._database)
        self.insights = Insights(self._database)
        self.outbox = Outbox(self._database)
        self.audit = Audit(self._database)
        self.meta = Meta(self._database)
        self.tombstones = Tombstones(self._database, self.meta)

    def transaction(self) -> AbstractContextManager[None]:
        """Return a context in which all writes are kept together or not at all."""
        return self._database.transaction()

    def back_up(self, reason: str) -> Path:
        """Copy the database into the backups folder, before something is changed in bulk; returns the copy.

        Args:
            reason: Goes into the file's name, such as `before-cleanup`.
        """
        return self._database.back_up(reason)

    def scrub(self) -> None:
        """Make deleted content unrecoverable from the file and its log."""
        self._database.scrub()

    def checkpoint(self) -> None:
        """Write the log into the file and empty it, so that what was just deleted is in neither."""
        self._database.checkpoint()

    def data_version(self) -> int:
        """Return a number that changes when another program has written."""
        return self._database.data_version()

    def close(self) -> None:
        """Close the database."""
        self.outbox.retire()
        self._database.close()
