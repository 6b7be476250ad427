"""From raw hits to a ranking, and to the judgement whether anything fits the question at all.

Two numbers come out for each record. Its *score* orders records within one answer: cosine and BM25, each stretched over
its own range, with help from what stands around the record. Its *fit* is absolute: how likely a record with this cosine
and these words in common answers the question, whatever else is in the store. A question none of whose records fits has
no answer here; better no memory than a wrong one.

Pure Python over a few hundred hits; the numbers that decide are in `index.policy`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from desk_assistant import textkit
from desk_assistant.index.evidence import Evidence, Part
from desk_assistant.index.judge import Judge
from desk_assistant.index.policy import POLICY, Policy
from desk_assistant.index.records import Hit

Scores = dict[str, dict[str, float]]
"""For each record what its score is made of, by name."""


@dataclass(frozen=True)
class Context:
    """What the caller knows of a record.

    Attributes:
        text: What it says.
        speaker: Who said it, as a name; empty when unknown.
        session: Its session.
        position: Its place in the session; None for what is no turn.
        language: "en" or "zh"; guessed from the text when empty.
    """

    text: str
    speaker: str = ""
    session: str = ""
    position: int | None = None
    language: str = ""


@dataclass(frozen=True)
class Ranked:
    """One record of an answer.

    Attributes:
        hit: The record with its raw numbers.
        score: Orders the records of this answer; the best has 1.
        fit: How likely it answers the question, 0 to 1, whatever else there is.
        parts: What the score is made of, by name, before it was divided by the best one's.
        with_id: The record that stands for the other half of the question, where this one belongs to a pair.
    """

    hit: Hit
    score: float
    fit: float
    parts: Mapping[str, float]
    with_id: str | None = None


@dataclass(frozen=True)
class Ranking:
    """The records of an answer, best first, and whether the question has one."""

    items: tuple[Ranked, ...]
    answered: bool


def base_scores(hits: Iterable[Hit], policy: Policy = POLICY) -> dict[str, float]:
    """Return the score of each hit from its own numbers, 0 to 1.

    Cosine and BM25 are each stretched over the range that the hits cover, because only their order and distances
    within one question mean something. A hit that has no word of the question has BM25 0.
    """
    chosen = list(hits)
    words = stretched({hit.id: hit.bm25 or 0.0 for hit in chosen})
    if all(hit.cosine is None for hit in chosen):
        return words
    meaning = stretched({hit.id: hit.cosine for hit in chosen if hit.cosine is not None})
    # A record that still waits for its vector is judged by its words alone.
    return {
        key: policy.meaning * meaning[key] + (1 - policy.meaning) * value if key in meaning else value
        for key, value in words.items()
    }


def stretched(values: Mapping[str, float]) -> dict[str, float]:
    """Return the values over their own range, the least at 0 and the greatest at 1."""
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    width = high - low
    if width <= 0.0:
        # One record, or all alike: the best there is, unless there is nothing to it.
        return dict.fromkeys(values, 1.0 if high > 0.0 else 0.0)
    return {key: (value - low) / width for key, value in values.items()}


def rank(evidence: Evidence, contexts: Mapping[str, Context], policy: Policy = POLICY) -> Ranking:
    """Order the records of an answer and judge them.

    Args:
        evidence: What was searched.
        contexts: What the caller knows of the records; one without a context is left out, as it is gone from the
            caller's store.
        policy: Weights and thresholds.
    """
    hits = {key: hit for key, hit in evidence.hits.items() if key in contexts}
    whole = base_scores((hit for hit in evidence.whole if hit.id in hits), policy)
    speakers = _speakers(evidence.question, hits, contexts, policy)
    scored = [_score(part, hits, whole, speakers, contexts, policy) for part in evidence.parts]
    if evidence.questions and len(scored) > 1:
        _balance(scored)
    parts, totals = _merged(scored)
    top = max(totals.values(), default=0.0) or 1.0
    judge = Judge(evidence.question, [part.text for part in evidence.parts], policy)
    order = sorted(totals, key=lambda key: -totals[key])
    nearest = sorted(hits, key=lambda key: -(hits[key].cosine or 0.0))
    read = {*order[: policy.judged], *nearest[: policy.judged]}
    fits = {key: judge.fit(hits[key], contexts[key].text, contexts[key].language, read=key in read) for key in order}
    pairs = _pairs(evidence, hits)
    tied = (
        key
        for key, (strength, other) in pairs.items()
        if strength >= policy.tied and fits[other] >= policy.answered > fits[key]
    )
    fits |= dict.fromkeys(list(tied), policy.answered)
    items = tuple(
        Ranked(hits[key], totals[key] / top, fits[key], parts[key], pairs[key][1] if key in pairs else None)
        for key in order
    )
    answered = any(item.fit >= policy.answered for item in items)
    # Among few records the stretch leaves the last one nothing; one that fits by itself stays all the same.
    kept = (item for item in items if item.score >= policy.beside_best or item.fit >= policy.answered)
    return Ranking(tuple(kept), answered)


def _score(
    part: Part,
    hits: Mapping[str, Hit],
    whole: Mapping[str, float],
    speakers: Mapping[str, float],
    contexts: Mapping[str, Context],
    policy: Policy,
) -> Scores:
    """Return what each record is worth to one part of the message."""
    base = base_scores((hit for hit in part.hits if hit.id in hits), policy)
    scores: Scores = {}
    for key in hits:
        own = base.get(key, 0.0)
        if whole:
            own = (policy.whole * whole.get(key, 0.0) + own) / (1 + policy.whole)
        values = {"own": own}
        if key in speakers:
            values["speaker"] = speakers[key]
        if nearness := part.near.get(key):
            values["hop"] = policy.hop * nearness
        if (bridge := part.bridges.get(key)) is not None and bridge[1] in hits:
            values["bridge"] = policy.bridge * bridge[0]
        scores[key] = values
    _add_surroundings(scores, contexts, policy)
    return scores


def _balance(scored: Sequence[Scores]) -> None:
    """Give every question the same claim: the first of each is worth the same, then the second of each, and so on.

    Else the question whose records look alike would fill the list before another has its second line.
    """
    totals = [{key: sum(values.values()) for key, values in scores.items()} for scores in scored]
    orders = [sorted(total, key=lambda key: -total[key]) for total in totals]
    for places in zip(*orders, strict=True):
        mean = sum(total[key] for total, key in zip(totals, places, strict=True)) / len(totals)
        for scores, total, key in zip(scored, totals, places, strict=True):
            scores[key]["balance"] = mean - total[key]


def _merged(scored: Sequence[Scores]) -> tuple[Scores, dict[str, float]]:
    """Return the best that any part gives each record, and its sum."""
    parts: Scores = {}
    totals: dict[str, float] = {}
    for scores in scored:
        for key, values in scores.items():
            total = sum(values.values())
            if key not in totals or total > totals[key]:
                parts[key], totals[key] = values, total
    return parts, totals


def _pairs(evidence: Evidence, hits: Mapping[str, Hit]) -> dict[str, tuple[float, str]]:
    """Return the strongest pair of each record and its other half, where both may be shown."""
    best: dict[str, tuple[float, str]] = {}
    for part in evidence.parts:
        for key, bridge in part.bridges.items():
            if key in hits and bridge[1] in hits and bridge > best.get(key, (0.0, "")):
                best[key] = bridge
    return best


def _speakers(
    question: str, hits: Mapping[str, Hit], contexts: Mapping[str, Context], policy: Policy
) -> dict[str, float]:
    """Return the bonus of the records whose speaker the question names."""
    asked = textkit.fold(question)
    named = {speaker: _names(asked, textkit.fold(speaker)) for speaker in {contexts[key].speaker for key in hits}}
    return {key: policy.speaker for key in hits if named[contexts[key].speaker]}


def _names(asked: str, speaker: str) -> bool:
    if not speaker:
        return False
    edges = r"(?<!\w)", r"(?!\w)"
    before, after = ("", "") if textkit.is_cjk(speaker[0]) else edges
    return re.search(before + re.escape(speaker) + after, asked) is not None


def _add_surroundings(scores: Scores, contexts: Mapping[str, Context], policy: Policy) -> None:
    """Add what the turns before and after are worth, and the best of the session."""
    totals = {key: sum(values.values()) for key, values in scores.items()}
    places: dict[tuple[str, int], list[str]] = defaultdict(list)
    sessions: dict[str, list[float]] = defaultdict(list)
    for key in scores:
        context = contexts[key]
        if context.session:
            sessions[context.session].append(totals[key])
            if context.position is not None:
                places[context.session, context.position].append(key)
    means = {
        session: sum(sorted(values, reverse=True)[: policy.session_top]) / policy.session_top
        for session, values in sessions.items()
    }
    for key, values in scores.items():
        context = contexts[key]
        if context.session:
            values["session"] = policy.session * means[context.session]
        if context.position is None:
            continue
        around = [
            max((totals[other] for other in there if _replies(context, contexts[other])), default=0.0)
            for step in (-1, 1)
            if (there := places.get((context.session, context.position + step)))
        ]
        if any(around):
            values["neighbours"] = policy.neighbour * sum(around)


def _replies(one: Context, other: Context) -> bool:
    # Only what another says belongs to a turn: two notes of one person, hours apart, are neighbours by chance.
    return one.speaker != other.speaker
