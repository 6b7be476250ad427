"""Import of conversations: through the whole write path, safe to repeat, bad lines named and left out."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from desk_assistant import textkit
from desk_assistant.assistant.conversation import title_of
from desk_assistant.errors import InputError
from desk_assistant.i18n import t
from desk_assistant.memory.forget import withheld
from desk_assistant.privacy import PrivacyGate, SessionGate
from desk_assistant.store import Message, Role, Store, new_id

BATCH: Final = 200
ROLES: Final = ("user", "assistant", "system")
MAX_BAD_LINES: Final = 1000


@dataclass(frozen=True)
class ImportReport:
    """What an import did.

    Attributes:
        sessions: Sessions that messages were added to.
        messages: Messages added.
        skipped: Messages that were there already, or were forgotten.
        bad_lines: Lines left out: their number (from 1) and what is wrong with them.
        masked: Private values masked.
    """

    sessions: int
    messages: int
    skipped: int
    bad_lines: tuple[tuple[int, str], ...]
    masked: int


@dataclass(frozen=True)
class _Line:
    session: str
    ref: str
    role: Role
    name: str | None
    content: str
    time: str | None


class Importer:
    """Stores conversations of the JSON lines format.

    Args:
        store: The database.
        gate: The privacy filter.
    """

    def __init__(self, store: Store, gate: PrivacyGate) -> None:
        self._store = store
        self._gate = gate
        self._gates: dict[str, SessionGate] = {}
        self._heads: dict[str, tuple[str | None, str]] = {}

    def run(self, path: Path, progress: Callable[[str, int, int], None] | None = None) -> ImportReport:
        """Store a file's messages with the jobs to remember them, a batch a transaction.

        A crash in between leaves whole batches; importing again adds what is missing and nothing twice.

        Raises:
            InputError: The file cannot be read. Lines that cannot be used are reported, not raised.
            StorageError: The disk refuses; the batches before are kept.
        """
        sessions: set[str] = set()
        added = skipped = masked = 0
        bad: list[tuple[int, str]] = []
        batch: list[_Line] = []
        size = _size(path)
        for number, position, parsed in _lines(path):
            if isinstance(parsed, str):
                if len(bad) < MAX_BAD_LINES:
                    bad.append((number, parsed))
                continue
            batch.append(parsed)
            sessions.add(parsed.session)
            if len(batch) == BATCH:
                new, hidden = self._store_batch(batch)
                added, skipped, masked = added + new, skipped + len(batch) - new, masked + hidden
                batch.clear()
                if progress is not None:
                    progress("read", position, size)
        new, hidden = self._store_batch(batch)
        if progress is not None:
            progress("read", size, size)
        return ImportReport(len(sessions), added + new, skipped + len(batch) - new, tuple(bad), masked + hidden)

    def _store_batch(self, lines: list[_Line]) -> tuple[int, int]:
        added = masked = 0
        transcripts = self._store.transcripts
        with self._store.transaction():
            for line in map(self._without_secret_ids, lines):
                if transcripts.has_ref(line.session, line.ref):
                    continue
                gate = self._gates.setdefault(line.session, self._gate.session())
                clean = gate.mask(line.content) if line.role == "user" else gate.mask_reply(line.content)
                kept = withheld(clean.text, session=line.session, ref=line.ref, store=self._store)
                if kept is None:
                    continue  # forgotten: only the person can bring it back, by saying it anew
                parent, last_time = self._head(line, kept)
                message = transcripts.append(
                    Message(
                        new_id("message"),
                        line.session,
                        line.role,
                        kept,
                        line.time or last_time,
                        parent_id=parent,
                        ref=line.ref,
                        name=self._gate.mask(line.name).text if line.name else None,
                    )
                )
                self._heads[line.session] = (message.id, message.created_at)
                added += 1
                masked += len(clean.spans)
                self._store.outbox.put("remember", [message.id], payload="import")
                self._store.outbox.put("summarise", [line.session])
                self._store.audit.write("import", "written", "transcript", [message.id])
        return added, masked

    def _without_secret_ids(self, line: _Line) -> _Line:
        """Return the line with ids that tell nothing private, the same for the same ids."""
        session, ref = self._safe_id(line.session), self._safe_id(line.ref)
        return line if (session, ref) == (line.session, line.ref) else replace(line, session=session, ref=ref)

    def _safe_id(self, text: str) -> str:
        masked = self._gate.mask(text).text
        return text if masked == text else f"{masked}-{self._store.tombstones.mark_of(text)[:10]}"

    def _head(self, line: _Line, text: str) -> tuple[str | None, str]:
        known = self._heads.get(line.session)
        if known is None:
            session = self._store.transcripts.create_session(
                line.session, title=title_of(text), origin="import", at=line.time
            )
            known = (session.head_id, session.updated_at)
            self._heads[line.session] = known
        return known


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError as error:
        raise InputError("assistant.import_no_file", path=path, reason=error.strerror or error) from error


def _lines(path: Path) -> Iterator[tuple[int, int, _Line | str]]:
    """Yield each line's number, the position after it, and the line or what is wrong with it."""
    position = 0
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                position += len(raw)
                if raw.strip():
                    yield number, position, _parse(raw.lstrip(b"\xef\xbb\xbf") if number == 1 else raw)
    except OSError as error:
        raise InputError("assistant.import_no_file", path=path, reason=error.strerror or error) from error


def _parse(raw: bytes) -> _Line | str:
    try:
        data: Any = json.loads(raw.decode("utf-8", errors="surrogateescape"))
    except (ValueError, RecursionError):
        return t("assistant.import_bad_json")
    if not isinstance(data, dict):
        return t("assistant.import_not_object")
    for field in ("session", "id", "role", "content"):
        if not isinstance(data.get(field), str) or (field != "content" and not data[field].strip()):
            return t("assistant.import_missing", field=field)
    if data["role"] not in ROLES:
        return t("assistant.import_bad_role", role=textkit.clean(data["role"])[:40])
    time, name = data.get("time"), data.get("name")
    if time is not None:
        try:
            time = datetime.fromisoformat(time).isoformat(timespec="seconds")
        except (TypeError, ValueError):
            return t("assistant.import_bad_time", time=textkit.clean(str(time))[:40])
    return _Line(
        session=textkit.clean(data["session"]),
        ref=textkit.clean(data["id"]),
        role=data["role"],
        name=textkit.clean(name) if isinstance(name, str) and name.strip() else None,
        content=textkit.clean(data["content"]),
        time=time,
    )
