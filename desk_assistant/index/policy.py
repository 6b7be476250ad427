"""The numbers that decide how what was found is ranked and judged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True)
class Policy:
    """The weights of the ranking and the thresholds of the fit.

    The ranking was chosen on long two-person conversations in English and on short diaries in Chinese; the fit is a
    logistic curve over the pairs of `tests/bench/recall_pairs.txt` and the same conversations.

    Attributes:
        meaning: Share of the cosine in the base score; the rest is BM25.
        whole: Weight of the message as a whole beside one of its questions, when it has several parts.
        speaker: Added when the question names the one who said it.
        hop: Weight of nearness to the best record of a part.
        hop_records: Records that nothing but their nearness brings in, at most.
        hop_meaning: Share of the cosine in that nearness.
        bridge: Weight of standing for one half of a question beside a record that stands for the other half.
        bridged: Records of a part among which such pairs are looked for.
        bound: Weight of the shared words at which two records are held half as surely to speak of one thing.
        tied: Strength from which a record fits because its other half does: alone it may not look like an answer.
        words_added: What the words of the question that only one of a pair has count, beside the meaning it adds.
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
    speaker: float = 0.35
    hop: float = 0.25
    hop_records: int = 30
    hop_meaning: float = 0.2
    bridge: float = 0.6
    bridged: int = 40
    bound: float = 4.0
    tied: float = 0.15
    words_added: float = 1.0
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
