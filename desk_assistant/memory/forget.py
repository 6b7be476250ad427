"""Forget means gone: set aside, erase everywhere, check.

Forgetting has two steps. Setting aside hides the records at once and leaves a job in the outbox that is due when the
time for undo is over, so that a crash in between cannot keep them. The erase then removes the records and the words
they rest on, remakes what was derived from those words, rewrites the index and the database file, and searches the data
folder for what should be gone.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from desk_assistant import textkit
from desk_assistant.errors import NotFoundError
from desk_assistant.memory.episodic import SUMMARY_TOMBSTONE, EpisodicMemory, summary_id
from desk_assistant.memory.passages import sentences_with
from desk_assistant.memory.records import ForgetReport, Forgetting, RecallResult
from desk_assistant.store import Episode, Fact, Message, Session, Store

JOB: Final = "erase"
UNINDEX: Final = "unindex"
BLACK: Final = "█"
"""Blacked-out words keep their length, so that the places other memories cite in the same message stay right."""

MIN_NEEDLE: Final = 4
"""Shorter words are found in unrelated bytes, so the search of the data folder would say nothing."""

Record = Fact | Episode | Message | Session


@dataclass
class _Erasure:
    """What one erase has touched so far."""

    facts: set[str] = field(default_factory=set)
    episodes: set[str] = field(default_factory=set)
    messages: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    rebuilt: set[str] = field(default_factory=set)
    sessions: set[str] = field(default_factory=set)
    needles: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)


class Forgetter:
    """Sets records aside, erases them and verifies.

    Args:
        store: The database.
        episodic: Remakes records and summaries from what is left.
        home: Folder that is searched afterwards.
        backups: Folder of backups, which still hold what is forgotten and are listed.
    """

    def __init__(self, store: Store, episodic: EpisodicMemory, home: Path, backups: Path) -> None:
        self._store = store
        self._episodic = episodic
        self._home = home
        self._backups = backups

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

    def set_aside(self, record_ids: Sequence[str], undo_seconds: float) -> Forgetting:
        """Hide records and plan their erase.

        Raises:
            NotFoundError: One of the ids does not exist; nothing is set aside.
        """
        records = [self.find(record_id) for record_id in record_ids]
        due = time.time() + undo_seconds
        ids = tuple(record.id for record in records)
        with self._store.transaction():
            self._store.outbox.put(JOB, ids, not_before=due)
            self._store.audit.write("person", "forget-asked", "all", ids)
        return Forgetting(ids, tuple(map(_text_of, records)), due)

    def undo(self, forgetting: Forgetting) -> bool:
        """Take a forgetting back; False when the erase has begun."""
        with self._store.transaction():
            waiting = self._store.outbox.refs(JOB)
            if not waiting.issuperset(forgetting.ids):
                return False
            self._store.outbox.drop(JOB, forgetting.ids)
            self._store.audit.write("person", "forget-undone", "all", forgetting.ids)
        return True

    def hidden(self) -> set[str]:
        """Return the ids of records that are set aside and must not be shown or recalled."""
        return self._store.outbox.refs(JOB)

    def erase(self, record_ids: Iterable[str]) -> tuple[_Erasure, ForgetReport]:
        """Remove records from the database and plan the rest; the first half of an erase.

        Everything in SQLite happens in one transaction, together with the jobs that clean the index, so that a crash
        at any moment is finished at the next start. Call `finish` when the index has been rewritten.
        """
        work = _Erasure()
        with self._store.transaction():
            for record_id in dict.fromkeys(record_ids):
                try:
                    record = self.find(record_id)
                except NotFoundError:
                    continue  # an earlier part of the same erase took it along
                match record:
                    case Fact():
                        self._erase_fact(record, work)
                    case Episode(kind="summary"):
                        self._erase_summary(record, work)
                    case Episode():
                        self._erase_turns(record.messages, work)
                    case Message():
                        self._erase_turns([record.id], work)
                    case Session():
                        self._erase_session(record, work)
            self._remake(work)
            self._store.tombstones.add(work.keys)
            self._store.outbox.put(UNINDEX, sorted(work.facts | work.episodes | work.rebuilt))
            self._store.outbox.put("index", sorted(work.rebuilt))
            self._store.audit.write("person", "erased", "semantic", sorted(work.facts))
            self._store.audit.write("person", "erased", "episodic", sorted(work.episodes))
        report = ForgetReport(
            facts=len(work.facts),
            episodes=len(work.episodes),
            messages=len(work.messages | work.changed),
            rebuilt=len(work.rebuilt),
            backups=tuple(str(path) for path in sorted(self._backups.glob("*")) if path.is_file()),
        )
        return work, report

    def finish(self, work: _Erasure, report: ForgetReport) -> ForgetReport:
        """Make deleted content unrecoverable and search the data folder for it; the second half of an erase."""
        self._store.scrub()
        mentions: dict[str, None] = {}
        leftovers: dict[str, None] = {}
        for needle in dict.fromkeys(work.needles):
            if len(needle) < MIN_NEEDLE:
                continue
            others = [m for m in self._store.transcripts.search_exact(needle) if m.id not in work.messages]
            if others:
                mentions.update((message.public_id, None) for message in others)
            else:
                leftovers.update((str(path), None) for path in self._files_with(needle))
        return ForgetReport(
            facts=report.facts,
            episodes=report.episodes,
            messages=report.messages,
            rebuilt=report.rebuilt,
            verified=not leftovers,
            leftovers=tuple(leftovers),
            mentions=tuple(mentions),
            backups=report.backups,
        )

    def files_with(self, words: str) -> tuple[str, ...]:
        """Return the files of the data folder, backups aside, whose bytes contain the words."""
        return tuple(str(path) for path in self._files_with(words))

    # --- the parts of an erase ------------------------------------------------------------------------------------

    def _erase_fact(self, fact: Fact, work: _Erasure) -> None:
        messages = self._store.transcripts.messages_by_id(source.message_id for source in fact.sources)
        for source in fact.sources:
            message = messages.get(source.message_id)
            if message is None:
                continue
            # The whole clause goes, unless another memory rests on words of it: then only the value.
            shared = any(
                other.start < source.clause_end and source.clause_start < other.end
                for sibling in self._store.facts.from_message(message.id)
                if sibling.id != fact.id and sibling.status in ("active", "pending")
                for other in sibling.sources
                if other.message_id == message.id
            )
            start, end = (source.start, source.end) if shared else (source.clause_start, source.clause_end)
            if end <= start:
                start, end = source.start, source.end
            self._black_out(message.id, [(start, end)], work)
        self._black_out_answers(fact, work)
        work.facts.add(fact.id)
        work.keys.append(fact.key)
        self._store.facts.delete([fact.id])

    def _black_out_answers(self, fact: Fact, work: _Erasure) -> None:
        """Black out the sentences with the value in answers given with this fact in the prompt, or right after it."""
        form = textkit.fold(fact.object)
        if len(form) < 2:
            return
        said_in = {source.message_id for source in fact.sources}
        for session_id in {source.session_id for source in fact.sources} | self._store.transcripts.sessions_that_used(
            fact.id
        ):
            for message in self._store.transcripts.all_messages(session_id):
                if message.role != "assistant":
                    continue
                if message.parent_id in said_in or fact.id in RecallResult.ids_of(message.recalled):
                    self._black_out(message.id, sentences_with(message.content, fact.object), work)

    def _black_out(self, message_id: str, spans: Iterable[tuple[int, int]], work: _Erasure) -> None:
        message = self._store.transcripts.message(message_id)
        content = message.content
        for start, end in spans:
            words = content[start:end]
            if not words.strip(BLACK + " "):
                continue
            work.needles.append(words.strip())
            content = content[:start] + BLACK * (end - start) + content[end:]
        if content != message.content:
            self._store.transcripts.redact(message.id, content)
            work.changed.add(message.id)
            work.sessions.add(message.session_id)

    def _erase_turns(self, message_ids: Iterable[str], work: _Erasure) -> None:
        for message in self._store.transcripts.messages_by_id(message_ids).values():
            doomed = [message]
            if message.role == "user":
                # The answer to it repeats or gives away what was said.
                doomed += [m for m in self._store.transcripts.children(message.id) if m.role == "assistant"]
            for one in doomed:
                self._drop_message(one, work)
            work.sessions.add(message.session_id)

    def _drop_message(self, message: Message, work: _Erasure) -> None:
        for fact in self._store.facts.from_message(message.id):
            if all(source.message_id == message.id or source.message_id in work.messages for source in fact.sources):
                work.facts.add(fact.id)
                work.keys.append(fact.key)
                self._store.facts.delete([fact.id])
            else:
                self._store.facts.drop_source(fact.id, message.id)
        work.episodes.update(e.id for e in self._store.episodes.from_messages([message.id]) if e.kind == "turn")
        if message.content.strip():
            work.needles.append(message.content.strip()[:200])
        # What followed it had its words as context.
        work.changed.update(child.id for child in self._store.transcripts.children(message.id))
        work.messages.add(message.id)
        self._store.outbox.drop("remember", [message.id])
        self._store.transcripts.delete_message(message.id)

    def _erase_summary(self, episode: Episode, work: _Erasure) -> None:
        work.keys.append(SUMMARY_TOMBSTONE.format(session=episode.session_id))
        work.episodes.add(episode.id)
        work.needles += [line for line in episode.text.splitlines() if len(line) > MIN_NEEDLE]
        self._store.episodes.delete([episode.id])

    def _erase_session(self, session: Session, work: _Erasure) -> None:
        for message in self._store.transcripts.all_messages(session.id):
            self._drop_message(message, work)
        work.episodes.update(episode.id for episode in self._store.episodes.of_session(session.id))
        work.sessions.discard(session.id)
        self._store.outbox.drop("summarise", [session.id])
        self._store.transcripts.delete_session(session.id)

    def _remake(self, work: _Erasure) -> None:
        """Remake what was derived from changed words: records, records of the turns that follow, summaries, titles."""
        transcripts = self._store.transcripts
        changed = work.changed - work.messages
        following = {child.id for message_id in changed for child in transcripts.children(message_id)}
        for message in transcripts.messages_by_id(changed | following).values():
            work.rebuilt.update(self._episodic.remember(message))
        for session_id in work.sessions:
            if summary_id(session_id) in self._store.episodes.by_id([summary_id(session_id)]):
                self._episodic.summarise(session_id)
                work.rebuilt.add(summary_id(session_id))
            session = transcripts.session(session_id)
            if any(needle[:20] and needle[:20] in session.title for needle in work.needles):
                transcripts.rename_session(session_id, "")
        work.rebuilt -= work.episodes

    def _files_with(self, words: str) -> list[Path]:
        needles = [words.encode("utf-8", "replace"), words.encode("utf-16-le", "replace")]
        return [
            path
            for path in sorted(self._home.rglob("*"))
            if path.is_file() and self._backups not in path.parents and _contains(path, needles)
        ]


def _contains(path: Path, needles: Sequence[bytes], block: int = 1 << 20) -> bool:
    """Search a file for any of the byte strings without reading it whole."""
    overlap = max(map(len, needles)) - 1
    tail = b""
    try:
        with path.open("rb") as file:
            while chunk := file.read(block):
                window = tail + chunk
                if any(needle in window for needle in needles):
                    return True
                tail = window[-overlap:] if overlap else b""
    except FileNotFoundError:  # an old version of a table that was removed meanwhile
        return False
    return False


def _text_of(record: Record) -> str:
    match record:
        case Fact() | Episode():
            return record.text
        case Message():
            return record.content
        case Session():
            return record.title or record.id
