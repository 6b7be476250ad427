"""Forgetting with a way back: hidden at once, erased when the time for undo is over, and then reported."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Protocol

from desk_assistant.i18n import counted, t
from desk_assistant.memory.records import ForgetReport, Forgetting
from desk_assistant.tui.cells import fit, one_line
from desk_assistant.tui.flows.undo import Bar, UndoFlow
from desk_assistant.tui.host import Host
from desk_assistant.tui.screens.forget import By, ForgetScreen

GRACE: Final = 5.0
"""Seconds after the time for undo in which memory waits for us to erase and report; it erases by itself after that."""

QUOTED: Final = 40
"""Cells of the forgotten words that are shown."""


class ReportingBar(Bar, Protocol):
    """The undo bar, which also says what was erased."""

    def report(self, sentence: str) -> None:
        """Say that something was erased, with the way to the details."""


class ForgetFlow:
    """Forgets, and keeps the report of the last erase.

    Args:
        host: The app.
        bar: Finds the undo bar, which is another one after the screen was made anew.
        wall_clock: Seconds since 1970, as `Forgetting.due` counts them.

    Attributes:
        undoing: What can still be taken back, other changes too.
        gone: Ids of all that was forgotten in this run and not brought back; what still names one is not shown.
        last_report: What the last erase of this run removed, None before the first.
    """

    def __init__(self, host: Host, bar: Callable[[], ReportingBar], wall_clock: Callable[[], float]) -> None:
        self._host = host
        self._bar = bar
        self.undoing = UndoFlow(host, bar, wall_clock)
        self.gone: set[str] = set()
        self.last_report: ForgetReport | None = None

    @property
    def can_undo(self) -> bool:
        """Whether something can be brought back."""
        return self.undoing.can_undo

    async def undo(self) -> None:
        """Bring back what was forgotten or changed last."""
        await self.undoing.undo()

    async def forget(self, ids: tuple[str, ...]) -> None:
        """Hide records, and erase them when nobody brings them back in time.

        Raises:
            DeskError: Nothing was hidden, or the erase failed.
        """
        memory = self._host.assistant.memory
        seconds = self._host.assistant.settings.number("forget.undo_seconds")
        forgetting = await memory.forget(ids, undo_seconds=seconds + GRACE)
        self.gone.update(forgetting.ids)
        offer = self.undoing.offer(partial(_sentence, forgetting.texts), seconds, partial(self._back, forgetting))
        await self._host.memory_forgot()
        if not await self.undoing.held(offer):
            return
        if self._host.assistant.status.index.state != "ready":
            self._host.tell(t("tui.erase_waits"))
        self._report(await memory.erase_now(forgetting))
        await self._host.memory_forgot()

    async def choose(self, words: str = "", session_id: str = "") -> None:
        """Show what a wish to forget means, and forget what the person leaves in it.

        Raises:
            DeskError: Nothing was hidden, or the erase failed.
        """
        way: By = "session" if session_id else "topic"
        ids = await self._host.ask(ForgetScreen(self._host, words, session_id or self._host.conversation_id, way))
        if ids:
            await self.forget(ids)

    async def _back(self, forgetting: Forgetting) -> None:
        self.gone.difference_update(forgetting.ids)
        if await self._host.assistant.memory.undo(forgetting):
            self._host.tell(t("tui.undone"))
        else:
            self._host.warn(t("tui.undo_too_late"))
        await self._host.memory_forgot()

    def _report(self, report: ForgetReport) -> None:
        self.last_report = report
        if not report.verified:
            self._host.warn(t("tui.erase_leftovers", files=", ".join(report.leftovers)))
            return
        self._bar().report(t("panel.erased_short"))
        facts, episodes = counted("fact", report.facts), counted("episode", report.episodes)
        self._host.tell(t("tui.erased", facts=facts, episodes=episodes, messages=counted("message", report.messages)))


def _sentence(texts: tuple[str, ...], seconds: int) -> str:
    first = fit(one_line(texts[0]), QUOTED).rstrip() if texts else ""
    if len(texts) == 1:
        return t("tui.forgotten_one", text=first, seconds=seconds)
    return t("tui.forgotten_many", count=len(texts), seconds=seconds)
