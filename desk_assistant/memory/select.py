"""What a wish to forget means in records: a person, a topic, a time span, everything. Shown first, then erased."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from desk_assistant.memory import traces
from desk_assistant.memory.erasure import Record
from desk_assistant.memory.extract import normal_form
from desk_assistant.memory.recall import Recaller
from desk_assistant.memory.records import SearchHit
from desk_assistant.memory.wording import full_text
from desk_assistant.store import Episode, Fact, Message, Session, Store

MOST: Final = 100_000
RECALLED: Final = 10
"""Records that a topic is taken to mean by their sense, beside those that hold its words."""


@dataclass(frozen=True)
class Selection:
    """Records to be forgotten together.

    Attributes:
        hits: What they say, for the person to look through before anything happens.
    """

    hits: tuple[SearchHit, ...] = ()

    @property
    def ids(self) -> tuple[str, ...]:
        """Ids to hand to `Memory.forget`."""
        return tuple(dict.fromkeys(hit.id for hit in self.hits))


class Selector:
    """Finds the records that a wish to forget means. Changes nothing.

    Args:
        store: The database.
        recaller: Finds what belongs to a topic by its sense.
        hidden: Returns the ids that are being forgotten already.
    """

    def __init__(self, store: Store, recaller: Recaller, hidden: Callable[[], set[str]]) -> None:
        self._store = store
        self._recaller = recaller
        self._hidden = hidden

    async def session(self, session_id: str) -> Selection:
        """Return one conversation.

        Raises:
            NotFoundError: There is none with this id.
        """
        return await asyncio.to_thread(self._sessions, [session_id])

    async def goes_with(self, session_id: str) -> Selection:
        """Return what forgetting a conversation takes along: what was learnt from it alone, and its messages.

        Raises:
            NotFoundError: There is none with this id.
        """

        def work() -> Selection:
            messages = self._store.transcripts.all_messages(self._store.transcripts.session(session_id).id)
            facts = [
                fact
                for batch in self._store.facts.walk()
                for fact in batch
                if fact.sources and all(source.session_id == session_id for source in fact.sources)
            ]
            return self._selection(facts, messages)

        return await asyncio.to_thread(work)

    async def person(self, name: str) -> Selection:
        """Return all facts about somebody, by name, relation or other name, and the messages that mention them.

        What else was learnt from those messages alone is among the facts: it goes with them.
        """

        def work() -> Selection:
            names = self._names(name)
            facts = [
                fact
                for batch in self._store.facts.walk()
                for fact in batch
                if any(traces.carries(f"{fact.subject}\n{fact.object}\n{fact.text}", known) for known in names)
            ]
            messages = self._mentioning(names)
            return self._selection(self._going_along(facts, messages), messages)

        return await asyncio.to_thread(work)

    async def about(self, words: str) -> Selection:
        """Return the facts and messages that hold the words, and what memory would recall for them.

        What else was learnt from those messages alone is among the facts: it goes with them.
        """
        recalled = await self._recaller.recall(words, limit=RECALLED)

        def work() -> Selection:
            facts = {fact.id: fact for fact in self._store.facts.search(words, MOST)}
            messages = {message.id: message for message in self._store.transcripts.search(words, MOST)}
            facts |= self._store.facts.by_id(item.id for item in recalled.items if item.layer == "semantic")
            episodes = self._store.episodes.by_id(i.id for i in recalled.items if i.kind == "turn")
            messages |= self._store.transcripts.messages_by_id(m for e in episodes.values() for m in e.messages)
            return self._selection(self._going_along(facts.values(), messages.values()), messages.values())

        return await asyncio.to_thread(work)

    async def between(self, since: datetime | None, until: datetime | None) -> Selection:
        """Return what was said and learnt from `since` up to, not including, `until`; None is open."""
        start = since.timestamp() if since else float("-inf")
        end = until.timestamp() if until else float("inf")

        def work() -> Selection:
            messages = self._store.transcripts.between(start, end)
            said = {message.id for message in messages}
            facts = [
                fact
                for batch in self._store.facts.walk()
                for fact in batch
                if {source.message_id for source in fact.sources} <= said
                and start <= datetime.fromisoformat(fact.created_at).timestamp() < end
            ]
            return self._selection(facts, messages)

        return await asyncio.to_thread(work)

    async def everything(self) -> Selection:
        """Return all conversations, notes and facts."""

        def work() -> Selection:
            sessions = self._sessions(session.id for session in self._store.transcripts.sessions(MOST))
            facts = [fact for batch in self._store.facts.walk() for fact in batch]
            return Selection((*sessions.hits, *self._selection(facts, ()).hits))

        return await asyncio.to_thread(work)

    def _sessions(self, session_ids: Iterable[str]) -> Selection:
        found = [self._store.transcripts.session(session_id) for session_id in session_ids]
        hidden = self._hidden()
        return Selection(tuple(hit_of(session) for session in found if session.id not in hidden))

    def _names(self, name: str) -> set[str]:
        """Return the name with the other names of the same person."""
        wanted, names = normal_form(name), {name}
        for fact in self._store.facts.all(("active", "pending")):
            own = {fact.subject.partition(" (")[0], fact.subject, fact.object}
            if fact.predicate == "alias" and wanted in map(normal_form, own):
                names |= own - {"user"}
        return names

    def _mentioning(self, names: set[str]) -> list[Message]:
        found: dict[str, Message] = {}
        for name in names:
            for message in self._store.transcripts.search(name, MOST):
                if traces.carries(message.content, name):
                    found[message.id] = message
        return sorted(found.values(), key=lambda message: message.seq)

    def _going_along(self, facts: Iterable[Fact], messages: Iterable[Message]) -> list[Fact]:
        """Return the facts with those that rest on nothing but the messages, which an erase takes along with them."""
        found = {fact.id: fact for fact in facts}
        said = {message.id for message in messages}
        for message_id in said:
            for fact in self._store.facts.from_message(message_id):
                if {source.message_id for source in fact.sources} <= said:
                    found.setdefault(fact.id, fact)
        return list(found.values())

    def _selection(self, facts: Iterable[Fact], messages: Iterable[Message]) -> Selection:
        hidden = self._hidden()
        hits = [*map(hit_of, facts), *map(hit_of, messages)]
        return Selection(tuple(h for h in hits if h.id not in hidden and h.session_id not in hidden))


def hit_of(record: Record) -> SearchHit:
    """Return any record in the shape of a search hit."""
    match record:
        case Fact():
            session = record.sources[0].session_id if record.sources else None
            return SearchHit("fact", record.id, full_text(record), session, record.created_at, record.status)
        case Episode():
            return SearchHit("episode", record.id, record.text, record.session_id, record.created_at)
        case Message():
            return SearchHit("message", record.id, record.content, record.session_id, record.created_at)
        case Session():
            return SearchHit("session", record.id, record.title, record.id, record.created_at)
