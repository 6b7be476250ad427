"""Recall: from a question to the few remembered things that fit it, each with the parts of its score.

    search (meaning + words) -> `ranking` -> items

A question about nothing but a time is answered from that time, one about "last time" from the latest summaries.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from desk_assistant import textkit
from desk_assistant.errors import DeskError
from desk_assistant.index.asking import asked
from desk_assistant.index.evidence import Evidence, Part
from desk_assistant.index.records import Hit
from desk_assistant.memory.ports import IndexService
from desk_assistant.memory.question_words import asks_about_past
from desk_assistant.memory.ranking import PAST, Ranker, Verdicts, View, distinct, named, places_of
from desk_assistant.memory.records import Considered, RecalledItem, RecallResult, RecallTrace, ScoreParts, TracePath
from desk_assistant.memory.scoring import DAY, of_episode, of_fact, session_of
from desk_assistant.memory.when import Period, period_of
from desk_assistant.settings import Settings
from desk_assistant.store import Store, epoch_of

log = logging.getLogger(__name__)

WORD_MATCHES: Final = 200
"""Records looked at for each word when only the database is searched."""

CONTENT_WORDS_ENOUGH: Final = 2
CONTEXT_CHARACTERS: Final = 300
"""A question with fewer content words of its own ("and for work?") is searched with the end of what came before."""

RECENT_SUMMARIES: Final = 3

LINES: Final = ("turn", "fact")
PRESENT: Final = (*LINES, "summary")


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
        self._ranker = Ranker(store, settings, hidden)

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
        trace = await self.explain(
            query,
            before=before,
            session=session,
            limit=limit,
            at=at,
            exclude_messages=exclude_messages,
            each_fits=each_fits,
        )
        return trace.result

    async def explain(
        self,
        query: str,
        *,
        before: str = "",
        session: str | None = None,
        limit: int | None = None,
        at: str | None = None,
        exclude_messages: Sequence[str] = (),
        each_fits: bool = True,
    ) -> RecallTrace:
        """Do what `recall` does, and tell how: what was searched for and what became of what was found."""
        started = time.perf_counter()
        cap = self._settings.integer("recall.max_items") if limit is None else limit
        query = textkit.clean(query)
        if cap <= 0 or not query.strip():
            return RecallTrace(RecallResult(query), "nothing")
        now = epoch_of(at) if at else time.time()
        questions = asked(query)
        # The weather of today, told on the way to a question, is no time that the question is about.
        focus = " ".join(questions.parts) if questions.questions else query
        period = period_of(focus, datetime.fromtimestamp(now))
        seen = frozenset(exclude_messages)

        def trace(path: TracePath, items: Sequence[RecalledItem], *, degraded: bool = False) -> RecallTrace:
            result = RecallResult(query, tuple(items), degraded, time.perf_counter() - started)
            scores = " ".join(f"{item.id}={item.score:.3f}" for item in items)
            log.info("recall by %s: %d items in %.0f ms %s", path, len(items), result.seconds * 1000, scores)
            days = (period.start, period.end) if period is not None else None
            return RecallTrace(result, path, questions.parts or (query,), days, asks_about_past(focus))

        if period is not None and period.bare:
            items = await asyncio.to_thread(self._at_the_time, period, session, seen, cap, now)
            if items:
                return trace("time", items)
        if not textkit.content_words(query):
            return trace("latest", await asyncio.to_thread(self._latest, session, seen, cap))
        evidence = await self._search(query, focus, before, session)
        view = View(now, focus, seen, cap, each_fits, period, session is not None)
        items, verdicts = await asyncio.to_thread(self._ranker.rank, evidence, view)
        found = trace("search", items, degraded=evidence.degraded)
        return replace(found, considered=_considered(verdicts))

    async def _search(self, query: str, focus: str, before: str, session: str | None) -> Evidence:
        lexical = None
        if before and len(textkit.content_words(query)) < CONTENT_WORDS_ENOUGH:
            lexical = f"{query}\n{before[-CONTEXT_CHARACTERS:]}"
        # The summary of a session holds its lines once more; whoever looks through one session wants the lines.
        kinds = PRESENT if session is None else LINES
        if self._index is not None:
            try:
                return await self._index.explore(
                    query,
                    lexical=lexical,
                    kinds=(*kinds, PAST) if asks_about_past(focus) else kinds,
                    sessions=[session] if session else (),
                )
            except DeskError as error:
                # The child is down; the database still knows the words.
                log.warning("recall without the index: %s %s", error.key, error.cause)
        return await asyncio.to_thread(self._search_words, query, session)

    def _search_words(self, query: str, session: str | None) -> Evidence:
        """Search the database for the content words of each question; the number of words found is the score."""
        questions = asked(query)
        parts = tuple(Part(text, self._with_words(text, session)) for text in questions.parts or (query,))
        return Evidence(query, parts, questions=questions.questions, degraded=True)

    def _with_words(self, text: str, session: str | None) -> tuple[Hit, ...]:
        found: dict[str, tuple[str, str, int]] = {}
        for word in textkit.content_words(text):
            for fact in self._store.facts.search(word, WORD_MATCHES):
                kind, where, count = found.get(fact.id, ("fact", session_of(fact) or "", 0))
                found[fact.id] = (kind, where, count + 1)
            for episode in self._store.episodes.search(word, WORD_MATCHES):
                kind, where, count = found.get(episode.id, (episode.kind, episode.session_id, 0))
                found[episode.id] = (kind, where, count + 1)
        return tuple(
            Hit(record_id, kind, where, None, float(count))
            for record_id, (kind, where, count) in found.items()
            if session is None or where == session
        )

    def _at_the_time(
        self, period: Period, session: str | None, seen: frozenset[str], cap: int, now: float
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
            and not hidden & places_of(f)
            and not told.issuperset(s.message_id for s in f.sources)
        ]
        best = distinct(sorted(found, key=lambda c: -c.item.score), cap)
        return named(self._store, sorted(best, key=lambda c: c.item.created_at))

    def _latest(self, session: str | None, seen: frozenset[str], cap: int) -> list[RecalledItem]:
        """Return the newest session summaries and open tasks: the answer to "what did we say last time?"."""
        hidden = self._hidden()
        neutral = ScoreParts(None, None, 1.0)
        found = []
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
        return named(self._store, found[:cap])


def _day_epoch(day: str) -> float:
    """Return the start of a local day; the two ends of time are clipped to what the platform can tell."""
    try:
        return epoch_of(day)
    except (OverflowError, ValueError, OSError):
        return 0.0 if day < "1970" else 4e10


def _considered(verdicts: Verdicts) -> tuple[Considered, ...]:
    """Return what was found, best first, then what was left out before it was weighed."""
    ranked = {item.hit.id: item for item in verdicts.ranked}
    items = verdicts.items
    order = sorted(verdicts.of, key=lambda key: -items[key].score if key in items else 1.0)
    return tuple(
        Considered(
            key,
            verdicts.of[key],
            verdicts.items.get(key),
            dict(ranked[key].parts) if key in ranked else {},
            ranked[key].with_id if key in ranked else None,
        )
        for key in order
    )
