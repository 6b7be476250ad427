"""Which exchanges are worth keeping in recall when there are more than are to be kept. Pure.

An exchange is something the person said with what was answered to it. Its summary is another record and stays.
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from desk_assistant.store import Episode, epoch_of

IMPORTANCE_SHARE: Final = 0.6
RECENCY_SHARE: Final = 0.4
RECENCY_HALF_LIFE: Final = 30 * 86_400.0
"""Seconds after which an access counts half (DESIGN, forgetting)."""

PASSING_IMPORTANCE: Final = 0.2
"""Importance of what was said for one answer alone; up to it, an exchange passes after a week."""

SLACK: Final = 20
"""Nothing is put aside before there is a twentieth too much, so that it is done in one go and not one by one."""


@dataclass(frozen=True)
class Exchange:
    """Something the person said with the answers to it.

    Attributes:
        episodes: Ids of its records.
        importance: Of the most important of them.
        touched: When it was said or last recalled, seconds since 1970.
        stored: When it was kept, seconds since 1970; 0 where that is not known.
        protected: Something pinned rests on it.
    """

    episodes: tuple[str, ...]
    importance: float
    touched: float
    stored: float
    protected: bool

    @property
    def passing(self) -> bool:
        """Whether it was meant for one answer alone."""
        return self.importance <= PASSING_IMPORTANCE

    def retention(self, now: float) -> float:
        """Return how much it is worth keeping, 0 to 1."""
        age = max(0.0, now - self.touched)
        recency: float = 0.5 ** (age / RECENCY_HALF_LIFE)
        return IMPORTANCE_SHARE * self.importance + RECENCY_SHARE * recency


def exchanges(turns: Iterable[Episode], protected: Collection[str], pinned_sessions: Collection[str]) -> list[Exchange]:
    """Put turns together to exchanges.

    Args:
        turns: Turns in the order in which they were kept.
        protected: Messages that pinned or hand-edited facts rest on.
        pinned_sessions: Sessions whose exchanges all stay.
    """
    sessions: dict[str, list[Episode]] = {}
    for turn in turns:
        sessions.setdefault(turn.session_id, []).append(turn)
    found: list[Exchange] = []
    for session, said in sessions.items():
        for group in _groups(sorted(said, key=lambda turn: turn.position)):
            own = [turn for turn in group if turn.role == "user"] or group
            found.append(
                Exchange(
                    episodes=tuple(turn.id for turn in group),
                    importance=max(turn.importance for turn in own),
                    touched=max(_touched(turn) for turn in group),
                    stored=max(turn.stored for turn in group),
                    protected=session in pinned_sessions or any(m in protected for t in group for m in t.messages),
                )
            )
    return found


def over_capacity(free: Sequence[Exchange], count: int, most: int, now: float) -> list[Exchange]:
    """Return what to put aside so that `most` are left; nothing while there are only a few too many.

    Args:
        free: Exchanges that may go.
        count: How many there are with those that may not.
        most: How many are kept; 0 for no limit.
        now: Seconds since 1970.
    """
    if not most or count <= most + most // SLACK:
        return []
    return heapq.nsmallest(count - most, free, key=lambda exchange: (exchange.retention(now), exchange.touched))


def _groups(turns: Sequence[Episode]) -> Iterator[list[Episode]]:
    group: list[Episode] = []
    for turn in turns:
        new = turn.role == "user" and not set(turn.messages) & {m for t in group for m in t.messages}
        if group and new:
            yield group
            group = []
        group.append(turn)
    if group:
        yield group


def _touched(turn: Episode) -> float:
    said = epoch_of(turn.created_at)
    return max(said, epoch_of(turn.last_access)) if turn.last_access else said
