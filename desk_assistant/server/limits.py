"""How much a client may ask for: a bucket of calls that fills up again, one for each client and kind of call."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True)
class Rate:
    """So many calls at once, and so many a second in the long run."""

    burst: float
    per_second: float


READS: Final = Rate(burst=400, per_second=100)
WRITES: Final = Rate(burst=100, per_second=20)
STRANGERS: Final = Rate(burst=20, per_second=2)
"""For calls without a valid token, all together: nobody shall guess one."""

MAX_BODY: Final = 256 * 1024
"""Bytes of the largest request; a memory is a sentence, not a book."""

MAX_TEXT: Final = 20_000
"""Characters of the longest text that can be added or searched for."""

MAX_LIST: Final = 200
"""Records of the longest list."""


class Limiter:
    """Counts calls.

    Args:
        clock: Seconds that only grow.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._buckets: dict[tuple[str, Rate], tuple[float, float]] = {}

    def wait(self, who: str, rate: Rate) -> float:
        """Take one call out of a bucket; return 0, or the seconds until there is one again."""
        now = self._clock()
        left, at = self._buckets.get((who, rate), (rate.burst, now))
        left = min(rate.burst, left + (now - at) * rate.per_second)
        if left < 1:
            self._buckets[who, rate] = (left, now)
            return (1 - left) / rate.per_second
        self._buckets[who, rate] = (left - 1, now)
        return 0.0
