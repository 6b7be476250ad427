"""Looks through the whole profile for anything that was forgotten and is there all the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from desk_assistant import textkit
from desk_assistant.memory import traces
from desk_assistant.memory.episodic import SUMMARY_TOMBSTONE
from desk_assistant.store import Message, Store, epoch_of


@dataclass(frozen=True)
class ForgottenCheck:
    """What was found of forgotten things.

    Attributes:
        marks: How many forgotten statements the profile knows of, as keyed hashes.
        looked_at: Records that were compared with them.
        records: Ids of facts, messages and summaries that say again what was forgotten.
        stray: Ids of records that only the index still holds.
        waiting: Records that are set aside and not erased yet.
        copies: Damaged tables that were moved aside and may hold it.
        backups: Backups that may hold it.
    """

    marks: int
    looked_at: int
    records: tuple[str, ...] = ()
    stray: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()
    copies: tuple[str, ...] = ()
    backups: tuple[str, ...] = ()

    @property
    def clean(self) -> bool:
        """Whether nothing was found; backups are the person's own and do not count."""
        return not (self.records or self.stray or self.copies)


def check(store: Store, home: Path, backups: Iterable[Path], indexed: Iterable[str]) -> ForgottenCheck:
    """Compare every stored statement with the marks of what was forgotten.

    What the person said anew after forgetting it is theirs to say, and not counted.

    Args:
        store: The database.
        home: Folder of the profile.
        backups: Its backups, which are listed.
        indexed: Ids of the records in the index.
    """
    marks = store.tombstones.since()
    looked_at, found = 0, dict[str, None]()
    present: set[str] = set()
    for facts in store.facts.walk():
        present.update(fact.id for fact in facts)
        looked_at += len(facts)
        if marks:
            found.update((f.id, None) for f in facts if store.tombstones.mark_of(f.key) in marks)
    origins = {session.id: session.origin for session in store.transcripts.sessions(1_000_000)}
    for messages in store.transcripts.walk():
        looked_at += len(messages)
        if marks:
            imported = {m.id for m in messages if origins.get(m.session_id) == "import"}
            found.update((m.id, None) for m in messages if _again(store, marks, m, imported=m.id in imported))
    for episodes in store.episodes.walk():
        present.update(episode.id for episode in episodes)
        looked_at += len(episodes)
        found.update(
            (e.id, None)
            for e in episodes
            if e.kind == "summary" and store.tombstones.mark_of(SUMMARY_TOMBSTONE.format(session=e.session_id)) in marks
        )
    return ForgottenCheck(
        marks=len(marks),
        looked_at=looked_at,
        records=tuple(found),
        stray=tuple(sorted(set(indexed) - present)),
        waiting=tuple(sorted(store.outbox.refs("erase"))),
        copies=tuple(str(path) for path in sorted(home.glob(traces.DAMAGED))),
        backups=tuple(map(str, backups)),
    )


def _again(store: Store, marks: dict[str, str], message: Message, *, imported: bool) -> bool:
    for statement in _statements(message):
        since = marks.get(store.tombstones.mark_of(statement))
        if since is not None and (imported or epoch_of(message.created_at) < epoch_of(since)):
            return True
    return False


def _statements(message: Message) -> Iterator[str]:
    if message.ref is not None:
        yield traces.ref_mark(message.session_id, message.ref)
    for text in dict.fromkeys((message.content, *textkit.sentences(message.content))):
        mark = traces.text_mark(text)
        if mark is not None and traces.BLACK not in text:
            yield mark
