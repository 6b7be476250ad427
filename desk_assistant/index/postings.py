"""BM25 over the terms of the records, held in memory and always up to date.

The table's own full-text index takes tens of milliseconds a search, and longer after every write until it is compacted.
A list of places for each term answers in a few, takes in a record at once, and gives the score of *every* record, also
of those that only their meaning found.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

SATURATION: Final = 1.2
"""BM25's k1: how soon another occurrence of a term stops to count."""

LENGTH: Final = 0.75
"""BM25's b: how much a long record is held to have its terms by chance."""

_COUNT_BITS: Final = 4
_MOST: Final = (1 << _COUNT_BITS) - 1

Scores = NDArray[np.float32]


class Postings:
    """For each term the places that have it, with how often: a place and its count share one 32-bit number.

    Counts above 15 are kept as 15, where BM25 has long stopped to tell them apart.
    """

    def __init__(self) -> None:
        self._places: dict[str, array[int]] = {}
        self._lengths = array("f")
        self._total = 0.0
        self._records = 0

    def add(self, place: int, terms: str) -> None:
        """Take in the next record.

        Args:
            place: Its number; they come one after the other from 0.
            terms: Its terms, joined by spaces.
        """
        counts = Counter(terms.split())
        for term, count in counts.items():
            entry = place << _COUNT_BITS | min(count, _MOST)
            known = self._places.get(term)
            if known is None:
                self._places[term] = array("I", (entry,))
            else:
                known.append(entry)
        length = float(counts.total())
        self._lengths.append(length)
        self._total += length
        self._records += 1

    def remove(self, place: int, terms: str) -> None:
        """Leave no trace of a record. Its place stays, empty.

        Args:
            place: Its number.
            terms: What `add` was given for it.
        """
        for term in set(terms.split()):
            packed = np.frombuffer(self._places[term], dtype=np.uint32)
            kept = packed[packed >> _COUNT_BITS != place]
            if len(kept):
                self._places[term] = array("I", kept.tobytes())
            else:
                del self._places[term]
        self._total -= self._lengths[place]
        self._lengths[place] = 0.0
        self._records -= 1

    def scores(self, terms: Iterable[str]) -> Scores:
        """Return the BM25 score of every place for a question of these terms, each counted once; 0 for no term."""
        scores: Scores = np.zeros(len(self._lengths), dtype=np.float32)
        average = self._total / max(1, self._records) or 1.0
        norms = np.frombuffer(self._lengths, dtype=np.float32) * np.float32(SATURATION * LENGTH / average)
        norms += np.float32(SATURATION * (1.0 - LENGTH))
        for term in dict.fromkeys(terms):
            entries = self._places.get(term)
            if entries is None:
                continue
            packed = np.frombuffer(entries, dtype=np.uint32)
            places = packed >> _COUNT_BITS
            counts = (packed & _MOST).astype(np.float32)
            rarity = math.log(1.0 + (self._records - len(entries) + 0.5) / (len(entries) + 0.5))
            gained = norms[places]
            gained += counts
            np.divide(counts, gained, out=gained)
            gained *= np.float32(rarity * (SATURATION + 1.0))
            scores[places] += gained
        return scores

    def __len__(self) -> int:
        return self._records


def best(scores: NDArray[Any], allowed: NDArray[np.bool_], limit: int) -> Sequence[int]:
    """Return the places of the highest scores among the allowed ones, best first, at most `limit`."""
    places = np.flatnonzero(allowed)
    values = scores[places]
    if len(places) > limit:
        chosen = np.argpartition(values, len(places) - limit)[len(places) - limit :]
        places, values = places[chosen], values[chosen]
    ordered: list[int] = places[np.argsort(-values, kind="stable")].tolist()
    return ordered
