"""Forgetting with a way back: hidden at once, erased when the time for undo is over, and then reported."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from typing import Final, Protocol

from desk_assistant.i18n import t
from desk_assistant.memory.records import ForgetReport, Forgetting
from desk_assistant.tui.host import Host

TICK: Final = 1.0
"""Seconds between two updates of the time that is left."""


GRACE: Final = 5.0
"""Seconds after the time for undo in which memory waits for us to erase and report; it erases by itself after that."""


class Bar(Protocol):
    """Where undo is offered."""

    def offer(self, texts: tuple[str, ...], seconds: int) -> None:
        """Show what was forgotten and how long it can be brought back."""

    def close(self) -> None:
        """Offer it no longer."""


class ForgetFlow:
    """Keeps the forgettings that can still be undone, the last one first.

    Args:
        host: The app.
        bar: Finds the undo bar, which is another one after the screen was made anew.
        wall_clock: Seconds since 1970, as `Forgetting.due` counts them.

    Attributes:
        gone: Ids of all that was forgotten in this run and not brought back; what still names one is not shown.
    """

    def __init__(self, host: Host, bar: Callable[[], Bar], wall_clock: Callable[[], float]) -> None:
        self._host = host
        self._bar = bar
        self._now = wall_clock
        self._open: list[Forgetting] = []
        self.gone: set[str] = set()

    @property
    def can_undo(self) -> bool:
        """Whether something can be brought back."""
        return bool(self._open)

    async def forget(self, ids: tuple[str, ...]) -> None:
        """Hide records, and erase them when nobody brings them back in time.

        Raises:
            DeskError: Nothing was hidden, or the erase failed.
        """
        memory = self._host.assistant.memory
        seconds = self._host.assistant.settings.number("forget.undo_seconds")
        forgetting = await memory.forget(ids, undo_seconds=seconds + GRACE)
        self._open.append(forgetting)
        self.gone.update(forgetting.ids)
        self._offer()
        await self._host.memory_forgot()
        while forgetting in self._open and (left := self._left(forgetting)) > 0:
            await asyncio.sleep(min(TICK, left))
            self._offer()
        if forgetting not in self._open:
            return
        self._open.remove(forgetting)
        self._offer()
        if self._host.assistant.status.index.state != "ready":
            self._host.tell(t("tui.erase_waits"))
        self._report(await memory.erase_now(forgetting))
        await self._host.memory_forgot()

    async def undo(self) -> None:
        """Bring back what was forgotten last."""
        if not self._open:
            self._host.tell(t("tui.nothing_to_undo"))
            return
        forgetting = self._open.pop()
        self.gone.difference_update(forgetting.ids)
        self._offer()
        if await self._host.assistant.memory.undo(forgetting):
            self._host.tell(t("tui.undone"))
        else:
            self._host.warn(t("tui.undo_too_late"))
        await self._host.memory_forgot()

    def _left(self, forgetting: Forgetting) -> float:
        """Seconds in which it can still be brought back."""
        return forgetting.due - GRACE - self._now()

    def _offer(self) -> None:
        # The screen may be gone while the app closes.
        with contextlib.suppress(LookupError):
            bar = self._bar()
            self._host.refresh_keys()
            if not self._open:
                bar.close()
                return
            last = self._open[-1]
            bar.offer(last.texts, max(0, round(self._left(last))))

    def _report(self, report: ForgetReport) -> None:
        if not report.verified:
            self._host.warn(t("tui.erase_leftovers", files=", ".join(report.leftovers)))
            return
        lines = [t("tui.erased", facts=report.facts, episodes=report.episodes, messages=report.messages)]
        if report.mentions:
            lines.append(t("tui.erase_mentions", count=len(report.mentions)))
        if report.backups:
            lines.append(t("tui.erase_backups", count=len(report.backups)))
        if report.exports:
            lines.append(t("tui.erase_exports", files=", ".join(report.exports)))
        self._host.tell("\n".join(lines))
