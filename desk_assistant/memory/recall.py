"""Recall: from a question to the few remembered things that fit it, each with the parts of its score.

    search (meaning + words) -> fusion -> threshold -> age and importance -> de-duplicate -> cap

Better no memory than a wrong one: what is under the threshold is not returned, however short the list.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from desk_assistant import textkit
from desk_assistant.errors import DeskError
from desk_assistant.index.records import Hit, SearchReply
from desk_assistant.memory.ports import IndexService
from desk_assistant.memory.question_words import asks_about_past
from desk_assistant.memory.records import RecalledItem, RecallResult, ScoreParts
from desk_assistant.settings import Settings
from desk_assistant.store import Episode, Fact, Store, epoch_of

log = logging.getLogger(__name__)

CANDIDATES: Final = 200
"""Hits taken from each of the two searches before fusion."""

DAY: Final = 86_400.0
HALF_LIFE_DAYS: Final = {"task": 7.0, "decision": 7.0, "schedule": 7.0}
DEFAULT_HALF_LIFE_DAYS: Final = 30.0
DECAY_FLOOR: Final = 0.9
"""Age lowers a score by at most a tenth: it settles ties between memories that fit equally, and never buries an old one
that answers the question."""

IMPORTANCE_SPREAD: Final = 0.1
"""How much importance and use may raise a score."""

FACT_BONUS: Final = 1.05
"""A fact says it shorter and has been resolved against what came later, so it goes before the turn it came from."""

RECENT_SUMMARIES: Final = 3

PRESENT: Final = ("turn", "summary", "fact")
PAST: Final = "past"
"""Kind of index records of facts that no longer hold; searched only when a question asks about the past."""


@dataclass(frozen=True)
class _Candidate:
    item: RecalledItem
    messages: tuple[str, ...]
    form: str


class Recaller:
    """Answers questions from memory.

    Args:
        store: The database; what the index finds is read from here, so nothing stale is ever returned.
        index: Search by meaning and words; without it the database is searched by words.
        settings: Threshold and cap.
        hidden: Returns the ids that are being forgotten.
    """

    def __init__(
        self, store: Store, index: IndexService | None, settings: Settings, hidden: Callable[[], set[str]]
    ) -> None:
        self._store = store
        self._index = index
        self._settings = settings
        self._hidden = hidden

    async def recall(
        self,
        query: str,
        *,
        before: str = "",
        session: str | None = None,
        limit: int | None = None,
        at: str | None = None,
        exclude_messages: Sequence[str] = (),
    ) -> RecallResult:
        """Return what fits a question, best first.

        Args:
            query: The question.
            before: The message before it; gives a short question ("and for work?") its words.
            session: Look only at this session.
            limit: Items at most; the settings' cap when None.
            at: When the question is asked, ISO 8601; now when None.
            exclude_messages: Messages the person sees anyway; nothing that rests on these alone is returned.
        """
        started = time.perf_counter()
        cap = self._settings.integer("recall.max_items") if limit is None else limit
        query = textkit.clean(query)
        if cap <= 0 or not query.strip():
            return RecallResult(query)
        now = epoch_of(at) if at else time.time()
        if not textkit.content_words(query):
            items = await asyncio.to_thread(self._latest, session, set(exclude_messages), cap)
            return RecallResult(query, tuple(items), seconds=time.perf_counter() - started)
        reply = await self._search(query, before, session)
        items = await asyncio.to_thread(self._rank, query, reply, now, set(exclude_messages), cap)
        return RecallResult(query, tuple(items), reply.degraded, time.perf_counter() - started)

    async def _search(self, query: str, before: str, session: str | None) -> SearchReply:
        lexical = query
        if before and len(textkit.content_words(query)) < 2:
            lexical = f"{query}\n{before[-300:]}"
        if self._index is not None:
            try:
                return await self._index.search(
                    query,
                    lexical=lexical,
                    limit=CANDIDATES,
                    kinds=(*PRESENT, PAST) if asks_about_past(query) else PRESENT,
                    sessions=[session] if session else (),
                )
            except DeskError as error:
                # The child is down; the database still knows the words.
                log.warning("recall without the index: %s %s", error.key, error.cause)
        return await asyncio.to_thread(self._search_words, query, session)

    def _search_words(self, query: str, session: str | None) -> SearchReply:
        """Search the database for the question's content words; the share of words found is the score."""
        wanted = textkit.content_words(query)
        found: dict[str, tuple[str, str, int]] = {}
        for word in wanted:
            for fact in self._store.facts.search(word, CANDIDATES):
                kind, where, count = found.get(fact.id, ("fact", _session_of(fact) or "", 0))
                found[fact.id] = (kind, where, count + 1)
            for episode in self._store.episodes.search(word, CANDIDATES):
                kind, where, count = found.get(episode.id, (episode.kind, episode.session_id, 0))
                found[episode.id] = (kind, where, count + 1)
        hits = [
            Hit(record_id, kind, where, None, float(count))
            for record_id, (kind, where, count) in found.items()
            if session is None or where == session
        ]
        return SearchReply(tuple(hits), True)

    # --- ranking --------------------------------------------------------------------------------------------------

    def _rank(self, query: str, reply: SearchReply, now: float, seen: set[str], cap: int) -> list[RecalledItem]:
        hidden = self._hidden()
        past = asks_about_past(query)
        facts = self._store.facts.by_id(hit.id for hit in reply.hits if hit.kind in ("fact", PAST))
        episodes = self._store.episodes.by_id(hit.id for hit in reply.hits if hit.kind not in ("fact", PAST))
        outdated = set() if past else self._store.facts.outdated(m for e in episodes.values() for m in e.messages)
        relevance = fuse(query, reply, facts, episodes)
        candidates: list[_Candidate] = []
        for hit in reply.hits:
            if hit.id in hidden or hit.id not in relevance or hit.session in hidden:
                continue
            parts = ScoreParts(hit.cosine, hit.bm25, relevance[hit.id])
            if (fact := facts.get(hit.id)) is not None:
                if not past and (fact.status != "active" or not _holds(fact, now)):
                    continue
                candidates.append(self._of_fact(fact, parts, now))
            elif (episode := episodes.get(hit.id)) is not None:
                if seen.issuperset(episode.messages) or hidden.intersection(episode.messages):
                    continue
                if episode.kind == "turn" and outdated.issuperset(episode.messages):
                    continue  # what it says was changed or taken back since
                candidates.append(self._of_episode(episode, parts, now))
        candidates.sort(key=lambda c: -c.item.score)
        return self._named(self._distinct(candidates, cap))

    def _of_fact(self, fact: Fact, parts: ScoreParts, now: float) -> _Candidate:
        decay = 1.0 if fact.pinned else _decay(now - epoch_of(fact.last_seen), fact.kind)
        importance = _weight(fact.importance, fact.access_count)
        parts = replace(parts, decay=decay, importance=importance)
        item = RecalledItem(
            "semantic",
            fact.id,
            "fact",
            fact_text(fact),
            parts.relevance * decay * importance * FACT_BONUS,
            parts,
            _session_of(fact),
            (),
            fact.last_seen,
        )
        return _Candidate(item, tuple(dict.fromkeys(s.message_id for s in fact.sources)), textkit.fold(item.text))

    def _of_episode(self, episode: Episode, parts: ScoreParts, now: float) -> _Candidate:
        decay = _decay(now - epoch_of(episode.created_at), episode.kind)
        importance = _weight(episode.importance, episode.access_count)
        parts = replace(parts, decay=decay, importance=importance)
        item = RecalledItem(
            "episodic",
            episode.id,
            episode.kind,
            episode.text,
            parts.relevance * decay * importance,
            parts,
            episode.session_id,
            (),
            episode.created_at,
            episode.role,
        )
        return _Candidate(item, episode.messages, textkit.fold(episode.text))

    def _distinct(self, candidates: Sequence[_Candidate], cap: int) -> list[_Candidate]:
        """Take the best, leaving out what says the same, and summaries whose turns are there already."""
        taken: list[_Candidate] = []
        forms: set[str] = set()
        turns: set[str] = set()
        for candidate in candidates:
            if len(taken) == cap:
                break
            if candidate.form in forms:
                continue
            if candidate.item.kind == "summary" and turns.intersection(candidate.messages):
                continue
            forms.add(candidate.form)
            if candidate.item.kind == "turn":
                turns.update(candidate.messages)
            taken.append(candidate)
        return taken

    def _named(self, candidates: Sequence[_Candidate]) -> list[RecalledItem]:
        """Give the items the ids of their messages as people and scripts know them."""
        messages = self._store.transcripts.messages_by_id(m for c in candidates for m in c.messages)
        return [
            replace(c.item, messages=tuple(messages[m].public_id for m in c.messages if m in messages))
            for c in candidates
        ]

    def _latest(self, session: str | None, seen: set[str], cap: int) -> list[RecalledItem]:
        """Return the newest session summaries and open tasks: the answer to "what did we say last time?"."""
        hidden = self._hidden()
        neutral = ScoreParts(None, None, 1.0)
        found: list[_Candidate] = []
        now = time.time()
        for episode in self._store.episodes.all("summary", limit=RECENT_SUMMARIES + 10):
            if seen.intersection(episode.messages) or episode.session_id in hidden or episode.id in hidden:
                continue
            if session is None or episode.session_id == session:
                found.append(self._of_episode(episode, neutral, now))
        found = found[:RECENT_SUMMARIES]
        for fact in self._store.facts.all(("active",)):
            if fact.kind == "task" and fact.id not in hidden and (session is None or _session_of(fact) == session):
                found.append(self._of_fact(fact, neutral, now))
        return self._named(found[:cap])


def fact_text(fact: Fact) -> str:
    """Return a fact as it is shown on its own: with its subject where that is somebody else, and with its end."""
    text = fact.text if fact.subject == "user" else f"{fact.subject}: {fact.text}"
    return f"{text} (→ {fact.valid_to[:10]})" if fact.status in ("superseded", "retracted") and fact.valid_to else text


def _session_of(fact: Fact) -> str | None:
    return fact.sources[0].session_id if fact.sources else None


def _holds(fact: Fact, now: float) -> bool:
    if fact.valid_to is None:
        return True
    try:
        return epoch_of(fact.valid_to) + DAY > now
    except ValueError:  # reduced precision, such as a month alone
        return fact.valid_to >= time.strftime("%Y-%m", time.localtime(now))[: len(fact.valid_to)]


def _decay(age_seconds: float, kind: str) -> float:
    half_life = HALF_LIFE_DAYS.get(kind, DEFAULT_HALF_LIFE_DAYS) * DAY
    return DECAY_FLOOR + (1.0 - DECAY_FLOOR) * math.exp2(-max(0.0, age_seconds) / half_life)


def _weight(importance: float, access_count: int) -> float:
    """Return the factor for importance and use: use counts with diminishing returns."""
    used = 1.0 - 1.0 / (1.0 + access_count)
    return 1.0 + IMPORTANCE_SPREAD * (0.8 * (importance - 0.5) + 0.2 * used)


def fuse(
    query: str, reply: SearchReply, facts: Mapping[str, Fact], episodes: Mapping[str, Episode]
) -> dict[str, float]:
    """Return the relevance, 0 to 1, of the hits that are relevant at all."""
    cosines = [hit.cosine for hit in reply.hits if hit.cosine is not None]
    scores = [hit.bm25 for hit in reply.hits if hit.bm25 is not None]
    top = max(scores, default=0.0)
    low, high = min(cosines, default=0.0), max(cosines, default=1.0)
    found: dict[str, float] = {}
    for hit in reply.hits:
        text = (hit.bm25 or 0.0) / top if top else 0.0
        meaning = (hit.cosine - low) / (high - low or 1.0) if hit.cosine is not None else text
        if (hit.cosine or 0.0) >= 0.3 or (hit.bm25 or 0.0) >= 2.0:
            found[hit.id] = 0.5 * text + 0.5 * meaning
    return found
