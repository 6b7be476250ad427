"""Import of conversations: through the whole write path, safe to repeat, and what cannot be used named and left out."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from desk_assistant import textkit
from desk_assistant.assistant.conversation import title_of
from desk_assistant.errors import DeskError
from desk_assistant.importers import Problem, Reading, Selection, Talk, Turn
from desk_assistant.memory.forget import withheld
from desk_assistant.privacy import PrivacyGate, SessionGate
from desk_assistant.store import Message, Store, new_id, now_iso

BATCH: Final = 200
"""Messages of one transaction."""

MAX_PROBLEMS: Final = 1000
HOLD_SECONDS: Final = 600.0
"""How long the jobs of an import wait at most for its end; of one that was killed they are done after that time."""

HOLD_AGAIN_SECONDS: Final = 120.0
IMPORTED: Final = "import"
"""Payload of the jobs to remember what was imported."""

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True)
class ImportReport:
    """What an import did.

    Attributes:
        sessions: Sessions that messages were added to or that had them already.
        messages: Messages added.
        skipped: Messages that were there already, or were forgotten.
        bad_lines: Lines or conversations left out: their number (from 1) and what is wrong with them.
        masked: Private values masked.
        left_out: Conversations that were not asked for.
        format: What the file was.
        problems: The same as `bad_lines`, with what each number counts.
        stopped: It was stopped before its end; importing again goes on.
    """

    sessions: int
    messages: int
    skipped: int
    bad_lines: tuple[tuple[int, str], ...]
    masked: int
    left_out: int = 0
    format: str = ""
    problems: tuple[Problem, ...] = ()
    stopped: bool = False


@dataclass
class _Thread:
    """One session while messages are added to it."""

    session: str
    gate: SessionGate
    ids: dict[str, str | None] = field(default_factory=dict)
    head: str | None = None
    time: str = ""
    open: bool = False


@dataclass(frozen=True)
class _Piece:
    """So much of one conversation as goes into one transaction."""

    talk: Talk
    thread: _Thread
    turns: tuple[Turn, ...]
    shown: frozenset[str]
    last: bool


class Importer:
    """Stores the conversations of an export, with the jobs to remember them.

    The messages of a branch that is not shown are kept, and nothing is remembered from them: the person has taken these
    words back. What is remembered is remembered in the order in which it was said, whatever the order of the file, so
    that what somebody said last year does not replace what they said last week.

    Args:
        store: The database.
        gate: The privacy filter.
    """

    def __init__(self, store: Store, gate: PrivacyGate) -> None:
        self._store = store
        self._gate = gate
        self._threads: dict[str, _Thread] = {}
        self._held_at = 0.0

    def run(
        self,
        source: Path | Reading,
        progress: Progress | None = None,
        *,
        selection: Selection | None = None,
        stop: Callable[[], bool] = lambda: False,
    ) -> ImportReport:
        """Store an export's messages with the jobs to remember them, a batch a transaction.

        A crash in between leaves whole batches; importing again adds what is missing and nothing twice.

        Args:
            source: A file, folder or archive.
            progress: Called with the phase `read`, the bytes read and how many there are.
            selection: Which conversations are wanted; all by default.
            stop: Asked between batches whether to end here.

        Raises:
            NotFoundError: There is no such file.
            InputError: The file cannot be read. What cannot be used of it is reported, not raised.
            StorageError: The disk refuses; the batches before are kept.
        """
        reading = source if isinstance(source, Reading) else Reading(source)
        try:
            report = self._run(reading, progress, selection or Selection(), stop)
        except DeskError:
            with contextlib.suppress(DeskError):
                self._store.outbox.free(IMPORTED)
            raise
        self._store.outbox.free(IMPORTED)
        return report

    def _run(
        self, reading: Reading, progress: Progress | None, selection: Selection, stop: Callable[[], bool]
    ) -> ImportReport:
        sessions: set[str] = set()
        problems: list[Problem] = []
        batch: list[_Piece] = []
        wanted: dict[str, bool] = {}
        added = skipped = masked = left_out = 0
        stopped = False

        def store() -> None:
            nonlocal added, skipped, masked
            new, hidden = self._store_batch(batch)
            given = sum(len(piece.turns) for piece in batch)
            added, skipped, masked = added + new, skipped + given - new, masked + hidden
            batch.clear()
            if progress is not None:
                progress("read", reading.position, reading.size)

        for item in reading:
            if stop():
                stopped = True
                break
            if isinstance(item, Problem):
                problems += [item] if len(problems) < MAX_PROBLEMS else []
                continue
            first = item.id not in wanted
            takes = wanted.setdefault(item.id, selection.takes(item)) if item.joins else selection.takes(item)
            if not takes:
                left_out += first
                continue
            for piece in self._pieces(item):
                sessions.add(piece.thread.session)
                batch.append(piece)
                if sum(len(piece.turns) for piece in batch) >= BATCH:
                    store()
        store()
        return ImportReport(
            sessions=len(sessions),
            messages=added,
            skipped=skipped,
            bad_lines=tuple((problem.number, problem.reason) for problem in problems),
            masked=masked,
            left_out=left_out,
            format=reading.format,
            problems=tuple(problems),
            stopped=stopped,
        )

    # --- naming -----------------------------------------------------------------------------------------------------

    def _pieces(self, talk: Talk) -> Iterator[_Piece]:
        name = self._safe_id(talk.id) if talk.id.strip() else self._name_from_words(talk)
        thread = self._threads.get(name)
        if thread is None or not talk.joins:
            thread = _Thread(name, self._gate.session())
            if talk.joins:
                self._threads[name] = thread
        shown = talk.shown()
        for start in range(0, len(talk.turns), BATCH):
            turns = talk.turns[start : start + BATCH]
            yield _Piece(talk, thread, turns, shown, last=start + BATCH >= len(talk.turns))

    def _safe_id(self, text: str) -> str:
        """Return an id that tells nothing private, the same for the same id."""
        clean = textkit.clean(text)
        masked = self._gate.mask(clean).text
        return clean if masked == clean else f"{masked}-{self._store.tombstones.mark_of(clean)[:10]}"

    def _name_from_words(self, talk: Talk) -> str:
        """Return an id for a conversation without one: the same words are the same conversation."""
        words = "\x1f".join(f"{turn.role}\x1e{turn.content}" for turn in talk.turns)
        return f"imported-{self._store.tombstones.mark_of(words)[:16]}"

    # --- storing ----------------------------------------------------------------------------------------------------

    def _store_batch(self, pieces: list[_Piece]) -> tuple[int, int]:
        """Store some pieces in one transaction; return the numbers of messages added and of values masked."""
        added = masked = 0
        with self._store.transaction():
            for piece in pieces:
                self._open(piece)
                before = added
                for turn in piece.turns:
                    hidden = self._keep(piece, turn)
                    added += hidden is not None
                    masked += hidden or 0
                self._show(piece, grown=added > before)
            if time.time() - self._held_at > HOLD_AGAIN_SECONDS:
                self._held_at = time.time()
                self._store.outbox.hold(IMPORTED, self._held_at + HOLD_SECONDS)
        return added, masked

    def _open(self, piece: _Piece) -> None:
        """Find out what the session holds already."""
        thread = piece.thread
        if thread.open:
            return
        thread.open = True
        found = self._store.transcripts.find_session(thread.session)
        thread.time = piece.talk.time or (found.updated_at if found else now_iso())
        if found is not None:
            thread.head = found.head_id
            if not piece.talk.joins:
                thread.ids |= self._store.transcripts.refs(thread.session)

    def _keep(self, piece: _Piece, turn: Turn) -> int | None:
        """Store one message unless it is known or forgotten; return how many values were masked, None if it was not."""
        thread, transcripts = piece.thread, self._store.transcripts
        ref = self._safe_id(turn.ref)
        if ref in thread.ids or (piece.talk.joins and transcripts.has_ref(thread.session, ref)):
            return None
        if piece.talk.joins:
            parent = thread.head
        else:
            parent = thread.ids.get(self._safe_id(turn.parent)) if turn.parent is not None else None
        content = textkit.clean(turn.content)
        clean = thread.gate.mask(content) if turn.role == "user" else thread.gate.mask_reply(content)
        kept = withheld(clean.text, session=thread.session, ref=ref, store=self._store)
        if kept is None:
            thread.ids[ref] = parent  # forgotten: only the person can bring it back, by saying it anew
            return None
        moment = turn.time or thread.time
        transcripts.create_session(thread.session, title=self._title(piece.talk, kept), origin="import", at=moment)
        message = transcripts.append(
            Message(
                new_id("message"),
                thread.session,
                turn.role,
                kept,
                moment,
                parent_id=parent,
                ref=ref,
                name=self._gate.mask(textkit.clean(turn.name)).text if turn.name else None,
            )
        )
        thread.head, thread.time = message.id, message.created_at
        if not piece.talk.joins:
            thread.ids[ref] = message.id
        due = time.time() + HOLD_SECONDS
        if turn.ref in piece.shown:
            self._store.outbox.put("remember", [message.id], payload=IMPORTED, not_before=due)
        self._store.outbox.put("summarise", [thread.session], payload=IMPORTED, not_before=due)
        self._store.audit.write("import", "written", "transcript", [message.id])
        return len(clean.spans)

    def _title(self, talk: Talk, text: str) -> str:
        if not talk.title.strip():
            return title_of(text)
        title = self._gate.mask(" ".join(textkit.clean(talk.title).split())[:200]).text
        return withheld(title, session="", ref=None, store=self._store) or ""

    def _show(self, piece: _Piece, *, grown: bool) -> None:
        """Show the branch that was shown, once the conversation is complete and something of it is new."""
        head = piece.talk.head
        if piece.last and grown and not piece.talk.joins and head is not None:
            message = piece.thread.ids.get(self._safe_id(head))
            if message is not None:
                self._store.transcripts.set_head(piece.thread.session, message)
