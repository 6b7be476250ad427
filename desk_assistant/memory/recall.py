"""Recall: from a question to the few remembered things that fit it, each with the parts of its score.

    search (meaning + words) -> fusion -> threshold -> age and importance -> de-duplicate -> cap

Better no memory than a wrong one: what is under the threshold is not returned, however short the list.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from desk_assistant import textkit
from desk_assistant.errors import DeskError
from desk_assistant.index import fusion
from desk_assistant.index.explore import explore
from desk_assistant.index.fusion import Context, Evidence
from desk_assistant.index.records import Hit
from desk_assistant.memory.ports import IndexService
from desk_assistant.memory.question_words import asks_about_past, asks_about_reply
from desk_assistant.memory.records import RecalledItem, RecallResult, ScoreParts
from desk_assistant.memory.scoring import (
    DAY,
    Candidate,
    ended_first,
    is_reply,
    of_episode,
    of_fact,
    of_the_time,
    only_asks,
    session_of,
)
from desk_assistant.memory.when import Period, period_of
from desk_assistant.memory.wording import full_text
from desk_assistant.settings import Settings
from desk_assistant.store import Episode, Fact, Store, epoch_of

log = logging.getLogger(__name__)

WORD_MATCHES: Final = 200
"""Records looked at for each word when only the database is searched."""

CONTENT_WORDS_ENOUGH: Final = 2
CONTEXT_CHARACTERS: Final = 300
"""A question with fewer content words of its own ("and for work?") is searched with the end of what came before."""

RECENT_SUMMARIES: Final = 3

PRESENT: Final = ("turn", "summary", "fact")
PAST: Final = "past"
"""Kind of index records of facts that no longer hold; searched only when a question asks about the past."""


@dataclass(frozen=True)
class _View:
    """How one question is asked.

    Attributes:
        now: When, in seconds since 1970.
        seen: Messages that the person sees anyway.
        cap: Items at most.
        each_fits: Every item must fit by itself.
        period: The time that the question is about.
        in_session: Only one session is looked at.
    """

    now: float
    seen: frozenset[str]
    cap: int
    each_fits: bool
    period: Period | None
    in_session: bool


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
        period = period_of(query, datetime.fromtimestamp(now))
        if period is not None and period.bare:
            items = await asyncio.to_thread(self._at_the_time, period, session, set(exclude_messages), cap, now)
            if items:
                return RecallResult(query, tuple(items), seconds=time.perf_counter() - started)
        if not textkit.content_words(query):
            items = await asyncio.to_thread(self._latest, session, set(exclude_messages), cap)
            return RecallResult(query, tuple(items), seconds=time.perf_counter() - started)
        evidence = await self._search(query, before, session)
        view = _View(now, frozenset(exclude_messages), cap, each_fits, period, session is not None)
        items = await asyncio.to_thread(self._rank, evidence, view)
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
                kind, where, count = found.get(fact.id, ("fact", session_of(fact) or "", 0))
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

    def _rank(self, evidence: Evidence, view: _View) -> list[RecalledItem]:
        now, seen = view.now, view.seen
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
            and not e.archived
            and e.session_id not in hidden
            and not hidden.intersection(e.messages)
            and not seen.issuperset(e.messages)
            # What an outdated turn says was changed or taken back since.
            and not (e.kind == "turn" and e.messages and outdated.issuperset(e.messages))
            # An earlier question is no answer; beside a new one it would only crowd out what is.
            and not (view.each_fits and not past and view.period is None and only_asks(e))
        }
        policy = replace(fusion.POLICY, answered=self._settings.number("recall.threshold"))
        ranking = fusion.rank(evidence, {**_contexts(facts, episodes)}, policy)
        # Whoever looks through one session wants its best lines; what nobody asked to see has to fit.
        if not ranking.answered and (view.each_fits or not view.in_session):
            return []
        candidates: list[Candidate] = []
        for ranked in ranking.items:
            if view.each_fits and ranked.fit < policy.answered:
                continue
            parts = ScoreParts(ranked.hit.cosine, ranked.hit.bm25, ranked.score, ranked.fit)
            if ranked.hit.id in facts:
                candidates.append(of_fact(facts[ranked.hit.id], parts, now))
            else:
                candidates.append(of_episode(episodes[ranked.hit.id], parts, now))
        if view.each_fits and not asks_about_reply(evidence.question):
            # A small model repeats what it said before; its own words go in only where there are no others.
            candidates = [c for c in candidates if not is_reply(c, episodes)] or candidates
        if view.period is not None:
            candidates = of_the_time(candidates, view.period, facts, episodes)
        if past:
            candidates = [ended_first(c, facts.get(c.item.id)) for c in candidates]
        candidates.sort(key=lambda c: -c.item.score)
        return self._named(self._distinct(candidates, view.cap))

    @staticmethod
    def _answers(fact: Fact, past: bool, now: float) -> bool:
        """Tell whether a fact may answer: one that holds, or for a question about the past also one that did."""
        if past:
            return fact.status in ("active", "superseded", "retracted")
        return fact.status == "active" and _holds(fact, now)

    def _distinct(self, candidates: Sequence[Candidate], cap: int) -> list[Candidate]:
        """Take the best, leaving out what says the same, and what rests on words that are in the list already.

        A fact and the turn it was taken from are one memory: the better placed stands for both. Several facts of one
        turn each say something of their own.
        """
        taken: list[Candidate] = []
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

    def _named(self, candidates: Sequence[Candidate]) -> list[RecalledItem]:
        """Give the items the ids of their messages as people and scripts know them."""
        messages = self._store.transcripts.messages_by_id(m for c in candidates for m in c.messages)
        return [
            replace(c.item, messages=tuple(messages[m].public_id for m in c.messages if m in messages))
            for c in candidates
        ]

    def _at_the_time(
        self, period: Period, session: str | None, seen: set[str], cap: int, now: float
    ) -> list[RecalledItem]:
        """Return what was said in a period, or is of it, in the order of time: for "what did I say in March?"."""
        hidden = self._hidden()
        neutral = ScoreParts(None, None, 1.0)
        start = _day_epoch(period.start)
        spoken_of = "" if period.only or period.start != period.end else f"({period.start}"
        found = [
            of_episode(e, neutral, now)
            for e in self._store.episodes.between(start, _day_epoch(period.end) + DAY, spoken_of)
            if e.role == "user"
            and (session is None or e.session_id == session)
            and not (seen.issuperset(e.messages) or hidden & {e.id, e.session_id, *e.messages})
        ]
        told = {message for candidate in found for message in candidate.messages}
        found += [
            of_fact(f, neutral, now)
            for f in self._store.facts.all(("active",))
            if period.holds_fact(f)
            and (session is None or session_of(f) == session)
            and not hidden & _places_of(f)
            and not told.issuperset(s.message_id for s in f.sources)
        ]
        best = self._distinct(sorted(found, key=lambda c: -c.item.score), cap)
        return self._named(sorted(best, key=lambda c: c.item.created_at))

    def _latest(self, session: str | None, seen: set[str], cap: int) -> list[RecalledItem]:
        """Return the newest session summaries and open tasks: the answer to "what did we say last time?"."""
        hidden = self._hidden()
        neutral = ScoreParts(None, None, 1.0)
        found: list[Candidate] = []
        now = time.time()
        for episode in self._store.episodes.all("summary", limit=RECENT_SUMMARIES + 10):
            if seen.intersection(episode.messages) or episode.session_id in hidden or episode.id in hidden:
                continue
            if session is None or episode.session_id == session:
                found.append(of_episode(episode, neutral, now))
        found = found[:RECENT_SUMMARIES]
        for fact in self._store.facts.all(("active",)):
            if fact.kind == "task" and fact.id not in hidden and (session is None or session_of(fact) == session):
                found.append(of_fact(fact, neutral, now))
        return self._named(found[:cap])


def _day_epoch(day: str) -> float:
    """Return the start of a local day; the two ends of time are clipped to what the platform can tell."""
    try:
        return epoch_of(day)
    except (OverflowError, ValueError, OSError):
        return 0.0 if day < "1970" else 4e10


def _holds(fact: Fact, now: float) -> bool:
    if fact.valid_to is None:
        return True
    try:
        return epoch_of(fact.valid_to) + DAY > now
    except ValueError:  # reduced precision, such as a month alone
        return fact.valid_to >= time.strftime("%Y-%m", time.localtime(now))[: len(fact.valid_to)]


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
