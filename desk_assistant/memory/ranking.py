"""From evidence to the few remembered things that fit, and what became of each of the others.

    fusion -> what may answer at all -> threshold -> age and importance -> time asked for -> de-duplicate -> cap

Better no memory than a wrong one: what is under the threshold is not returned, however short the list.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from desk_assistant.index import fusion
from desk_assistant.index.evidence import Evidence
from desk_assistant.index.fusion import Context, Ranked
from desk_assistant.index.policy import POLICY
from desk_assistant.memory.question_words import asks_about_past, asks_about_reply
from desk_assistant.memory.records import RecalledItem, ScoreParts, Verdict
from desk_assistant.memory.scoring import (
    DAY,
    Candidate,
    ended_first,
    is_reply,
    of_episode,
    of_fact,
    of_the_time,
    only_asks,
)
from desk_assistant.memory.when import Period
from desk_assistant.memory.wording import full_text
from desk_assistant.settings import Settings
from desk_assistant.store import Episode, Fact, Store, epoch_of

PAST: Final = "past"
"""Kind of index records of facts that no longer hold; searched only when a question asks about the past."""

LOOKED_AT: Final = 50
LOOKED_AT_A_PLACE: Final = 5
"""Records weighed by age and use, in all and for each place in the answer: a factor lifts none from further down."""

FACT_KINDS: Final = ("fact", PAST)


@dataclass(frozen=True)
class View:
    """How one question is asked.

    Attributes:
        now: When, in seconds since 1970.
        focus: What is asked, without the talk around it.
        seen: Messages that the person sees anyway.
        cap: Items at most.
        each_fits: Every item must fit by itself.
        period: The time that the question is about.
        in_session: Only one session is looked at.
    """

    now: float
    focus: str
    seen: frozenset[str]
    cap: int
    each_fits: bool
    period: Period | None
    in_session: bool

    @property
    def browses(self) -> bool:
        """Whether somebody looks through one session: its best lines are wanted, whether they fit or still hold."""
        return self.in_session and not self.each_fits


@dataclass
class Verdicts:
    """What became of each record that was found, by id, with its item where it came to be one."""

    of: dict[str, Verdict] = field(default_factory=dict)
    items: dict[str, RecalledItem] = field(default_factory=dict)
    ranked: tuple[Ranked, ...] = ()

    def say(self, verdict: Verdict, ids: Iterable[str]) -> None:
        """Note a verdict; the first one about a record stands."""
        for key in ids:
            self.of.setdefault(key, verdict)


class Ranker:
    """Orders what was found and leaves out what does not answer.

    Args:
        store: The database; what the index finds is read from here, so nothing stale is ever returned.
        settings: The threshold.
        hidden: Returns the ids that are being forgotten.
    """

    def __init__(self, store: Store, settings: Settings, hidden: Callable[[], set[str]]) -> None:
        self._store = store
        self._settings = settings
        self._hidden = hidden

    def rank(self, evidence: Evidence, view: View) -> tuple[list[RecalledItem], Verdicts]:
        """Return what answers, best first, and what became of everything that was found."""
        verdicts = Verdicts()
        past = asks_about_past(view.focus)
        facts, episodes = self._allowed(evidence, view, past, verdicts)
        policy = replace(POLICY, answered=self._settings.number("recall.threshold"))
        if view.browses:
            policy = replace(policy, beside_best=0.0)
        ranking = fusion.rank(evidence, _contexts(facts, episodes), policy)
        verdicts.ranked = ranking.items
        candidates = [
            of_fact(facts[ranked.hit.id], _score_parts(ranked), view.now)
            if ranked.hit.id in facts
            else of_episode(episodes[ranked.hit.id], _score_parts(ranked), view.now)
            for ranked in ranking.items[: max(LOOKED_AT, LOOKED_AT_A_PLACE * view.cap)]
        ]
        verdicts.items = {c.item.id: c.item for c in candidates}
        verdicts.say("weak", (key for key in (*facts, *episodes) if key not in verdicts.items))
        if not ranking.answered and not view.browses:
            verdicts.say("unfit", verdicts.items)
            return [], verdicts
        if view.each_fits:
            fitting = [c for c in candidates if c.item.parts.fit >= policy.answered]
            candidates = _kept(candidates, fitting, verdicts, "unfit")
            if not asks_about_reply(view.focus):
                # A small model repeats what it said before; its own words go in only where there are no others.
                own = [c for c in candidates if not is_reply(c, episodes)] or candidates
                candidates = _kept(candidates, own, verdicts, "reply")
        if view.period is not None:
            then = of_the_time(candidates, view.period, facts, episodes)
            candidates = _kept(candidates, then, verdicts, "time")
        if past:
            candidates = [ended_first(c, facts.get(c.item.id)) for c in candidates]
        candidates = sorted(candidates, key=lambda c: -c.item.score)
        taken = distinct(candidates, view.cap, verdicts)
        verdicts.items |= {c.item.id: c.item for c in candidates}
        return named(self._store, taken), verdicts

    def _allowed(
        self, evidence: Evidence, view: View, past: bool, verdicts: Verdicts
    ) -> tuple[dict[str, Fact], dict[str, Episode]]:
        """Return the facts and episodes among the hits that may answer."""
        hidden = self._hidden()
        hits = evidence.hits
        facts = self._store.facts.by_id(key for key, hit in hits.items() if hit.kind in FACT_KINDS)
        episodes = self._store.episodes.by_id(key for key, hit in hits.items() if hit.kind not in FACT_KINDS)
        facts = {key: fact for key, fact in facts.items() if not hidden & places_of(fact)}
        episodes = {
            key: episode
            for key, episode in episodes.items()
            if not episode.archived and not hidden.intersection((key, episode.session_id, *episode.messages))
        }
        verdicts.say("changed", (key for key, fact in facts.items() if not _answers(fact, past, view.now)))
        verdicts.say("seen", (key for key, e in episodes.items() if view.seen.issuperset(e.messages)))
        if not past and not view.browses:
            # What such a turn says was changed or taken back since.
            outdated = self._store.facts.outdated(m for e in episodes.values() for m in e.messages)
            turns = ((key, e.messages) for key, e in episodes.items() if e.kind == "turn" and e.messages)
            verdicts.say("changed", (key for key, messages in turns if outdated.issuperset(messages)))
        if view.each_fits and not past and view.period is None:
            # An earlier question is no answer; beside a new one it would only crowd out what is.
            verdicts.say("asks", (key for key, e in episodes.items() if only_asks(e)))
        return (
            {key: fact for key, fact in facts.items() if key not in verdicts.of},
            {key: episode for key, episode in episodes.items() if key not in verdicts.of},
        )


def distinct(candidates: Sequence[Candidate], cap: int, verdicts: Verdicts | None = None) -> list[Candidate]:
    """Take the best, leaving out what says the same, and what rests on words that are in the list already.

    A fact and the turn it was taken from are one memory: the better placed stands for both. Several facts of one
    turn each say something of their own.

    Args:
        candidates: Best first.
        cap: Most to take.
        verdicts: Where to note what was taken and why the others were not.
    """
    verdicts = verdicts or Verdicts()
    taken: list[Candidate] = []
    forms: set[str] = set()
    cited: set[str] = set()
    shown: set[str] = set()
    for candidate in candidates:
        if len(taken) == cap:
            verdicts.say("cap", (candidate.item.id,))
            continue
        known = shown if candidate.item.kind == "fact" else cited
        same = candidate.form in forms or (candidate.messages and known.issuperset(candidate.messages))
        if same or (candidate.item.kind == "summary" and cited.intersection(candidate.messages)):
            verdicts.say("same", (candidate.item.id,))
            continue
        forms.add(candidate.form)
        if candidate.item.kind != "summary":
            cited.update(candidate.messages)
        if candidate.item.kind == "turn":
            shown.update(candidate.messages)
        verdicts.say("kept", (candidate.item.id,))
        taken.append(candidate)
    return taken


def named(store: Store, candidates: Sequence[Candidate]) -> list[RecalledItem]:
    """Return the items with the ids of their messages as people and scripts know them."""
    messages = store.transcripts.messages_by_id(m for c in candidates for m in c.messages)
    return [
        replace(c.item, messages=tuple(messages[m].public_id for m in c.messages if m in messages)) for c in candidates
    ]


def places_of(fact: Fact) -> set[str]:
    """Return the ids under which a fact may have been asked to be forgotten: its own, its sessions', its messages'."""
    return {fact.id, *(s.session_id for s in fact.sources), *(s.message_id for s in fact.sources)}


def _kept(
    before: Sequence[Candidate], after: Sequence[Candidate], verdicts: Verdicts, verdict: Verdict
) -> list[Candidate]:
    ids = {candidate.item.id for candidate in after}
    verdicts.say(verdict, (c.item.id for c in before if c.item.id not in ids))
    return list(after)


def _score_parts(ranked: Ranked) -> ScoreParts:
    return ScoreParts(ranked.hit.cosine, ranked.hit.bm25, ranked.score, ranked.fit)


def _answers(fact: Fact, past: bool, now: float) -> bool:
    """Tell whether a fact may answer: one that holds, or for a question about the past also one that did."""
    if past:
        return fact.status in ("active", "superseded", "retracted")
    return fact.status == "active" and _holds(fact, now)


def _holds(fact: Fact, now: float) -> bool:
    if fact.valid_to is None:
        return True
    try:
        return epoch_of(fact.valid_to) + DAY > now
    except ValueError:  # reduced precision, such as a month alone
        return fact.valid_to >= time.strftime("%Y-%m", time.localtime(now))[: len(fact.valid_to)]


def _contexts(facts: Mapping[str, Fact], episodes: Mapping[str, Episode]) -> dict[str, Context]:
    contexts = {key: Context(full_text(fact), language=fact.language) for key, fact in facts.items()}
    for key, episode in episodes.items():
        contexts[key] = Context(
            episode.text,
            speaker=episode.speaker or f"<{episode.role}>",
            session=episode.session_id,
            position=episode.position if episode.kind == "turn" else None,
            language=episode.language,
        )
    return contexts
