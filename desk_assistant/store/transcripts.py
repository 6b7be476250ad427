"""Sessions and messages: what was said, in an append-only tree."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import replace

from desk_assistant.errors import NotFoundError
from desk_assistant.store.database import Database
from desk_assistant.store.records import Message, MessageState, Session, epoch_of, new_id, now_iso


class Transcripts:
    """Reads and writes sessions and their messages.

    Every method raises `StorageError` when the disk refuses (see `Database`).
    """

    def __init__(self, database: Database) -> None:
        self._db = database

    # --- sessions -------------------------------------------------------------------------------------------------

    def create_session(
        self, session_id: str | None = None, *, title: str = "", origin: str = "chat", at: str | None = None
    ) -> Session:
        """Create a session, or return it when one with this id exists."""
        moment = at or now_iso()
        name = session_id or new_id("session")
        with self._db.transaction():
            self._db.execute(
                "INSERT OR IGNORE INTO sessions (id, title, created_at, updated_at, origin) VALUES (?, ?, ?, ?, ?)",
                (name, title, moment, moment, origin),
            )
        return self.session(name)

    def session(self, session_id: str) -> Session:
        """Return one session.

        Raises:
            NotFoundError: There is no such session.
        """
        row = self._db.row(_SESSION + " WHERE s.id = ?", (session_id,))
        if row is None:
            raise NotFoundError("store.no_record", id=session_id)
        return session_of(row)

    def find_session(self, session_id: str) -> Session | None:
        """Return one session, None when there is no such."""
        row = self._db.row(_SESSION + " WHERE s.id = ?", (session_id,))
        return session_of(row) if row is not None else None

    def sessions(self, limit: int = 500) -> list[Session]:
        """Return sessions, pinned ones first, then the most recently used."""
        return [
            session_of(row)
            for row in self._db.rows(
                _SESSION + " ORDER BY s.pinned DESC, s.updated_at DESC, s.rowid DESC LIMIT ?", (limit,)
            )
        ]

    def rename_session(self, session_id: str, title: str) -> None:
        """Give a session a title."""
        with self._db.transaction():
            self._db.execute("UPDATE sessions SET title = ? WHERE id = ?", (title, session_id))

    def pin_session(self, session_id: str, pinned: bool) -> None:
        """Pin a session to the top of the list, or unpin it."""
        with self._db.transaction():
            self._db.execute("UPDATE sessions SET pinned = ? WHERE id = ?", (pinned, session_id))

    def delete_session(self, session_id: str) -> None:
        """Delete a session with its messages and episodes (facts stay; see `memory.forget` for erasure)."""
        with self._db.transaction():
            self._db.execute("DELETE FROM sessions WHERE id = ?", (session_id,))

    # --- messages -------------------------------------------------------------------------------------------------

    def append(self, message: Message) -> Message:
        """Store a message as the new head of its session and return it with its place (`seq`).

        A message whose `ref` the session already has is not stored again; the stored one is returned.
        """
        return self.append_all([message])[0]

    def append_all(self, messages: Iterable[Message]) -> list[Message]:
        """Store several messages in one transaction; see `append`."""
        stored: list[Message] = []
        with self._db.transaction():
            for message in messages:
                known = self._by_ref(message) if message.ref is not None else None
                stored.append(known or self._insert(message))
        return stored

    def _by_ref(self, message: Message) -> Message | None:
        row = self._db.row("SELECT * FROM messages WHERE session_id = ? AND ref = ?", (message.session_id, message.ref))
        return message_of(row) if row else None

    def has_ref(self, session_id: str, ref: str) -> bool:
        """Tell whether a session has a message with this imported id."""
        return self._db.row("SELECT 1 FROM messages WHERE session_id = ? AND ref = ?", (session_id, ref)) is not None

    def refs(self, session_id: str) -> dict[str, str]:
        """Return the ids of a session's imported messages by the ids they came with."""
        rows = self._db.rows("SELECT ref, id FROM messages WHERE session_id = ? AND ref IS NOT NULL", (session_id,))
        return {row[0]: row[1] for row in rows}

    def _insert(self, message: Message) -> Message:
        cursor = self._db.execute(
            """INSERT INTO messages
               (id, session_id, parent_id, ref, role, name, content, created_at, epoch, state, recalled)
               VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
            (
                message.id,
                message.session_id,
                message.parent_id,
                message.ref,
                message.role,
                message.name,
                message.content,
                message.created_at,
                epoch_of(message.created_at),
                message.state,
                message.recalled,
            ),
        )
        self._db.execute(
            "UPDATE sessions SET head_id = ?, updated_at = max(updated_at, ?) WHERE id = ?",
            (message.id, message.created_at, message.session_id),
        )
        return replace(message, seq=int(cursor.lastrowid or 0))

    def update_answer(self, message_id: str, content: str, state: MessageState) -> None:
        """Checkpoint an answer while it streams, or close it."""
        with self._db.transaction():
            self._db.execute("UPDATE messages SET content = ?, state = ? WHERE id = ?", (content, state, message_id))

    def redact(self, message_id: str, content: str) -> None:
        """Replace the content of a message, when part of it was forgotten."""
        with self._db.transaction():
            self._db.execute("UPDATE messages SET content = ? WHERE id = ?", (content, message_id))

    def message(self, message_id: str) -> Message:
        """Return one message by its own id, or by an imported id when only one session has it.

        Raises:
            NotFoundError: There is no such message, or the imported id is in several sessions.
        """
        row = self._db.row("SELECT * FROM messages WHERE id = ?", (message_id,))
        if row is None:
            rows = self._db.rows("SELECT * FROM messages WHERE ref = ? LIMIT 2", (message_id,))
            row = rows[0] if len(rows) == 1 else None
        if row is None:
            raise NotFoundError("store.no_record", id=message_id)
        return message_of(row)

    def messages_by_id(self, message_ids: Iterable[str]) -> dict[str, Message]:
        """Return those of the messages that exist, by id."""
        found: dict[str, Message] = {}
        ids = list(dict.fromkeys(message_ids))
        for start in range(0, len(ids), 500):
            part = ids[start : start + 500]
            marks = ",".join("?" * len(part))
            for row in self._db.rows(f"SELECT * FROM messages WHERE id IN ({marks})", part):
                found[row["id"]] = message_of(row)
        return found

    def all_messages(self, session_id: str) -> list[Message]:
        """Return every message of a session in the order it was stored, all branches."""
        return [
            message_of(row)
            for row in self._db.rows("SELECT * FROM messages WHERE session_id = ? ORDER BY seq", (session_id,))
        ]

    def path(self, session_id: str) -> list[Message]:
        """Return the branch that is shown: from the first message to the session's head."""
        messages = {message.id: message for message in self.all_messages(session_id)}
        current = self.session(session_id).head_id
        branch: list[Message] = []
        while current is not None and current in messages:
            message = messages.pop(current)  # popped, so that damaged links cannot make a circle
            branch.append(message)
            current = message.parent_id
        return branch[::-1]

    def before(self, message: Message) -> Message | None:
        """Return the message before this one on its branch."""
        if message.parent_id is None:
            return None
        row = self._db.row("SELECT * FROM messages WHERE id = ?", (message.parent_id,))
        return message_of(row) if row else None

    def set_head(self, session_id: str, message_id: str | None) -> None:
        """Show another branch: the one that ends in this message."""
        with self._db.transaction():
            self._db.execute("UPDATE sessions SET head_id = ? WHERE id = ?", (message_id, session_id))

    def search(self, query: str, limit: int = 50) -> list[Message]:
        """Return messages that contain every word of `query`, newest first; upper and lower case are the same."""
        words = query.split()
        if not words:
            return []
        condition = " AND ".join("content LIKE ? ESCAPE '\\'" for _ in words)
        return [
            message_of(row)
            for row in self._db.rows(
                f"SELECT * FROM messages WHERE {condition} ORDER BY epoch DESC, seq DESC LIMIT ?",
                [*map(like, words), limit],
            )
        ]

    def search_exact(self, words: str, limit: int = 20) -> list[Message]:
        """Return messages that contain `words` as they stand, newest first."""
        return [
            message_of(row)
            for row in self._db.rows(
                "SELECT * FROM messages WHERE instr(content, ?) > 0 ORDER BY seq DESC LIMIT ?", (words, limit)
            )
        ]

    def children(self, message_id: str) -> list[Message]:
        """Return the messages that follow this one, one for each branch."""
        return [message_of(row) for row in self._db.rows("SELECT * FROM messages WHERE parent_id = ?", (message_id,))]

    def sessions_that_used(self, record_id: str) -> set[str]:
        """Return the sessions with an answer for which this record was recalled."""
        rows = self._db.rows(
            "SELECT DISTINCT session_id FROM messages WHERE recalled IS NOT NULL AND instr(recalled, ?) > 0",
            (record_id,),
        )
        return {row[0] for row in rows}

    def recalled(self) -> Iterator[tuple[str, str]]:
        """Yield the session of each answer and what was recalled for it, as it is stored."""
        for row in self._db.rows("SELECT session_id, recalled FROM messages WHERE recalled IS NOT NULL"):
            yield row[0], row[1]

    def walk(self, batch: int = 500) -> Iterator[list[Message]]:
        """Yield all messages in batches, oldest first, without holding them all in memory."""
        last = -1
        while rows := self._db.rows("SELECT * FROM messages WHERE seq > ? ORDER BY seq LIMIT ?", (last, batch)):
            last = rows[-1]["seq"]
            yield [message_of(row) for row in rows]

    def between(self, since: float, until: float) -> list[Message]:
        """Return the messages said from `since` up to, not including, `until` (seconds since 1970), oldest first."""
        rows = self._db.rows("SELECT * FROM messages WHERE epoch >= ? AND epoch < ? ORDER BY seq", (since, until))
        return [message_of(row) for row in rows]

    def delete_message(self, message_id: str) -> None:
        """Delete a message; what followed it follows the message before it."""
        with self._db.transaction():
            row = self._db.row("SELECT session_id, parent_id FROM messages WHERE id = ?", (message_id,))
            if row is None:
                return
            self._db.execute("UPDATE messages SET parent_id = ? WHERE parent_id = ?", (row["parent_id"], message_id))
            self._db.execute(
                "UPDATE sessions SET head_id = ? WHERE id = ? AND head_id = ?",
                (row["parent_id"], row["session_id"], message_id),
            )
            self._db.execute("DELETE FROM messages WHERE id = ?", (message_id,))
            self._db.execute(
                "DELETE FROM episodes WHERE kind = 'turn' AND id IN"
                " (SELECT episode_id FROM episode_sources WHERE message_id = ?)",
                (message_id,),
            )

    def close_interrupted(self) -> list[str]:
        """Mark answers that were streaming when the program died as stopped; return their ids.

        What had been streamed up to the last checkpoint stays.
        """
        with self._db.transaction():
            rows = self._db.rows("SELECT id FROM messages WHERE state = 'streaming'")
            self._db.execute("UPDATE messages SET state = 'stopped' WHERE state = 'streaming'")
        return [row["id"] for row in rows]

    def summarised_up_to(self, session_id: str) -> int:
        """Return the `seq` of the last message that the session's summary covers."""
        row = self._db.row("SELECT summarised_seq FROM sessions WHERE id = ?", (session_id,))
        return int(row[0]) if row else 0

    def resting(self, before: float, after: float) -> list[str]:
        """Return the sessions with messages that no summary covers, the last of them said in a time span.

        Args:
            before: Seconds since 1970; who said something later is still talking.
            after: Seconds since 1970; what has rested longer was looked at when it ended.
        """
        rows = self._db.rows(
            """SELECT s.id FROM sessions s JOIN messages m ON m.session_id = s.id GROUP BY s.id
               HAVING max(m.seq) > s.summarised_seq AND max(m.epoch) BETWEEN ? AND ?""",
            (after, before),
        )
        return [row[0] for row in rows]

    def set_summarised(self, session_id: str, seq: int) -> None:
        """Record up to which message the session's summary reaches."""
        with self._db.transaction():
            self._db.execute("UPDATE sessions SET summarised_seq = ? WHERE id = ?", (seq, session_id))

    def count(self) -> tuple[int, int]:
        """Return the numbers of sessions and messages."""
        row = self._db.row("SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM messages)")
        return (int(row[0]), int(row[1])) if row else (0, 0)


def like(word: str) -> str:
    """Return a LIKE pattern that finds `word` literally (escape character: backslash)."""
    escaped = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


_SESSION = "SELECT s.*, (SELECT count(*) FROM messages m WHERE m.session_id = s.id) AS message_count FROM sessions s"


def session_of(row: sqlite3.Row) -> Session:
    """Return the session that a row holds."""
    return Session(
        id=row["id"],
        title=row["title"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        origin=row["origin"],
        pinned=bool(row["pinned"]),
        head_id=row["head_id"],
        message_count=row["message_count"],
    )


def message_of(row: sqlite3.Row) -> Message:
    """Return the message that a row holds."""
    return Message(
        id=row["id"],
        session_id=row["session_id"],
        role=row["role"],
        content=row["content"],
        created_at=row["created_at"],
        parent_id=row["parent_id"],
        ref=row["ref"],
        name=row["name"],
        state=row["state"],
        recalled=row["recalled"],
        seq=row["seq"],
    )
