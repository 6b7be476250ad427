"""Imports as front ends see them: first what would come in, then the import itself."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desk_assistant import textkit
from desk_assistant.assistant.conversation import title_of
from desk_assistant.assistant.importer import Importer, ImportReport, Progress
from desk_assistant.errors import InputError
from desk_assistant.importers import Problem, Reading, Selection, Talk
from desk_assistant.memory.service import Memory
from desk_assistant.privacy import PrivacyGate, SessionGate
from desk_assistant.store import Store

LISTED: Final = 500
"""Conversations that a preview names; the others are counted."""


@dataclass(frozen=True)
class TalkPreview:
    """One conversation of an export before it is imported; `title` is masked, `date` an ISO time or None."""

    id: str
    title: str
    date: str | None
    messages: int


@dataclass(frozen=True)
class ImportPreview:
    """What an import would do, without anything having been written.

    Attributes:
        format: What the file is.
        talks: Conversations that are wanted.
        messages: Their messages.
        known: Those of them that are here already.
        beside: Those on branches that are not shown.
        first: The earliest time, None where there is none.
        last: The latest.
        masked: How many private values of each kind would be masked.
        left_out: Conversations that were not asked for.
        listed: The first conversations, at most `LISTED`.
        problems: What cannot be used.
    """

    format: str
    talks: int
    messages: int
    known: int
    beside: int
    first: str | None
    last: str | None
    masked: Mapping[str, int]
    left_out: int
    listed: tuple[TalkPreview, ...]
    problems: tuple[Problem, ...]


class Imports:
    """Previews and runs imports for an assistant.

    Args:
        store: The database.
        memory: Remembers what was imported.
        gate: The privacy filter in use.
        off: Tells whether memory is switched off, so that nothing may be written.
    """

    def __init__(self, store: Store, memory: Memory, gate: Callable[[], PrivacyGate], off: Callable[[], bool]) -> None:
        self._store = store
        self._memory = memory
        self._gate = gate
        self._off = off

    async def preview(
        self,
        path: Path,
        *,
        source: str = "auto",
        selection: Selection | None = None,
        progress: Progress | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> ImportPreview:
        """Read an export and say what an import of it would do. Arguments and errors as in `run`."""
        work = _Preview(self._store, self._gate())
        return await asyncio.to_thread(
            lambda: work.read(Reading(path, source), selection or Selection(), progress, stop)
        )

    async def run(
        self,
        path: Path,
        progress: Progress | None = None,
        *,
        source: str = "auto",
        selection: Selection | None = None,
        stop: Callable[[], bool] = lambda: False,
        wait: bool = True,
    ) -> ImportReport:
        """Import conversations.

        Args:
            path: A file, a folder or an archive.
            progress: Called with the phase (`read`, `remember`), what is done and the total; from another thread while
                it reads.
            source: The format, `auto` to find out; see `desk_assistant.importers.FORMATS`.
            selection: Which conversations are wanted; all by default.
            stop: Asked between batches whether to end here; what was stored stays.
            wait: Wait until all of it is extracted and searchable; else that goes on in the background.

        Raises:
            NotFoundError: There is no such file.
            InputError: The file cannot be read, or memory is off.
            StorageError: The disk refuses; what was imported before is kept, and importing again goes on from there.
        """
        if self._off():
            raise InputError("assistant.memory_off")
        importer = Importer(self._store, self._gate())
        report = await asyncio.to_thread(
            lambda: importer.run(Reading(path, source), progress, selection=selection, stop=stop)
        )
        if wait:
            await self._memory.settle(progress)
        else:
            self._memory.kick()
        return report


class _Preview:
    def __init__(self, store: Store, gate: PrivacyGate) -> None:
        self._store = store
        self._gate = gate
        self._masked: Counter[str] = Counter()
        self._talks: dict[str, TalkPreview] = {}
        self._gates: dict[str, SessionGate] = {}
        self._messages = self._known = self._beside = 0
        self._times: tuple[str, str] | None = None

    def read(
        self, reading: Reading, selection: Selection, progress: Progress | None, stop: Callable[[], bool]
    ) -> ImportPreview:
        problems: list[Problem] = []
        left_out: set[str] = set()
        wanted: dict[str, bool] = {}
        for number, item in enumerate(reading):
            if stop():
                break
            if isinstance(item, Problem):
                problems.append(item)
                continue
            takes = wanted.setdefault(item.id, selection.takes(item)) if item.joins else selection.takes(item)
            if takes:
                self._look_at(item)
            else:
                left_out.add(item.id or f"#{number}")
            if progress is not None:
                progress("read", reading.position, reading.size)
        return ImportPreview(
            format=reading.format,
            talks=len(self._talks),
            messages=self._messages,
            known=self._known,
            beside=self._beside,
            first=self._times[0] if self._times else None,
            last=self._times[1] if self._times else None,
            masked=dict(self._masked.most_common()),
            left_out=len(left_out),
            listed=tuple(self._talks.values())[:LISTED],
            problems=tuple(problems),
        )

    def _look_at(self, talk: Talk) -> None:
        key = talk.id or f"#{len(self._talks) + 1}"
        known = self._talks.get(key)
        gate = self._gates.setdefault(key, self._gate.session()) if talk.joins else self._gate.session()
        there = self._store.transcripts.refs(talk.id) if talk.id else {}
        shown = talk.shown()
        for turn in talk.turns:
            content = textkit.clean(turn.content)
            masked = gate.mask(content) if turn.role == "user" else gate.mask_reply(content)
            self._masked.update(span.type for span in masked.spans)
            self._known += turn.ref in there
            self._beside += turn.ref not in shown
            if turn.time:
                first, last = self._times or (turn.time, turn.time)
                self._times = min(first, turn.time), max(last, turn.time)
        self._messages += len(talk.turns)
        if known is not None:
            self._talks[key] = TalkPreview(key, known.title, known.date, known.messages + len(talk.turns))
            return
        title = talk.title.strip() or title_of(talk.turns[0].content)
        masked_title = self._gate.mask(" ".join(textkit.clean(title).split())).text
        self._talks[key] = TalkPreview(key, masked_title, talk.time, len(talk.turns))
