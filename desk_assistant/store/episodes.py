"""The episodic layer as SQLite keeps it: enough of every episode to rebuild the vector index from it."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterable, Iterator, Sequence

from desk_assistant.errors import NotFoundError
from desk_assistant.store.database import Database
from desk_assistant.store.records import Episode, EpisodeKind, epoch_of, now_iso
from desk_assistant.store.transcripts import like


class Episodes:
    """Reads and writes episodes. Every method raises `StorageError` when the disk refuses (see `Database`)."""

    def __init__(self, database: Database) -> None:
        self._db = database

    def put(self, episode: Episode) -> None:
        """Store an episode, or replace the one with the same id."""
        with self._db.transaction():
            self._db.execute(
                """INSERT INTO episodes
                   (id, kind, session_id, role, speaker, text, lexical, language, importance, position,
                    created_at, epoch, stored)
                   VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                   ON CONFLICT (id) DO UPDATE SET text = excluded.text, lexical = excluded.lexical,
                   language = excluded.language, importance = excluded.importance, position = excluded.position,
                   created_at = excluded.created_at, epoch = excluded.epoch""",
                (
                    episode.id,
                    episode.kind,
                    episode.session_id,
                    episode.role,
                    episode.speaker,
                    episode.text,
                    episode.lexical,
                    episode.language,
                    episode.importance,
                    episode.position,
                    episode.created_at,
                    epoch_of(episode.created_at),
                    episode.stored or time.time(),
                ),
            )
            self._db.execute("DELETE FROM episode_sources WHERE episode_id = ?", (episode.id,))
            for message_id in episode.messages:
                self._db.execute("INSERT INTO episode_sources VALUES (?, ?)", (episode.id, message_id))

    def get(self, episode_id: str) -> Episode:
        """Return one episode.

        Raises:
            NotFoundError: There is no such episode.
        """
        found = self.by_id([episode_id])
        if not found:
            raise NotFoundError("store.no_record", id=episode_id)
        return found[episode_id]

    def by_id(self, episode_ids: Iterable[str]) -> dict[str, Episode]:
        """Return those of the episodes that exist, by id."""
        ids = list(dict.fromkeys(episode_ids))
        found: dict[str, Episode] = {}
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            rows = self._db.rows(f"SELECT * FROM episodes WHERE id IN ({','.join('?' * len(part))})", part)
            found.update((episode.id, episode) for episode in self._with_sources(rows))
        return found

    def from_messages(self, message_ids: Iterable[str]) -> list[Episode]:
        """Return the episodes made from any of these messages, summaries included."""
        ids: dict[str, None] = {}
        for message_id in message_ids:
            for row in self._db.rows("SELECT episode_id FROM episode_sources WHERE message_id = ?", (message_id,)):
                ids[row[0]] = None
        return list(self.by_id(ids).values())

    def of_session(self, session_id: str, kind: EpisodeKind | None = None) -> list[Episode]:
        """Return a session's episodes in order."""
        condition, parameters = ("", [session_id]) if kind is None else (" AND kind = ?", [session_id, kind])
        rows = self._db.rows(f"SELECT * FROM episodes WHERE session_id = ?{condition} ORDER BY position", parameters)
        return self._with_sources(rows)

    def all(self, kind: EpisodeKind | None = None, *, limit: int = 100_000, offset: int = 0) -> list[Episode]:
        """Return episodes, newest first."""
        where, parameters = ("", []) if kind is None else ("WHERE kind = ?", [kind])
        rows = self._db.rows(
            f"SELECT * FROM episodes {where} ORDER BY epoch DESC, position DESC LIMIT ? OFFSET ?",
            [*parameters, limit, offset],
        )
        return self._with_sources(rows)

    def between(self, start: float, end: float, spoken_of: str = "", limit: int = 200) -> list[Episode]:
        """Return the turns said from `start` up to `end`, oldest first.

        Args:
            start: Seconds since 1970.
            end: Seconds since 1970, not included.
            spoken_of: Turns of other times that hold these words count too; none when empty.
            limit: Turns at most.
        """
        rows = self._db.rows(
            "SELECT * FROM episodes WHERE kind = 'turn' AND NOT archived AND ((epoch >= ? AND epoch < ?)"
            " OR (? != '' AND text LIKE ? ESCAPE '\\')) ORDER BY epoch, position LIMIT ?",
            (start, end, spoken_of, like(spoken_of), limit),
        )
        return self._with_sources(rows)

    def search(self, query: str, limit: int = 50) -> list[Episode]:
        """Return episodes that contain every word of `query`, newest first."""
        words = query.split()
        if not words:
            return []
        condition = " AND ".join("text LIKE ? ESCAPE '\\'" for _ in words)
        rows = self._db.rows(
            f"SELECT * FROM episodes WHERE {condition} ORDER BY epoch DESC LIMIT ?", [*map(like, words), limit]
        )
        return self._with_sources(rows)

    def walk(self, batch: int = 500) -> Iterator[list[Episode]]:
        """Yield all episodes in batches, oldest first, without holding them all in memory."""
        last = -1
        while True:
            rows = self._db.rows(
                "SELECT *, rowid AS place FROM episodes WHERE rowid > ? ORDER BY rowid LIMIT ?", (last, batch)
            )
            if not rows:
                return
            last = rows[-1]["place"]
            yield self._with_sources(rows)

    def touch(self, episode_ids: Iterable[str]) -> None:
        """Count an access to each episode (it was recalled)."""
        moment = now_iso()
        with self._db.transaction():
            for episode_id in episode_ids:
                self._db.execute(
                    "UPDATE episodes SET access_count = access_count + 1, last_access = ? WHERE id = ?",
                    (moment, episode_id),
                )

    def delete(self, episode_ids: Iterable[str]) -> None:
        """Delete episodes."""
        with self._db.transaction():
            for episode_id in episode_ids:
                self._db.execute("DELETE FROM episodes WHERE id = ?", (episode_id,))

    def set_archived(self, episode_ids: Iterable[str], archived: bool) -> None:
        """Put episodes aside, or bring them back."""
        with self._db.transaction():
            for episode_id in episode_ids:
                self._db.execute("UPDATE episodes SET archived = ? WHERE id = ?", (archived, episode_id))

    def archived(self, limit: int = 10_000) -> list[Episode]:
        """Return the episodes that stepped aside, newest first."""
        rows = self._db.rows(
            "SELECT * FROM episodes WHERE archived ORDER BY epoch DESC, position DESC LIMIT ?", (limit,)
        )
        return self._with_sources(rows)

    def said_by_user(self, limit: int) -> list[Episode]:
        """Return the newest turns of the person, newest first."""
        rows = self._db.rows(
            "SELECT * FROM episodes WHERE kind = 'turn' AND role = 'user' ORDER BY epoch DESC, position DESC LIMIT ?",
            (limit,),
        )
        return self._with_sources(rows)

    def present(self) -> Iterator[Episode]:
        """Yield the turns in recall, oldest first."""
        for batch in self.walk():
            yield from (episode for episode in batch if episode.kind == "turn" and not episode.archived)

    def count(self) -> dict[str, int]:
        """Return how many episodes there are by kind."""
        return {row[0]: int(row[1]) for row in self._db.rows("SELECT kind, count(*) FROM episodes GROUP BY kind")}

    def _with_sources(self, rows: Sequence[sqlite3.Row]) -> list[Episode]:
        sources: dict[str, list[str]] = {}
        ids = [row["id"] for row in rows]
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            marks = ",".join("?" * len(part))
            for row in self._db.rows(
                f"""SELECT s.episode_id, s.message_id FROM episode_sources s LEFT JOIN messages m ON m.id = s.message_id
                    WHERE s.episode_id IN ({marks}) ORDER BY m.seq""",
                part,
            ):
                sources.setdefault(row[0], []).append(row[1])
        return [
            Episode(
                id=row["id"],
                kind=row["kind"],
                session_id=row["session_id"],
                role=row["role"],
                speaker=row["speaker"],
                text=row["text"],
                lexical=row["lexical"],
                language=row["language"],
                importance=row["importance"],
                position=row["position"],
                created_at=row["created_at"],
                access_count=row["access_count"],
                messages=tuple(sources.get(row["id"], ())),
                archived=bool(row["archived"]),
                last_access=row["last_access"],
                stored=row["stored"],
            )
            for row in rows
        ]
