"""Questions that need two records: "the one with the diploma, where does he work?".

One record ties a person or a thing to what the question describes it by, another ties the same to what is asked.
Neither looks like the question as a whole, and records of other people look more like either half. So among the best
records those are raised that belong to a pair: both speak of something that the question does not name (they share
words that are not the question's), and each adds to what the other has of the question.

What a record adds is measured twice: by the words of the question that it has and the other has not, and by the cosine
to what is left of the question's vector once the other record's direction is taken out of it.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from desk_assistant.index.policy import POLICY, Policy

Numbers = NDArray[np.float32]

_TINY: Final = 1e-6


@dataclass(frozen=True)
class Bridge:
    """What ties a record to the rest of its answer.

    Attributes:
        strength: 0 for nothing, above 1 for a pair that shares rare words and halves the question between them.
        other: Place of the record that stands for the other half.
    """

    strength: float
    other: int


def bridges(
    asked: Collection[str],
    records: Sequence[Collection[str]],
    cosines: Numbers | None = None,
    vectors: Numbers | None = None,
    policy: Policy = POLICY,
) -> list[Bridge | None]:
    """Return, for each record, the strongest pair it belongs to, None where there is none.

    Args:
        asked: Terms of the question.
        records: Terms of each record.
        cosines: Cosine of each record to the question, 0 where there is no vector, (records,); None for no vectors.
        vectors: Unit vectors of the records, zeros where there is none, (records, dimensions).
        policy: Weights.
    """
    count = len(records)
    if count < 2:
        return [None] * count
    present, weights, wanted = _table(asked, records)
    weighed = present * weights
    own = weighed * ~wanted
    shared = own @ (present * ~wanted).T
    link = shared / (shared + policy.bound)
    np.fill_diagonal(link, 0.0)
    added = policy.words_added * _words_added(present[:, wanted], weights[wanted])
    if cosines is not None and vectors is not None:
        added += _meaning_added(cosines, vectors)
    strength = link * np.sqrt(added * added.T)
    others = strength.argmax(axis=1)
    best = strength[np.arange(count), others]
    return [
        Bridge(float(value), int(other)) if value > 0.0 else None for value, other in zip(best, others, strict=True)
    ]


def _table(asked: Collection[str], records: Sequence[Collection[str]]) -> tuple[NDArray[Any], Numbers, NDArray[Any]]:
    """Return which record has which term, the weight of each term among these records, and which are the question's."""
    places: dict[str, int] = {}
    for terms in records:
        for term in terms:
            places.setdefault(term, len(places))
    present = np.zeros((len(records), len(places)), dtype=np.float32)
    for row, terms in enumerate(records):
        present[row, [places[term] for term in terms]] = 1.0
    having = present.sum(axis=0)
    weights = np.maximum(0.0, np.log((len(records) + 1) / (having + 0.5))).astype(np.float32)
    wanted = np.fromiter((term in asked for term in places), np.bool_, len(places))
    return present, weights, wanted


def _words_added(present: Numbers, weights: Numbers) -> Numbers:
    """Return, for each pair, the share of the question's words that the first has and the second has not."""
    weighed = present * weights
    added: Numbers = (weighed.sum(axis=1)[:, None] - weighed @ present.T) / max(_TINY, float(weights.sum()))
    return np.maximum(added, 0.0)


def _meaning_added(cosines: Numbers, vectors: Numbers) -> Numbers:
    """Return, for each pair, the cosine of the first to what is left of the question without the second."""
    alike = vectors @ vectors.T
    left = np.sqrt(np.maximum(_TINY, 1.0 - cosines**2))
    added: Numbers = (cosines[:, None] - cosines[None, :] * alike) / left[None, :]
    return np.maximum(added, 0.0)
