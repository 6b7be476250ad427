"""Looking through what is stored: lists, searches by words, single records and their source words. Synchronous."""

from __future__ import annotations

from collections.abc import Sequence

from desk_assistant.errors import NotFoundError
from desk_assistant.memory.erasure import Record
from desk_assistant.memory.forget import Forgetter
from desk_assistant.memory.records import SearchHit
from desk_assistant.store import Episode, Fact, FactChange, Message, Session, Store
from desk_assistant.store.records import PREFIXES


class Browser:
    """Reads records for lists and panels; what is being forgotten is in none of them.

    Args:
        store: The database.
        forgetter: Knows what is set aside.
    """

    def __init__(self, store: Store, forgetter: Forgetter) -> None:
        self._store = store
        self._forgetter = forgetter

    def visible(self, facts: Sequence[Fact]) -> list[Fact]:
        """Leave out facts that are set aside, themselves or by their session."""
        hidden = self._forgetter.hidden()
        if not hidden:
            return list(facts)
        return [f for f in facts if f.id not in hidden and not hidden & {s.session_id for s in f.sources}]

    def visible_episodes(self, episodes: Sequence[Episode]) -> list[Episode]:
        """Leave out episodes that are set aside, themselves or by their session or messages."""
        hidden = self._forgetter.hidden()
        return [
            e for e in episodes if e.id not in hidden and e.session_id not in hidden and not hidden & set(e.messages)
        ]

    def facts(self, statuses: Sequence[str] | None, query: str) -> list[Fact]:
        """Return facts by status (None: all), filtered by words."""
        if query.strip():
            found = self._store.facts.search(query, limit=1000)
            return self.visible([f for f in found if statuses is None or f.status in statuses])
        return self.visible(self._store.facts.all(statuses))  # type: ignore[arg-type]

    def episodes(self, query: str, kind: str | None, limit: int, offset: int) -> list[Episode]:
        """Return episodes, newest first, filtered by words."""
        if query.strip():
            found = self._store.episodes.search(query, limit=limit + offset)[offset:]
            found = [e for e in found if kind is None or e.kind == kind]
        else:
            found = self._store.episodes.all(kind, limit=limit, offset=offset)  # type: ignore[arg-type]
        return self.visible_episodes(found)

    def search(self, query: str, limit: int) -> list[SearchHit]:
        """Return facts, episodes and messages that hold all the words."""
        hits = [
            SearchHit("fact", f.id, f.text, f.sources[0].session_id if f.sources else None, f.created_at, f.status)
            for f in self.visible(self._store.facts.search(query, limit))
        ]
        hits += [
            SearchHit("episode", e.id, e.text, e.session_id, e.created_at)
            for e in self._store.episodes.search(query, limit)
        ]
        hits += [
            SearchHit("message", m.id, m.content, m.session_id, m.created_at)
            for m in self._store.transcripts.search(query, limit)
        ]
        hidden = self._forgetter.unrecalled()
        episodes = self._store.episodes.by_id(hit.id for hit in hits if hit.layer == "episode")
        hidden |= {e.id for e in episodes.values() if not hidden.isdisjoint(e.messages) and e.kind == "turn"}
        return [hit for hit in hits if hit.id not in hidden and hit.session_id not in hidden][:limit]

    def show(self, record_id: str) -> Record:
        """Return a record by its id.

        Raises:
            NotFoundError: There is none, or it is being forgotten.
        """
        record = self._forgetter.find(record_id)
        if record.id in self._forgetter.hidden():
            raise NotFoundError("store.no_record", id=record_id)
        return record

    def sources(self, record_id: str) -> list[tuple[Message, tuple[int, int] | None]]:
        """Return the messages that a record came from, with the span of the words it rests on.

        Raises:
            NotFoundError: There is no such record.
        """
        transcripts = self._store.transcripts
        if record_id.startswith(f"{PREFIXES['insight']}_"):
            return self._sources_of_insight(record_id)
        record = self._forgetter.find(record_id)
        match record:
            case Fact():
                messages = transcripts.messages_by_id(s.message_id for s in record.sources)
                return [(messages[s.message_id], (s.start, s.end)) for s in record.sources if s.message_id in messages]
            case Episode():
                messages = transcripts.messages_by_id(record.messages)
                return [(messages[i], None) for i in record.messages if i in messages]
            case Message():
                return [(record, None)]
            case Session():
                return [(message, None) for message in transcripts.path(record.id)]

    def _sources_of_insight(self, insight_id: str) -> list[tuple[Message, tuple[int, int] | None]]:
        """Return the words of every fact and message that an insight rests on, oldest first."""
        ids = self._store.insights.get(insight_id).sources
        facts = self.visible(list(self._store.facts.by_id(ids).values()))
        found = {(m.id, span): (m, span) for fact in facts for m, span in self.sources(fact.id)}
        hidden = self._forgetter.hidden()
        for message in self._store.transcripts.messages_by_id(ids).values():
            if message.id not in hidden and message.session_id not in hidden:
                found.setdefault((message.id, None), (message, None))
        return sorted(found.values(), key=lambda item: item[0].seq)

    def history(self, fact_id: str) -> list[FactChange]:
        """Return what happened to a fact, oldest first.

        Raises:
            NotFoundError: There is no such fact.
        """
        self._store.facts.get(fact_id)
        return self._store.facts.history(fact_id)
