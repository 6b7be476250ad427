"""From raw hits to a ranking, and to the judgement whether anything fits the question at all.

Two numbers come out for each record. Its *score* orders records within one answer: cosine and BM25, each stretched over
its own range, with help from what stands around the record. Its *fit* is absolute: how likely a record with this cosine
and these words in common answers the question, whatever else is in the store. A question none of whose records fits has
no answer here; better no memory than a wrong one.

Pure Python over a few hundred hits; the numbers that decide are in `Policy`.
"""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from desk_assistant import textkit
from desk_assistant.index import analysis
from desk_assistant.index.records import Hit

Ids = Mapping[str, float]


@dataclass(frozen=True)
class Policy:
    """The weights of the ranking and the thresholds of the fit.

    The ranking was chosen on long two-person conversations in English and on short diaries in Chinese; the fit is a
    logistic curve over the pairs of `tests/bench/recall_pairs.txt` and the same conversations.

    Attributes:
        meaning: Share of the cosine in the base score; the rest is BM25.
        whole: Weight of the question as a whole beside its best part, when it has parts.
        speaker: Added when the question names the one who said it.
        hop: Weight of nearness to the best record of a part.
        hop_meaning: Share of the cosine in that nearness.
        neighbour: Share of the score of the turns before and after, where another speaks.
        session: Share of the mean of the session's best.
        session_top: How many of the session's best.
        steepness: Of the logistic curve over the cosine.
        even: Cosine of even odds, by the language of the question and of the record.
        words: How much a full overlap of content words lowers that cosine.
        words_even: Overlap of even odds when there is no cosine.
        words_steepness: Of the logistic curve over the overlap when there is no cosine.
        judged: Records whose text is read to judge them; the others are judged by their cosine alone.
        answered: Least fit of the best record of a question that has an answer.
        beside_best: Least score of a record worth returning, as a share of the best one's.
    """

    meaning: float = 0.5
    whole: float = 0.25
    speaker: float = 0.25
    hop: float = 0.25
    hop_meaning: float = 0.2
    neighbour: float = 0.1
    session: float = 0.2
    session_top: int = 3
    steepness: float = 17.0
    even: Mapping[tuple[str, str], float] = field(
        default_factory=lambda: {("en", "en"): 0.25, ("zh", "zh"): 0.28, ("en", "zh"): 0.25, ("zh", "en"): 0.25}
    )
    words: float = 0.12
    words_even: float = 0.4
    words_steepness: float = 6.0
    judged: int = 40
    answered: float = 0.5
    beside_best: float = 0.3


POLICY: Final = Policy()


@dataclass(frozen=True)
class Context:
    """What the caller knows of a record.

    Attributes:
        text: What it says.
        speaker: Who said it, as a name; empty when unknown.
        session: Its session.
        position: Its place in the session; None for what is no turn.
    """

    text: str
    speaker: str = ""
    session: str = ""
    position: int | None = None


@dataclass(frozen=True)
class Evidence:
    """Everything that was searched for one question.

    Attributes:
        question: The question.
        whole: Hits of the question as it stands.
        parts: Hits of each of its parts, empty for a question of one part.
        hops: For the best record of each part, the records near it.
        degraded: Only full text was searched.
    """

    question: str
    whole: tuple[Hit, ...]
    parts: tuple[tuple[Hit, ...], ...] = ()
    hops: Mapping[str, tuple[Hit, ...]] = field(default_factory=dict)
    degraded: bool = False

    @property
    def hits(self) -> dict[str, Hit]:
        """All records found, each as the question (or the part that likes it best) found it."""
        found: dict[str, Hit] = {}
        for hit in (*self.whole, *(hit for part in self.parts for hit in part)):
            known = found.get(hit.id)
            if known is None or (hit.cosine or 0.0) > (known.cosine or 0.0):
                found[hit.id] = hit
        for near in self.hops.values():
            for hit in near:
                # Near another record, not near the question: its numbers are not the question's.
                found.setdefault(hit.id, Hit(hit.id, hit.kind, hit.session, None, None))
        return found


@dataclass(frozen=True)
class Ranked:
    """One record of an answer.

    Attributes:
        hit: The record with its raw numbers.
        score: Orders the records of this answer; the best has 1.
        fit: How likely it answers the question, 0 to 1, whatever else there is.
        parts: What the score is made of, by name, before it was divided by the best one's.
    """

    hit: Hit
    score: float
    fit: float
    parts: Mapping[str, float]


@dataclass(frozen=True)
class Ranking:
    """The records of an answer, best first, and whether the question has one."""

    items: tuple[Ranked, ...]
    answered: bool


def base_scores(hits: Iterable[Hit], policy: Policy = POLICY) -> dict[str, float]:
    """Return the score of each hit from its own numbers, 0 to 1.

    Cosine and BM25 are each stretched over the range that the hits cover, because only their order and distances
    within one question mean something. A hit that full text did not find has BM25 0.
    """
    chosen = list(hits)
    words = _stretched({hit.id: hit.bm25 or 0.0 for hit in chosen})
    if all(hit.cosine is None for hit in chosen):
        return words
    meaning = _stretched({hit.id: hit.cosine for hit in chosen if hit.cosine is not None})
    # A record that still waits for its vector is judged by its words alone.
    return {
        key: policy.meaning * meaning[key] + (1 - policy.meaning) * value if key in meaning else value
        for key, value in words.items()
    }


def best_of(hits: Iterable[Hit], policy: Policy = POLICY) -> str | None:
    """Return the id of the best hit, None without any."""
    scores = base_scores(hits, policy)
    return max(scores, key=lambda key: scores[key]) if scores else None


def rank(evidence: Evidence, contexts: Mapping[str, Context], policy: Policy = POLICY) -> Ranking:
    """Order the records of an answer and judge them.

    Args:
        evidence: What was searched.
        contexts: What the caller knows of the records; one without a context is left out, as it is gone from the
            caller's store.
        policy: Weights and thresholds.
    """
    hits = {key: hit for key, hit in evidence.hits.items() if key in contexts}
    parts = _own_scores(evidence, hits, policy)
    _add_speakers(parts, evidence.question, contexts, policy)
    _add_hops(parts, evidence, policy)
    totals = {key: sum(values.values()) for key, values in parts.items()}
    _add_surroundings(parts, totals, contexts, policy)
    totals = {key: sum(values.values()) for key, values in parts.items()}
    top = max(totals.values(), default=0.0) or 1.0
    judge = Judge(evidence.question, policy)
    order = sorted(totals, key=lambda key: -totals[key])
    nearest = sorted(hits, key=lambda key: -(hits[key].cosine or 0.0))
    read = {*order[: policy.judged], *nearest[: policy.judged]}
    items = tuple(
        Ranked(hits[key], totals[key] / top, judge.fit(hits[key], contexts[key].text, read=key in read), parts[key])
        for key in order
    )
    answered = any(item.fit >= policy.answered for item in items)
    # Among few records the stretch leaves the last one nothing; one that fits by itself stays all the same.
    kept = (item for item in items if item.score >= policy.beside_best or item.fit >= policy.answered)
    return Ranking(tuple(kept), answered)


class Judge:
    """Judges records against one question, in absolute terms.

    Args:
        question: The question.
        policy: Thresholds.
    """

    def __init__(self, question: str, policy: Policy = POLICY) -> None:
        self._policy = policy
        self._language = textkit.guess_language(question)
        self._terms = [analysis.content_terms(asked) for asked in (question, *parts_of(question))]

    def fit(self, hit: Hit, text: str, *, read: bool = True) -> float:
        """Return how likely a record answers the question, or one part of it, 0 to 1.

        Args:
            hit: The record.
            text: What it says.
            read: Look for the question's words in it.
        """
        overlap = self.overlap(text) if read else 0.0
        policy = self._policy
        if hit.cosine is None:
            return _logistic(policy.words_steepness * (overlap - policy.words_even))
        even = policy.even[self._language, textkit.guess_language(text)]
        return _logistic(policy.steepness * (hit.cosine + policy.words * overlap - even))

    def overlap(self, text: str) -> float:
        """Return the share of the content words of the question, or of one part of it, that a text has, 0 to 1."""
        present = set(analysis.terms(text))
        return max((sum(term in present for term in terms) / len(terms) for terms in self._terms if terms), default=0.0)


def _own_scores(evidence: Evidence, hits: Mapping[str, Hit], policy: Policy) -> dict[str, dict[str, float]]:
    whole = base_scores((hit for hit in evidence.whole if hit.id in hits), policy)
    if not evidence.parts:
        return {key: {"own": whole.get(key, 0.0)} for key in hits}
    by_part = [base_scores((hit for hit in part if hit.id in hits), policy) for part in evidence.parts]
    return {
        key: {
            "own": (policy.whole * whole.get(key, 0.0) + max(scores.get(key, 0.0) for scores in by_part))
            / (1 + policy.whole)
        }
        for key in hits
    }


def _add_speakers(
    parts: dict[str, dict[str, float]], question: str, contexts: Mapping[str, Context], policy: Policy
) -> None:
    asked = textkit.fold(question)
    named: dict[str, bool] = {}
    for key, values in parts.items():
        speaker = contexts[key].speaker
        if speaker not in named:
            named[speaker] = bool(speaker) and _names(asked, textkit.fold(speaker))
        if named[speaker]:
            values["speaker"] = policy.speaker


def _names(asked: str, speaker: str) -> bool:
    if not speaker:
        return False
    edges = r"(?<!\w)", r"(?!\w)"
    before, after = ("", "") if textkit.is_cjk(speaker[0]) else edges
    return re.search(before + re.escape(speaker) + after, asked) is not None


def _add_hops(parts: dict[str, dict[str, float]], evidence: Evidence, policy: Policy) -> None:
    nearness: dict[str, float] = {}
    for source, near in evidence.hops.items():
        words = _stretched({hit.id: hit.bm25 or 0.0 for hit in near})
        meaning = _stretched({hit.id: hit.cosine or 0.0 for hit in near})
        for key in words:
            value = policy.hop_meaning * meaning[key] + (1 - policy.hop_meaning) * words[key]
            nearness[key] = max(nearness.get(key, 0.0), value)
        # It is as near to itself as anything can be, so that a hop never costs its starting point the first place.
        nearness[source] = 1.0
    for key, value in nearness.items():
        if key in parts and value:
            parts[key]["hop"] = policy.hop * value


def _add_surroundings(
    parts: dict[str, dict[str, float]], totals: Ids, contexts: Mapping[str, Context], policy: Policy
) -> None:
    places: dict[tuple[str, int], list[str]] = defaultdict(list)
    sessions: dict[str, list[float]] = defaultdict(list)
    for key in parts:
        context = contexts[key]
        if context.session:
            sessions[context.session].append(totals[key])
            if context.position is not None:
                places[context.session, context.position].append(key)
    means = {
        session: sum(sorted(values, reverse=True)[: policy.session_top]) / policy.session_top
        for session, values in sessions.items()
    }
    for key, values in parts.items():
        context = contexts[key]
        if context.session:
            values["session"] = policy.session * means[context.session]
        if context.position is None:
            continue
        around = [
            max(
                (
                    totals[other]
                    for other in places.get((context.session, place), ())
                    if _replies(context, contexts[other])
                ),
                default=0.0,
            )
            for place in (context.position - 1, context.position + 1)
        ]
        if any(around):
            values["neighbours"] = policy.neighbour * sum(around)


def _replies(one: Context, other: Context) -> bool:
    # Only what another says belongs to a turn: two notes of one person, hours apart, are neighbours by chance.
    return one.speaker != other.speaker


def _stretched(values: Mapping[str, float]) -> dict[str, float]:
    low, high = min(values.values(), default=0.0), max(values.values(), default=0.0)
    width = high - low
    if width <= 0.0:
        # One record, or all alike: the best there is, unless there is nothing to it.
        return dict.fromkeys(values, 1.0 if high > 0.0 else 0.0)
    return {key: (value - low) / width for key, value in values.items()}


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, value))))


def parts_of(question: str, most: int = 4) -> Sequence[str]:
    """Return the parts of a question that asks several things, or hides one in a story; none for a simple one.

    Args:
        question: The question.
        most: The last ones are kept, since what is asked stands at the end.
    """
    found = [
        part.strip(" ,，、")
        for sentence in textkit.sentences(question)
        for part in _AND_ALSO.split(sentence)
        if len(analysis.content_terms(part)) > 0
    ]
    return found[-most:] if len(found) > 1 else ()


_AND_ALSO: Final = re.compile(
    r"另外[，,]?|此外[，,]?|还有就是|(?:[,;] )?\band also\b,?|\bbesides that\b,?", re.IGNORECASE
)
