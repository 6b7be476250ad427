"""The judgement whether a record answers a question at all, whatever else there is."""

from __future__ import annotations

import math
from collections.abc import Sequence

from desk_assistant import textkit
from desk_assistant.index import analysis
from desk_assistant.index.policy import POLICY, Policy
from desk_assistant.index.records import Hit


class Judge:
    """Judges records against one question, in absolute terms.

    Args:
        question: The question, or the message that holds it.
        parts: The questions of the message.
        policy: Thresholds.
    """

    def __init__(self, question: str, parts: Sequence[str] = (), policy: Policy = POLICY) -> None:
        self._policy = policy
        self._language = textkit.guess_language(question)
        self._terms = [analysis.content_terms(asked) for asked in dict.fromkeys((question, *parts))]

    def fit(self, hit: Hit, text: str, language: str = "", *, read: bool = True) -> float:
        """Return how likely a record answers the question, or one part of it, 0 to 1.

        Args:
            hit: The record.
            text: What it says.
            language: What it is in, "en" or "zh"; guessed when it is neither.
            read: Look for the question's words in it.
        """
        overlap = self.overlap(text) if read else 0.0
        policy = self._policy
        if hit.cosine is None:
            return _logistic(policy.words_steepness * (overlap - policy.words_even))
        told = language if language in ("en", "zh") else textkit.guess_language(text)
        even = policy.even[self._language, told]
        return _logistic(policy.steepness * (hit.cosine + policy.words * overlap - even))

    def overlap(self, text: str) -> float:
        """Return the share of the content words of the question, or of one part of it, that a text has, 0 to 1."""
        present = set(analysis.terms(text))
        return max((sum(term in present for term in terms) / len(terms) for terms in self._terms if terms), default=0.0)


def _logistic(value: float) -> float:
    return 1.0 / (1.0 + math.exp(-max(-60.0, min(60.0, value))))
