"""Remember the tokens an answer was sampled as.

A text can be written in more than one way in tokens, and a model does not always choose the way its tokeniser would.
When the answer comes back as history, its own tokens make the prompt identical to what the cache holds, so that
nothing of it is read again.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Final

CAPACITY: Final = 512
"""Answers remembered; more than any context holds."""


class SampledAnswers:
    """The latest answers by their text. Lives in the memory of the child alone."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._capacity = capacity
        self._known: OrderedDict[str, tuple[int, ...]] = OrderedDict()

    def remember(self, text: str, tokens: Sequence[int]) -> None:
        """Keep `tokens` for `text`. White space around the text makes no difference, since storing may trim it."""
        key = text.strip()
        if not key or not tokens:
            return
        self._known[key] = tuple(tokens)
        self._known.move_to_end(key)
        while len(self._known) > self._capacity:
            self._known.popitem(last=False)

    def recall(self, text: str) -> tuple[int, ...] | None:
        """Return the tokens of an answer, None when it is not known."""
        key = text.strip()
        if key in self._known:
            self._known.move_to_end(key)
        return self._known.get(key)

    def clear(self) -> None:
        """Forget everything: the tokens belong to one vocabulary."""
        self._known.clear()
