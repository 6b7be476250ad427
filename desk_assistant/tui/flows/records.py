"""Correcting what is remembered: add, edit, pin, confirm."""

from __future__ import annotations

from desk_assistant.i18n import t
from desk_assistant.store import Fact
from desk_assistant.tui.cells import one_line
from desk_assistant.tui.host import Host
from desk_assistant.tui.screens.dialog import TextDialog


class RecordFlow:
    """Each method raises `DeskError` when the facade does; nothing is changed then.

    Args:
        host: The app.
    """

    def __init__(self, host: Host) -> None:
        self._host = host

    async def edit(self, fact_id: str) -> None:
        """Ask for a new wording of a fact and store it; the old one stays in its history."""
        record = await self._host.assistant.memory.show(fact_id)
        if not isinstance(record, Fact):
            return
        text = await self._host.ask(TextDialog(t("tui.edit_title"), record.text, t("tui.edit_hint")))
        if text is None or text == record.text:
            return
        await self._host.assistant.memory.edit(fact_id, text)
        self._host.tell(t("tui.edited_note"))
        await self._host.memory_changed()

    async def add(self, text: str) -> None:
        """Ask for something to remember, beginning with `text`, and store it."""
        answer = await self._host.ask(TextDialog(t("tui.add_title"), text, t("tui.add_hint")))
        if answer is not None:
            await self.remember(answer)

    async def remember(self, text: str) -> None:
        """Store what the person asks to be remembered."""
        facts = await self._host.assistant.memory.add(text)
        if facts:
            self._host.tell(t("tui.remembered", text="\n".join(one_line(fact.text) for fact in facts)))
        else:
            self._host.tell(t("tui.remembered_nothing"))
        await self._host.memory_changed()

    async def pin(self, fact_id: str, pinned: bool) -> None:
        """Pin a fact, or let it go."""
        await self._host.assistant.memory.pin(fact_id, pinned)
        await self._host.memory_changed()
