"""Memory's forgetting side: set aside, undo, erase, check, and the files outside that still hold it."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from desk_assistant.errors import StorageError
from desk_assistant.memory.forget import JOB as ERASE
from desk_assistant.memory.forget import PERSON, Forgetter
from desk_assistant.memory.pipeline import Pipeline
from desk_assistant.memory.ports import IndexService
from desk_assistant.memory.recheck import ForgottenCheck
from desk_assistant.memory.recheck import check as recheck
from desk_assistant.memory.records import ForgetReport, Forgetting
from desk_assistant.settings import Settings
from desk_assistant.store import Store

TRIES: Final = 2
"""What the background pass has just failed at is tried once more, so that its reason is told."""


class Erasing(ABC):
    """The part of `Memory` that forgets."""

    _store: Store
    _settings: Settings
    _index: IndexService | None
    _home: Path
    _forgetter: Forgetter
    _pipeline: Pipeline

    @abstractmethod
    def _changed(self) -> None: ...

    @abstractmethod
    def _written(self) -> None: ...

    async def forget(
        self, record_ids: Sequence[str], *, undo_seconds: float | None = None, actor: str = PERSON
    ) -> Forgetting:
        """Hide records at once and erase them when the time for undo is over.

        Args:
            record_ids: What to forget.
            undo_seconds: How long it can be brought back; as the settings say when None.
            actor: Under whose name it stands in the trail.

        Raises:
            NotFoundError: One of the ids does not exist; nothing is hidden.
        """
        seconds = self._settings.number("forget.undo_seconds") if undo_seconds is None else undo_seconds
        forgetting = await asyncio.to_thread(self._forgetter.set_aside, list(record_ids), seconds, actor)
        self._written()
        return forgetting

    async def undo(self, forgetting: Forgetting) -> bool:
        """Take a forgetting back; False when the erase has begun."""
        undone = await asyncio.to_thread(self._forgetter.undo, forgetting)
        self._changed()
        return undone

    async def erase_now(self, forgetting: Forgetting) -> ForgetReport:
        """Erase what was set aside without waiting, and report what was removed and checked.

        Raises:
            DeskError: The erase could not be finished; it is taken up again later.
        """
        outbox, wanted = self._store.outbox, set(forgetting.ids)
        for _ in range(TRIES):
            # The background pass, or another program, may be at it already: it must not be asked to do it twice.
            await asyncio.to_thread(outbox.hurry, ERASE, forgetting.ids)
            await self._pipeline.drain()
            if wanted.isdisjoint(await asyncio.to_thread(outbox.refs, ERASE)):
                break
        else:
            raise StorageError("memory.erase_waits")
        reports = [r for r in (self._pipeline.take_report(i) for i in forgetting.ids) if r is not None]
        if reports:
            return ForgetReport.of(reports)
        return await asyncio.to_thread(self._forgetter.done_elsewhere, forgetting)

    async def check_forgotten(self) -> ForgottenCheck:
        """Look through the whole profile for anything that was forgotten and is there all the same.

        Raises:
            DeskError: The index cannot be read.
        """
        indexed = await self._index.ids() if self._index is not None else ()
        return await asyncio.to_thread(recheck, self._store, self._home, self._forgetter.backups(), indexed)

    def backups(self) -> list[Path]:
        """Return the backup files; each may still hold what was forgotten after it was made."""
        return self._forgetter.backups()

    async def delete_backups(self, names: Sequence[str] = ()) -> list[Path]:
        """Delete backups by their file names, or all; returns those that are gone.

        Raises:
            NotFoundError: There is no backup of such a name; nothing is deleted.
            StorageError: One of them cannot be deleted.
        """
        return await asyncio.to_thread(self._forgetter.delete_backups, names)

    async def note_export(self, path: Path, session_id: str | None = None) -> None:
        """Remember that words were written to a file, so that forgetting can name it; in the trail by their session."""
        await asyncio.to_thread(self._forgetter.exports.add, path)
        if session_id is not None:
            await self.note_read("exported", [session_id])

    async def note_read(self, action: str, record_ids: Sequence[str]) -> None:
        """Write into the trail that the person had records handed out: recalled, searched, listed, shown, exported."""
        await asyncio.to_thread(self._store.audit.write, PERSON, action, "all", list(record_ids))

    def exports(self) -> list[Path]:
        """Return the exported files that are still there."""
        return self._forgetter.exports.all()

    async def delete_exports(self, paths: Sequence[Path]) -> None:
        """Delete exported files.

        Raises:
            StorageError: One of them cannot be deleted.
        """
        await asyncio.to_thread(self._forgetter.delete_exports, paths)

    def files_with(self, words: str) -> tuple[str, ...]:
        """Return the files of the data folder that contain the words, backups aside."""
        return self._forgetter.files_with(words)
