"""Forget means gone: set aside, erase everywhere, check.

Forgetting has two steps. Setting aside hides the records at once and leaves a job in the outbox that is due when the
time for undo is over, so that a crash in between cannot keep them. The erase then removes the records and the words
they rest on, remakes what was derived from those words, rewrites the index and the database file, and searches the data
folder for what should be gone.
"""

from __future__ import annotations

import logging
import shutil
import time
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from desk_assistant import textkit
from desk_assistant.errors import NotFoundError, StorageError
from desk_assistant.memory import recheck, traces
from desk_assistant.memory.episodic import EpisodicMemory
from desk_assistant.memory.erasure import LIVE, Eraser, Erasure, Record
from desk_assistant.memory.exports import Exports
from desk_assistant.memory.extract import Statement
from desk_assistant.memory.records import ForgetReport, Forgetting
from desk_assistant.memory.returning import brings_back
from desk_assistant.memory.withdrawn import count_erase
from desk_assistant.store import Episode, Fact, Message, Session, Store

log = logging.getLogger(__name__)

JOB: Final = "erase"
UNINDEX: Final = "unindex"
CONSOLIDATE: Final = "consolidate"
"""Job that brings manner and insights up to date; there is one for the whole profile."""

WHOLE_PROFILE: Final = "profile"
PERSON: Final = "person"
SCRUB: Final = "scrub"
"""Stands in the place of a record when only the database file has to be rewritten."""


class Forgetter:
    """Sets records aside, erases them and verifies.

    Args:
        store: The database.
        episodic: Remakes records and summaries from what is left.
        home: Folder that is searched afterwards.
        backups: Folder of backups, which still hold what is forgotten and are listed.

    Attributes:
        exports: Files that conversations were exported to, which are listed when they hold what is forgotten.
    """

    def __init__(self, store: Store, episodic: EpisodicMemory, home: Path, backups: Path) -> None:
        self._store = store
        self._episodic = episodic
        self._home = home
        self._backups = backups
        self.exports = Exports(store)

    def find(self, record_id: str) -> Record:
        """Return the fact, episode, message or session with this id.

        Raises:
            NotFoundError: There is none.
        """
        store = self._store
        for look in (store.facts.get, store.episodes.get, store.transcripts.message, store.transcripts.session):
            try:
                return look(record_id)
            except NotFoundError:
                continue
        raise NotFoundError("store.no_record", id=record_id)

    def set_aside(self, record_ids: Sequence[str], undo_seconds: float, actor: str = PERSON) -> Forgetting:
        """Hide records and plan their erase, which stands in the trail under the name of who asked for it.

        Raises:
            NotFoundError: One of the ids does not exist; nothing is set aside.
        """
        records = [self.find(record_id) for record_id in record_ids]
        due = time.time() + undo_seconds
        ids = tuple(dict.fromkeys(record.id for record in records))
        with self._store.transaction():
            self._store.outbox.put(JOB, ids, actor, not_before=due)
            self._store.audit.write(actor, "forget-asked", "all", ids)
        return Forgetting(ids, tuple(map(_text_of, records)), due)

    def undo(self, forgetting: Forgetting) -> bool:
        """Take a forgetting back; False when the erase has begun."""
        with self._store.transaction():
            waiting = self._store.outbox.refs(JOB) - self._store.outbox.leased(JOB)
            if not waiting.issuperset(forgetting.ids):
                return False
            self._store.outbox.drop(JOB, forgetting.ids)
            self._store.audit.write("person", "forget-undone", "all", forgetting.ids)
        return True

    def hidden(self) -> set[str]:
        """Return the ids of records that are set aside and must not be shown or recalled."""
        return self._store.outbox.refs(JOB)

    def unrecalled(self) -> set[str]:
        """Return the ids that nothing may be recalled from: what is set aside, and the messages that hold its words."""
        hidden = self.hidden()
        if not hidden:
            return hidden
        facts = self._store.facts.by_id(hidden).values()
        said = {source.message_id for fact in facts for source in fact.sources}
        messages = said | set(self._store.transcripts.messages_by_id(hidden))
        answers = {m.id for i in messages for m in self._store.transcripts.children(i) if m.role == "assistant"}
        return hidden | said | answers

    def erase(self, record_ids: Iterable[str], actor: str = PERSON) -> tuple[Erasure, ForgetReport]:
        """Remove records from the database and plan the rest; the first half of an erase.

        Everything in SQLite happens in one transaction, together with the jobs that clean the index, so that a crash
        at any moment is finished at the next start. Call `finish` when the index has been rewritten.
        """
        eraser = Eraser(self._store, self._episodic)
        work, wanted = eraser.work, dict.fromkeys(record_ids)
        with self._store.transaction():
            for record_id in wanted:
                try:
                    record = self.find(record_id)
                except NotFoundError:
                    if record_id == SCRUB:
                        continue
                    # An earlier part of the same erase took it along, or one that was cut short.
                    work.missing += record_id not in work.facts | work.episodes | work.messages
                    continue
                eraser.remove(record)
            eraser.remake()
            count_erase(self._store)
            self._store.tombstones.add(work.keys)
            self._store.outbox.put(UNINDEX, sorted(work.facts | work.episodes | work.rebuilt))
            self._store.outbox.put("index", sorted(work.rebuilt))
            self._store.outbox.put(CONSOLIDATE, [WHOLE_PROFILE])
            self._store.audit.write(actor, "erased", "semantic", sorted(work.facts))
            self._store.audit.write(actor, "erased", "episodic", sorted(work.episodes))
            self._store.audit.write(actor, "erased", "transcript", sorted(work.messages))
            for name in work.telling_ids:
                self._store.audit.rename(name, self._store.tombstones.pseudonym(name))
        report = ForgetReport(
            facts=len(work.facts),
            episodes=len(work.episodes),
            messages=len(work.messages | work.changed),
            rebuilt=len(work.rebuilt),
            backups=tuple(map(str, self.backups())),
        )
        return work, report

    def finish(self, work: Erasure, report: ForgetReport) -> ForgetReport:
        """Make deleted content unrecoverable and search the data folder for it; the second half of an erase.

        Raises:
            StorageError: Another program kept the database from being rewritten; the erase is taken up again.
        """
        needles = traces.choose_needles(work.needles, work.values)
        exports = self.exports.holding(needles)
        self.exports.drop_named(needles)
        self._store.scrub()
        for folder in self._home.glob(traces.DAMAGED):
            shutil.rmtree(folder, ignore_errors=True)
        mentions: dict[str, None] = {}
        gone: list[str] = []
        for needle in needles:
            others = [m.public_id for m in self._store.transcripts.search_exact(needle) if m.id not in work.messages]
            others += [fact.id for fact in self._store.facts.holding(needle) if fact.status in LIVE]
            mentions.update(dict.fromkeys(others))
            if not others:
                gone.append(needle)
        if work.missing:  # of an erase that was cut short the words are not known any more, but their marks are
            again = recheck.check(self._store, self._home, (), ())
            mentions.update(dict.fromkeys(again.records))
        left = self._without_logs(traces.files_with(self._home, gone, self._backups), gone)
        return replace(
            report,
            verified=not left,
            leftovers=tuple(map(str, left)),
            mentions=tuple(mentions),
            exports=tuple(map(str, exports)),
            again=work.missing,
        )

    def done_elsewhere(self, forgetting: Forgetting) -> ForgetReport:
        """Check an erase that another program has carried out, which alone knows what it took along.

        Raises:
            StorageError: As for `finish`.
        """
        work = Erasure(needles=list(forgetting.texts), missing=len(forgetting.ids))
        return self.finish(work, ForgetReport(backups=tuple(map(str, self.backups()))))

    def files_with(self, words: str) -> tuple[str, ...]:
        """Return the files of the data folder, backups aside, whose bytes contain the words."""
        return tuple(map(str, traces.files_with(self._home, [words], self._backups)))

    def backups(self) -> list[Path]:
        """Return the backup files; each may still hold what was forgotten after it was made."""
        return sorted(path for path in self._backups.glob("*") if path.is_file())

    def delete_backups(self, names: Sequence[str] = ()) -> list[Path]:
        """Delete backups by their file names, or all; return those that are gone.

        Raises:
            NotFoundError: There is no backup of such a name; nothing is deleted.
            StorageError: One of them cannot be deleted.
        """
        known = {path.name: path for path in self.backups()}
        for name in names:
            if name not in known:
                raise NotFoundError("memory.no_backup", name=name)
        chosen = [known[name] for name in names] if names else list(known.values())
        _unlink(chosen)
        self._store.audit.write("person", "deleted", "backup", [path.name for path in chosen])
        return chosen

    def delete_exports(self, paths: Sequence[Path]) -> None:
        """Delete exported files and take them off the list; raises like `delete_backups`."""
        _unlink(paths)
        self.exports.drop(paths)

    # --- what is forgotten stays forgotten --------------------------------------------------------------------------

    def withhold(self, message: Message, statements: Sequence[Statement]) -> Message:
        """Black out what an imported message says that was forgotten; return the message as it is kept.

        Args:
            message: A message that is not the person's own fresh statement.
            statements: What it states.
        """
        spans = [
            (statement.clause_start, statement.clause_end)
            if statement.clause_end > statement.clause_start
            else (statement.start, statement.end)
            for statement in statements
            if brings_back(statement, self._store)
        ]
        if not spans:
            return message
        content = traces.black_out(message.content, spans)
        self._store.transcripts.redact(message.id, content)
        title = self._store.transcripts.session(message.session_id).title.rstrip("…").rstrip()
        if title and " ".join(message.content.split()).startswith(title):
            self._store.transcripts.rename_session(message.session_id, "")
        return replace(message, content=content)

    def _without_logs(self, files: Sequence[Path], words: Sequence[str]) -> list[Path]:
        """Empty the logs among the files, as they only serve to find faults; return what still holds the words."""
        logs = [path for path in files if "logs" in path.relative_to(self._home).parts[:1]]
        for path in logs:
            try:
                traces.empty_file(path)
            except OSError as error:
                log.warning("a log could not be emptied: %s", type(error).__name__)
        if not logs:
            return list(files)
        return traces.files_with(self._home, words, self._backups)


def withheld(text: str, *, session: str, ref: str | None, store: Store) -> str | None:
    """Return what an import may keep of a message: all, some of its sentences blacked out, or nothing.

    Args:
        text: The message, masked already.
        session: Session it belongs to.
        ref: Its imported id.
        store: Holds the marks of what was forgotten.

    Returns:
        The text to keep, or None when the message itself was forgotten.
    """
    forgotten = store.tombstones
    if not forgotten:
        return text
    mark = traces.text_mark(text)
    if (ref is not None and traces.ref_mark(session, ref) in forgotten) or (mark is not None and mark in forgotten):
        return None
    spans = [
        (start, end)
        for start, end in textkit.sentence_spans(text)
        if (part := traces.text_mark(text[start:end])) is not None and part in forgotten
    ]
    return traces.black_out(text, spans)


def _unlink(paths: Iterable[Path]) -> None:
    for path in paths:
        try:
            path.unlink(missing_ok=True)
        except OSError as error:
            raise StorageError("common.data_folder_unwritable", path=path, reason=error.strerror or error) from error


def _text_of(record: Record) -> str:
    match record:
        case Fact() | Episode():
            return record.text
        case Message():
            return record.content
        case Session():
            return record.title or record.id
