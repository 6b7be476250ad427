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
from desk_assistant.index import fusion
from desk_assistant.index.explore import explore
from desk_assistant.index.fusion import Context, Evidence
from desk_assistant.index.records import Hit
from desk_assistant.memory.ports import IndexService
from desk_assistant.memory.question_words import asks_about_past
from desk_assistant.memory.records import RecalledItem, RecallResult, ScoreParts
from desk_assistant.memory.wording import full_text
from desk_assistant.settings import Settings
from desk_assistant.store import Episode, Fact, Store, epoch_of

log = logging.getLogger(__name__)

WORD_MATCHES: Final = 200
"""Records looked at for each word when only the database is searched."""

CONTENT_WORDS_ENOUGH: Final = 2
CONTEXT_CHARACTERS: Final = 300
"""A question with fewer content words of its own ("and for work?") is searched with the end of what came before."""

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

QUESTION_WEIGHT: Final = 0.75
REPLY_WEIGHT: Final = 0.7
"""What the person asked, and what the assistant itself answered, says less than what the person told."""

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
        each_fits: bool = True,
    ) -> RecallResult:
        """Return what fits a question, best first.

        Args:
            query: The question.
            before: The message before it; gives a short question ("and for work?") its words.
            session: Look only at this session.
            limit: Items at most; the settings' cap when None.
            at: When the question is asked, ISO 8601; now when None.
            exclude_messages: Messages the person sees anyway; nothing that rests on these alone is returned.
            each_fits: Every item must fit by itself; else one that fits brings its near ones along, as a list for
                browsing wants it.
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
        evidence = await self._search(query, before, session)
        items = await asyncio.to_thread(self._rank, evidence, now, set(exclude_messages), cap, each_fits)
        return RecallResult(query, tuple(items), evidence.degraded, time.perf_counter() - started)

    async def _search(self, query: str, before: str, session: str | None) -> Evidence:
        lexical = None
        if before and len(textkit.content_words(query)) < CONTENT_WORDS_ENOUGH:
            lexical = f"{query}\n{before[-CONTEXT_CHARACTERS:]}"
        if self._index is not None:
            try:
                return await explore(
                    self._index,
                    query,
                    lexical=lexical,
                    kinds=(*PRESENT, PAST) if asks_about_past(query) else PRESENT,
                    sessions=[session] if session else (),
                )
            except DeskError as error:
                # The child is down; the database still knows the words.
                log.warning("recall without the index: %s %s", error.key, error.cause)
        return await asyncio.to_thread(self._search_words, query, session)

    def _search_words(self, query: str, session: str | None) -> Evidence:
        """Search the database for the question's content words; the number of words found is the score."""
        found: dict[str, tuple[str, str, int]] = {}
        for word in textkit.content_words(query):
            for fact in self._store.facts.search(word, WORD_MATCHES):
                kind, where, count = found.get(fact.id, ("fact", _session_of(fact) or "", 0))
                found[fact.id] = (kind, where, count + 1)
            for episode in self._store.episodes.search(word, WORD_MATCHES):
                kind, where, count = found.get(episode.id, (episode.kind, episode.session_id, 0))
                found[episode.id] = (kind, where, count + 1)
        hits = [
            Hit(record_id, kind, where, None, float(count))
            for record_id, (kind, where, count) in found.items()
            if session is None or where == session
        ]
        return Evidence(query, tuple(hits), degraded=True)

    # --- ranking --------------------------------------------------------------------------------------------------

    def _rank(self, evidence: Evidence, now: float, seen: set[str], cap: int, each_fits: bool) -> list[RecalledItem]:
        hidden = self._hidden()
        past = asks_about_past(evidence.question)
        hits = evidence.hits
        facts = self._store.facts.by_id(key for key, hit in hits.items() if hit.kind in ("fact", PAST))
        episodes = self._store.episodes.by_id(key for key, hit in hits.items() if hit.kind not in ("fact", PAST))
        outdated = set() if past else self._store.facts.outdated(m for e in episodes.values() for m in e.messages)
        facts = {key: f for key, f in facts.items() if self._answers(f, past, now) and not hidden & _places_of(f)}
        episodes = {
            key: e
            for key, e in episodes.items()
            if key not in hidden
            and e.session_id not in hidden
            and not hidden.intersection(e.messages)
            and not seen.issuperset(e.messages)
            # What an outdated turn says was changed or taken back since.
            and not (e.kind == "turn" and e.messages and outdated.issuperset(e.messages))
        }
        policy = replace(fusion.POLICY, answered=self._settings.number("recall.threshold"))
        ranking = fusion.rank(evidence, {**_contexts(facts, episodes)}, policy)
        if not ranking.answered:
            return []
        candidates: list[_Candidate] = []
        for ranked in ranking.items:
            if each_fits and ranked.fit < policy.answered:
                continue
            parts = ScoreParts(ranked.hit.cosine, ranked.hit.bm25, ranked.score, ranked.fit)
            if ranked.hit.id in facts:
                candidates.append(self._of_fact(facts[ranked.hit.id], parts, now))
            else:
                candidates.append(self._of_episode(episodes[ranked.hit.id], parts, now))
        candidates.sort(key=lambda c: -c.item.score)
        return self._named(self._distinct(candidates, cap))

    @staticmethod
    def _answers(fact: Fact, past: bool, now: float) -> bool:
        """Tell whether a fact may answer: one that holds, or for a question about the past also one that did."""
        if past:
            return fact.status in ("active", "superseded", "retracted")
        return fact.status == "active" and _holds(fact, now)

    def _of_fact(self, fact: Fact, parts: ScoreParts, now: float) -> _Candidate:
        decay = 1.0 if fact.pinned else _decay(now - epoch_of(fact.last_seen), fact.kind)
        importance = _weight(fact.importance, fact.access_count)
        parts = replace(parts, decay=decay, importance=importance)
        item = RecalledItem(
            "semantic",
            fact.id,
            "fact",
            full_text(fact),
            parts.relevance * decay * importance * FACT_BONUS,
            parts,
            _session_of(fact),
            (),
            fact.last_seen,
        )
        return _Candidate(item, tuple(dict.fromkeys(s.message_id for s in fact.sources)), textkit.fold(item.text))

    def _of_episode(self, episode: Episode, parts: ScoreParts, now: float) -> _Candidate:
        decay = _decay(now - epoch_of(episode.created_at), episode.kind)
        importance = _weight(episode.importance, episode.access_count) * _telling(episode)
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
        """Take the best, leaving out what says the same, and what rests on words that are in the list already.

        A fact and the turn it was taken from are one memory: the better placed stands for both. Several facts of one
        turn each say something of their own.
        """
        taken: list[_Candidate] = []
        forms: set[str] = set()
        cited: set[str] = set()
        shown: set[str] = set()
        for candidate in candidates:
            if len(taken) == cap:
                break
            known = shown if candidate.item.kind == "fact" else cited
            if candidate.form in forms or (candidate.messages and known.issuperset(candidate.messages)):
                continue
            if candidate.item.kind == "summary" and cited.intersection(candidate.messages):
                continue
            forms.add(candidate.form)
            if candidate.item.kind != "summary":
                cited.update(candidate.messages)
            if candidate.item.kind == "turn":
                shown.update(candidate.messages)
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


def _telling(episode: Episode) -> float:
    """Return the factor for how much a turn tells. In a talk between named people both sides tell alike."""
    if episode.kind != "turn" or episode.speaker:
        return 1.0
    if episode.role == "assistant":
        return REPLY_WEIGHT
    spans = textkit.sentences(episode.text)
    return QUESTION_WEIGHT if spans and all(s.rstrip(" \"'”’").endswith(("?", "？")) for s in spans) else 1.0


def _weight(importance: float, access_count: int) -> float:
    """Return the factor for importance and use: use counts with diminishing returns."""
    used = 1.0 - 1.0 / (1.0 + access_count)
    return 1.0 + IMPORTANCE_SPREAD * (0.8 * (importance - 0.5) + 0.2 * used)


def _places_of(fact: Fact) -> set[str]:
    """Return the ids under which a fact may have been asked to be forgotten: its own, its sessions', its messages'."""
    return {fact.id, *(s.session_id for s in fact.sources), *(s.message_id for s in fact.sources)}


def _contexts(facts: Mapping[str, Fact], episodes: Mapping[str, Episode]) -> dict[str, Context]:
    contexts = {key: Context(full_text(fact)) for key, fact in facts.items()}
    for key, episode in episodes.items():
        contexts[key] = Context(
            episode.text,
            speaker=episode.speaker or f"<{episode.role}>",
            session=episode.session_id,
            position=episode.position if episode.kind == "turn" else None,
        )
    return contexts
