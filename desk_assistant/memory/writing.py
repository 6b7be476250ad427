"""Memory's writing side: what the person adds, corrects, confirms, closes, merges and restores."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from desk_assistant import textkit
from desk_assistant.errors import InputError
from desk_assistant.memory.insights import Insights
from desk_assistant.memory.pipeline import Pipeline
from desk_assistant.memory.semantic import SemanticMemory
from desk_assistant.memory.upkeep import Upkeep
from desk_assistant.privacy import PrivacyGate
from desk_assistant.settings import Settings
from desk_assistant.store import Episode, Fact, Store

NOTES_SESSION = "notes"
"""Session that holds what the person asked to remember outside a conversation, so that every fact has its words."""


class Writing(ABC):
    """The part of `Memory` through which the person changes what is remembered."""

    _store: Store
    _settings: Settings
    _gate: Callable[[], PrivacyGate]
    _semantic: SemanticMemory
    _upkeep: Upkeep
    _insights: Insights
    _pipeline: Pipeline

    @abstractmethod
    def _changed(self) -> None: ...

    async def add(self, text: str) -> list[Fact]:
        """Remember something the person asked to be remembered; returns the facts it became.

        Raises:
            InputError: Nothing is left once private values are masked, or memory is off.
        """
        if not self._settings.flag("memory.enabled"):
            raise InputError("assistant.memory_off")
        masked = self._gate().mask(textkit.clean(text)).text.strip()
        if not any(character.isalnum() for character in masked):
            raise InputError("assistant.note_empty")

        def work() -> list[Fact]:
            with self._store.transaction():
                session = self._store.transcripts.create_session(NOTES_SESSION, origin="note")
                return self._semantic.note(session.id, session.head_id, masked)

        facts = await asyncio.to_thread(work)
        self._written()
        return facts

    async def edit(self, fact_id: str, text: str) -> Fact:
        """Replace the wording of a fact; from then on only the person changes it.

        Raises:
            NotFoundError: There is no such fact.
            InputError: The new text is empty.
        """
        masked = self._gate().mask(textkit.clean(text)).text.strip()
        if not masked:
            raise InputError("assistant.empty")
        fact = await asyncio.to_thread(self._semantic.edit, fact_id, masked)
        self._written()
        return fact

    async def pin(self, fact_id: str, pinned: bool) -> Fact:
        """Pin a fact (always in the prompt, never aged or changed by automation), or unpin it."""
        fact = await asyncio.to_thread(self._semantic.pin, fact_id, pinned)
        self._written()
        return fact

    async def confirm(self, fact_id: str) -> Fact:
        """Confirm a pending fact."""
        fact = await asyncio.to_thread(self._semantic.confirm, fact_id)
        self._written()
        return fact

    async def reject(self, fact_id: str) -> Fact:
        """Say that a fact is wrong: it is taken back and not learnt again by itself, but stays in the history.

        Raises:
            NotFoundError: There is no such fact.
        """
        fact = await asyncio.to_thread(self._semantic.reject, fact_id)
        self._written()
        return fact

    async def close_task(self, fact_id: str) -> Fact:
        """Mark a task as done; it leaves the list and the prompt, and stays in the history.

        Raises:
            NotFoundError: There is no such fact.
        """
        fact = await asyncio.to_thread(self._semantic.finish, fact_id)
        self._written()
        return fact

    async def split(self, fact_id: str) -> list[str]:
        """Take back that two names are one person, as the alias with this id says; returns the facts that moved.

        Raises:
            NotFoundError: There is no such fact.
        """
        moved = await asyncio.to_thread(self._semantic.split, fact_id)
        self._written()
        return moved

    async def reopen_task(self, fact_id: str) -> Fact:
        """Put a task that was marked as done back on the list.

        Raises:
            NotFoundError: There is no such fact.
        """
        fact = await asyncio.to_thread(self._semantic.reopen, fact_id)
        self._written()
        return fact

    async def merge(self, name: str, into: str) -> Fact:
        """Take two names for one person or thing; returns the alias that says so, by which `split` takes it back.

        Args:
            name: The name that becomes another name.
            into: The name that what is known stands under from then on.

        Raises:
            InputError: One of them is empty, or both are the same.
        """
        fact = await asyncio.to_thread(self._semantic.merge, NOTES_SESSION, name, into)
        self._written()
        return fact

    async def clean_up(self, *, also_new: bool = False) -> list[str]:
        """Archive what is long past, was never sure or is too much; returns the ids. Done by itself once a day.

        Args:
            also_new: Also what was kept only days ago, which the daily pass leaves alone.
        """
        archived = await asyncio.to_thread(lambda: self._upkeep.run(also_new=also_new))
        if archived:
            self._written()
        return archived

    async def archive(self, fact_ids: Sequence[str]) -> list[Fact]:
        """Put facts aside: out of recall and out of the prompt, still listed.

        Raises:
            NotFoundError: There is no such fact; nothing is changed.
        """
        facts = await asyncio.to_thread(self._upkeep.archive, fact_ids)
        self._written()
        return facts

    async def restore(self, fact_id: str) -> Fact:
        """Bring an archived fact back.

        Raises:
            NotFoundError: There is no such fact.
        """
        fact = await asyncio.to_thread(self._upkeep.restore, fact_id)
        self._written()
        return fact

    async def restore_episodes(self, episode_ids: Sequence[str]) -> list[Episode]:
        """Bring archived turns back into recall.

        Raises:
            NotFoundError: There is no such episode; nothing is changed.
        """
        episodes = await asyncio.to_thread(self._upkeep.restore_episodes, episode_ids)
        self._written()
        return episodes

    async def dismiss(self, insight_id: str) -> None:
        """Do not show an insight any more.

        Raises:
            NotFoundError: There is no such insight.
        """
        await asyncio.to_thread(self._insights.dismiss, insight_id)
        self._changed()

    def _written(self) -> None:
        self._changed()
        self._pipeline.kick()
