"""Keeping memory in order: tasks done and reopened, records put aside and brought back, facts confirmed, names joined.

Everything here can be taken back for some seconds, like forgetting; unlike it, nothing is ever removed.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Final, Literal

from desk_assistant.i18n import t
from desk_assistant.memory.upkeep import PASSING
from desk_assistant.store import Episode, Fact
from desk_assistant.tui.cells import fit, one_line
from desk_assistant.tui.flows.undo import UndoFlow
from desk_assistant.tui.host import Host
from desk_assistant.tui.screens.dialog import TextDialog

Change = Literal["done", "reopen", "archive", "restore"]
CHANGE_OF: Final[dict[str, Change]] = {
    "active": "archive",
    "pending": "archive",
    "closed": "reopen",
    "archived": "restore",
}
"""What the key that settles a fact does, by its status; tasks and appointments that are open are done instead."""

BACK: Final[dict[Change, Change]] = {"done": "reopen", "reopen": "done", "archive": "restore", "restore": "archive"}
UNDO_SECONDS: Final = 15.0
QUOTED: Final = 40
INSIGHT: Final = "i_"


def change_of(fact: Fact) -> Change | None:
    """Return what settling a fact would do; None for one that was replaced or taken back."""
    if fact.kind in PASSING and fact.status == "active":
        return "done"
    return CHANGE_OF.get(fact.status)


class CurationFlow:
    """Each method raises `DeskError` when the facade does; nothing is changed then.

    Args:
        host: The app.
        undoing: Offers to take each change back.
    """

    def __init__(self, host: Host, undoing: UndoFlow) -> None:
        self._host = host
        self._undoing = undoing

    async def confirm(self, ids: Sequence[str]) -> None:
        """Say that facts are right: pending ones become active, all count as said now."""
        for fact_id in ids:
            await self._host.assistant.memory.confirm(fact_id)
        self._host.tell(t("panel.confirmed", count=len(ids)))
        await self._host.memory_changed()

    async def settle(self, ids: Sequence[str]) -> None:
        """Change records to their other state, each by its own, and offer to take that back."""
        memory = self._host.assistant.memory
        done: list[tuple[Change, str]] = []
        texts: list[str] = []
        for record_id in ids:
            if record_id.startswith(INSIGHT):
                await memory.dismiss(record_id)
                self._host.tell(t("panel.insight_dismissed"))
                continue
            record = await memory.show(record_id)
            change = change_of(record) if isinstance(record, Fact) else None
            if isinstance(record, Episode) and record.archived:
                change = "restore"
            if change is None:
                continue
            await self._apply(change, record_id)
            done.append((change, record_id))
            texts.append(record.text if isinstance(record, Fact | Episode) else "")
        if not done:
            if not any(record_id.startswith(INSIGHT) for record_id in ids):
                self._host.tell(t("panel.nothing_to_settle"))
            await self._host.memory_changed()
            return
        await self._offer(done[0][0], texts, partial(self._back, done))

    async def join(self, name: str) -> None:
        """Ask which other name the person or thing called `name` has, and take both for one."""
        dialog = TextDialog(t("panel.join_title", name=name), "", t("panel.join_hint", name=name))
        other = await self._host.ask(dialog)
        if other is None:
            return
        alias = await self._host.assistant.memory.merge(other, name)
        await self._offer("join", [f"{name} = {other}"], partial(self._part, [alias.id]))

    async def part(self, alias_id: str) -> None:
        """Take back that two names are one."""
        await self._part([alias_id])

    async def _part(self, aliases: Sequence[str]) -> None:
        for alias_id in aliases:
            await self._host.assistant.memory.split(alias_id)
        self._host.tell(t("panel.parted"))
        await self._host.memory_changed()

    async def _back(self, done: Sequence[tuple[Change, str]]) -> None:
        for change, record_id in done:
            await self._apply(BACK[change], record_id)
        self._host.tell(t("tui.undone"))
        await self._host.memory_changed()

    async def _apply(self, change: Change, record_id: str) -> None:
        memory = self._host.assistant.memory
        match change:
            case "done":
                await memory.close_task(record_id)
            case "reopen":
                await memory.reopen_task(record_id)
            case "archive":
                await memory.archive([record_id])
            case "restore" if record_id.startswith("e_"):
                await memory.restore_episodes([record_id])
            case "restore":
                await memory.restore(record_id)

    async def _offer(self, change: str, texts: Sequence[str], back: Callable[[], Awaitable[None]]) -> None:
        first = fit(one_line(texts[0]), QUOTED).rstrip()

        def sentence(seconds: int) -> str:
            said = t(f"panel.settled_{change}", text=first)
            if len(texts) > 1:
                said = t("panel.settled_many", text=said, count=len(texts) - 1)
            return t("panel.can_be_undone", text=said, seconds=seconds)

        offer = self._undoing.offer(sentence, UNDO_SECONDS, back)
        await self._host.memory_changed()
        await self._undoing.held(offer)
