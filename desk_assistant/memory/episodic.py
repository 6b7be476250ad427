"""The episodic layer: what happened, one record a turn and one summary a session.

The turn, not the exchange, is the record: an answer and its question are found by different words, and a record that
holds both is found by neither as well. The full-text side of each record also sees its date and the turn it answers,
which is where the words of "yes, that one" are; that is the largest single gain in finding the right turn.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from desk_assistant import textkit
from desk_assistant.index.lexical import lexical_text
from desk_assistant.memory import summarise
from desk_assistant.memory.extract import is_passing, times
from desk_assistant.memory.passages import chunks
from desk_assistant.memory.retention import PASSING_IMPORTANCE
from desk_assistant.store import Episode, Message, Store

CHUNK_CHARACTERS: Final = 1200
MAX_CHUNKS: Final = 200
ROLE_IMPORTANCE: Final = {"user": 0.5, "assistant": 0.35, "system": 0.3}
SUMMARY_IMPORTANCE: Final = 0.6
SUMMARY_TOMBSTONE: Final = "summary\x1f{session}"


class EpisodicMemory:
    """Makes episodes from messages and keeps them in the store, with a job for the index in the same transaction."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def remember(self, message: Message) -> list[str]:
        """Make or remake the episodes of one message; return the ids of those that the index has to look at.

        A long message becomes several records, so that its start, middle and end can all be found. Ids follow from
        the message's id: doing it twice changes nothing.
        """
        before = self._store.transcripts.before(message)
        episodes = list(_episodes(message, before))
        old = {e.id for e in self._store.episodes.from_messages([message.id]) if e.kind == "turn"}
        new = {episode.id for episode in episodes}
        with self._store.transaction():
            for episode in episodes:
                self._store.episodes.put(episode)
            self._store.episodes.delete(old - new)
            self._store.outbox.put("index", sorted(old | new))
        return sorted(old | new)

    def summarise(self, session_id: str) -> str | None:
        """Make or remake the summary of a session; return its episode id, or None when there is nothing to sum up."""
        episode_id = summary_id(session_id)
        messages = self._store.transcripts.path(session_id)
        forgotten = SUMMARY_TOMBSTONE.format(session=session_id) in self._store.tombstones
        summary = None if forgotten else summarise.summarise(messages)
        with self._store.transaction():
            if summary is None:
                self._store.episodes.delete([episode_id])
            else:
                self._store.episodes.put(
                    Episode(
                        id=episode_id,
                        kind="summary",
                        session_id=session_id,
                        text=summary.text,
                        lexical=summary.text,
                        created_at=messages[-1].created_at,
                        language=textkit.guess_language(summary.text),
                        role="system",
                        importance=SUMMARY_IMPORTANCE,
                        position=messages[-1].seq,
                        messages=summary.message_ids,
                    )
                )
            if messages:
                self._store.transcripts.set_summarised(session_id, messages[-1].seq)
            self._store.outbox.put("index", [episode_id])
        return episode_id if summary else None

    def needs_summary(self, session_id: str) -> bool:
        """Tell whether the session has messages that its summary does not cover."""
        messages = self._store.transcripts.path(session_id)
        return bool(messages) and messages[-1].seq > self._store.transcripts.summarised_up_to(session_id)


def summary_id(session_id: str) -> str:
    """Return the id of a session's summary."""
    return f"e_sum_{session_id}"


def turn_id(message_id: str, chunk: int = 0) -> str:
    """Return the id of a message's record, or of one of its parts."""
    base = f"e_{message_id.removeprefix('m_')}"
    return base if chunk == 0 else f"{base}.{chunk}"


def dated(text: str, said_at: datetime) -> str:
    """Write the date behind each relative one ("yesterday (2026-05-10)"), so that it can be found and read later.

    Dates count from the message's own local day; a date that names its year is left as it is.
    """
    pieces: list[str] = []
    position = 0
    for mention in times.resolve(text, said_at):
        if mention.date is None or mention.date[:4] in mention.text or len(mention.date) < len("2026-05"):
            continue
        moment = mention.date if mention.until is None else f"{mention.date}…{mention.until}"
        pieces += text[position : mention.end], f" ({moment})"
        position = mention.end
    return "".join([*pieces, text[position:]])


def _episodes(message: Message, before: Message | None) -> Iterable[Episode]:
    text = message.content.strip()
    said_at = datetime.fromisoformat(message.created_at)
    if not any(character.isalnum() for character in text):
        return
    answers = before is not None and (before.role, before.name) != (message.role, message.name)
    context = before.content if before is not None and answers else ""
    passing = message.role == "user" and is_passing(message.content)
    for number, chunk in enumerate(chunks(text, CHUNK_CHARACTERS)[:MAX_CHUNKS]):
        spoken = dated(chunk, said_at)
        if message.name:
            spoken = f"{message.name}: {spoken}"
        yield Episode(
            id=turn_id(message.id, number),
            kind="turn",
            session_id=message.session_id,
            text=spoken,
            lexical=lexical_text(spoken, said_at=said_at, before=context if number == 0 else ""),
            created_at=message.created_at,
            language=textkit.guess_language(chunk),
            role=message.role,
            speaker=message.name or "",
            importance=PASSING_IMPORTANCE if passing else ROLE_IMPORTANCE[message.role],
            position=message.seq,
            messages=(message.id,),
        )
