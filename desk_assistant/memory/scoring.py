"""What turns a fact or an episode that was found into a candidate with its score, and the weights that go into it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from desk_assistant import textkit
from desk_assistant.memory.records import RecalledItem, ScoreParts
from desk_assistant.memory.when import Period
from desk_assistant.memory.wording import full_text
from desk_assistant.store import Episode, Fact, epoch_of

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

OF_THE_TIME: Final = 1.1
"""What falls into the time that a question names goes before what fits as well and does not."""

ENDED: Final = 1.25
"""For a question about the past, what ended goes before what took its place."""


_ASKS: Final = re.compile("[?？]")


@dataclass(frozen=True)
class Candidate:
    """Something found, on its way into the answer.

    Attributes:
        messages: Ids of the messages it rests on.
        form: Folded text, for telling that two say the same.
    """

    item: RecalledItem
    messages: tuple[str, ...]
    form: str

    def times(self, factor: float) -> Candidate:
        """Return it with its score multiplied."""
        return replace(self, item=replace(self.item, score=self.item.score * factor))


def of_fact(fact: Fact, parts: ScoreParts, now: float) -> Candidate:
    """Return a fact as a candidate, weighed by its age, importance and use."""
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
        session_of(fact),
        (),
        fact.last_seen,
    )
    return Candidate(item, tuple(dict.fromkeys(s.message_id for s in fact.sources)), textkit.fold(item.text))


def of_episode(episode: Episode, parts: ScoreParts, now: float) -> Candidate:
    """Return an episode as a candidate, weighed by its age, importance, use and how much it tells."""
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
    return Candidate(item, episode.messages, textkit.fold(episode.text))


def of_the_time(
    candidates: Sequence[Candidate], period: Period, facts: Mapping[str, Fact], episodes: Mapping[str, Episode]
) -> list[Candidate]:
    """Keep what falls into the period of a question about what was said then; else put it before the rest.

    Where nothing does, the time was perhaps remembered wrongly, and what fits by its words is better than nothing.
    """

    def inside(candidate: Candidate) -> bool:
        key = candidate.item.id
        return period.holds_fact(facts[key]) if key in facts else period.holds_episode(episodes[key])

    kept = [candidate for candidate in candidates if inside(candidate)]
    if not kept:
        return list(candidates)
    if period.only:
        return kept
    ids = {candidate.item.id for candidate in kept}
    return [c.times(OF_THE_TIME) if c.item.id in ids else c for c in candidates]


def ended_first(candidate: Candidate, fact: Fact | None) -> Candidate:
    """Put what no longer holds before what does, for a question about how things were."""
    return candidate.times(ENDED) if fact is not None and fact.status != "active" else candidate


def session_of(fact: Fact) -> str | None:
    """Return the session a fact was first said in."""
    return fact.sources[0].session_id if fact.sources else None


def _decay(age_seconds: float, kind: str) -> float:
    half_life = HALF_LIFE_DAYS.get(kind, DEFAULT_HALF_LIFE_DAYS) * DAY
    return DECAY_FLOOR + (1.0 - DECAY_FLOOR) * math.exp2(-max(0.0, age_seconds) / half_life)


def _telling(episode: Episode) -> float:
    """Return the factor for how much a turn tells. In a talk between named people both sides tell alike."""
    if episode.kind != "turn" or episode.speaker:
        return 1.0
    if episode.role == "assistant":
        return REPLY_WEIGHT
    return QUESTION_WEIGHT if only_asks(episode) else 1.0


def is_reply(candidate: Candidate, episodes: Mapping[str, Episode]) -> bool:
    """Tell whether a candidate is something the assistant answered, in a talk that gives no names."""
    episode = episodes.get(candidate.item.id)
    return episode is not None and episode.kind == "turn" and episode.role == "assistant" and not episode.speaker


def only_asks(episode: Episode) -> bool:
    """Tell whether an episode holds nothing but the person's questions: it says what was asked, and no answer."""
    if episode.role == "assistant" or episode.speaker or not _ASKS.search(episode.text):
        return False
    lines = episode.text.splitlines()
    if episode.kind == "summary":
        lines = [line.partition(": ")[2] or line for line in lines]
    spans = [sentence for line in lines for sentence in textkit.sentences(line)]
    return bool(spans) and all(sentence.rstrip(" \"'”’").endswith(("?", "？")) for sentence in spans)


def _weight(importance: float, access_count: int) -> float:
    """Return the factor for importance and use: use counts with diminishing returns."""
    used = 1.0 - 1.0 / (1.0 + access_count)
    return 1.0 + IMPORTANCE_SPREAD * (0.8 * (importance - 0.5) + 0.2 * used)
