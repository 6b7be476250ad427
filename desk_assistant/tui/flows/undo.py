"""What can still be taken back, the last thing first: a bar offers it for some seconds, F6 takes it back."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol

from desk_assistant.i18n import t
from desk_assistant.tui.host import Host

TICK: Final = 1.0
"""Seconds between two updates of the time that is left."""


class Bar(Protocol):
    """Where undo is offered."""

    def offer(self, sentence: str) -> None:
        """Say what can be taken back."""

    def close(self) -> None:
        """Offer it no longer."""


@dataclass(frozen=True, eq=False)
class Offer:
    """Something that was just done.

    Attributes:
        sentence: Says what was done; is given the seconds that are left.
        due: Seconds since 1970 up to which it can be taken back.
        back: Takes it back, and says so.
    """

    sentence: Callable[[int], str]
    due: float
    back: Callable[[], Awaitable[None]]


class UndoFlow:
    """Keeps what can still be taken back.

    Args:
        host: The app.
        bar: Finds the undo bar, which is another one after the screen was made anew.
        wall_clock: Seconds since 1970, as `Offer.due` counts them.
    """

    def __init__(self, host: Host, bar: Callable[[], Bar], wall_clock: Callable[[], float]) -> None:
        self._host = host
        self._bar = bar
        self._now = wall_clock
        self._open: list[Offer] = []

    @property
    def can_undo(self) -> bool:
        """Whether something can be taken back."""
        return bool(self._open)

    def offer(self, sentence: Callable[[int], str], seconds: float, back: Callable[[], Awaitable[None]]) -> Offer:
        """Begin to offer something; `held` then waits for its time."""
        offer = Offer(sentence, self._now() + seconds, back)
        self._open.append(offer)
        self._show()
        return offer

    async def held(self, offer: Offer) -> bool:
        """Wait until the time of an offer is over; False when it was taken back before."""
        while offer in self._open and (left := offer.due - self._now()) > 0:
            await asyncio.sleep(min(TICK, left))
            self._show()
        if offer not in self._open:
            return False
        self._open.remove(offer)
        self._show()
        return True

    async def undo(self) -> None:
        """Take back what was done last."""
        if not self._open:
            self._host.tell(t("tui.nothing_to_undo"))
            return
        offer = self._open.pop()
        self._show()
        await offer.back()

    def _show(self) -> None:
        # The screen may be gone while the app closes.
        with contextlib.suppress(LookupError):
            bar = self._bar()
            self._host.refresh_keys()
            if not self._open:
                bar.close()
                return
            last = self._open[-1]
            bar.offer(last.sentence(max(0, round(last.due - self._now()))))
