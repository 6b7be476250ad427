"""Pouring a backup back into a profile, without bringing back what was forgotten since."""

from __future__ import annotations

import shutil
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Final

from desk_assistant import atomic
from desk_assistant.errors import DeskError, StorageError
from desk_assistant.memory.backup import archive
from desk_assistant.memory.episodic import EpisodicMemory
from desk_assistant.memory.forget import Forgetter, withheld
from desk_assistant.memory.recheck import check as recheck
from desk_assistant.paths import Locations
from desk_assistant.store import Message, Store, copying, salvage
from desk_assistant.store.in_use import is_in_use

BEFORE: Final = "before-restore"
DAMAGED: Final = "damaged"


@dataclass(frozen=True)
class Restored:
    """What a restore did.

    Attributes:
        manifest: What the backup held.
        withheld: Facts and messages that were forgotten meanwhile, and were not brought back.
        marks_lost: Whether what was forgotten can no longer be read in full from the damaged database, so that some of
            it may be back.
        kept: Where what was there before is: a backup, or the damaged file; None when there was nothing.
    """

    manifest: archive.Manifest
    withheld: int
    kept: Path | None
    marks_lost: bool = False


def restore(locations: Locations, path: Path, passphrase: str | None = None) -> Restored:
    """Make a profile what a backup holds.

    What was there before is kept as a backup, or as it is when it is damaged. The change itself is one transaction (for
    a damaged file, one rename), so that a crash at any moment leaves the old profile or the new one. What the profile
    has forgotten since stays forgotten: it is taken out before anything is poured back. Of a damaged database that
    holds as far as its marks can be read.

    Raises:
        NotFoundError: There is no such file.
        InputError: It is no backup, or locked and the passphrase is missing or wrong.
        StorageError: A program has the profile open, the backup is damaged or newer than the program, it is of another
            profile while this one has forgotten things, or the disk refuses. The profile is as it was.
    """
    locations.ensure()
    if is_in_use(locations.database):
        raise StorageError("backup.in_use", path=locations.home)
    with archive.unpacked(path, locations.home, passphrase) as (manifest, folder):
        staged = folder / archive.DATABASE
        damaged = copying.is_damaged(locations.database)
        marks = salvage.forgotten_marks(locations.database) if damaged else None
        hidden = _prepare(staged, folder, locations, marks)
        try:
            kept = _keep(locations, damaged=damaged)
            # The index is made anew from the database; an old one beside a new database would find what is gone.
            shutil.rmtree(locations.index, ignore_errors=True)
            if damaged:
                copying.put_in_place(staged, locations.database)
            else:
                copying.pour(staged, locations.database)
            for name in archive.SMALL:
                if (folder / name).is_file():
                    atomic.write_text(locations.home / name, (folder / name).read_text(encoding="utf-8"))
        except sqlite3.Error as error:
            raise StorageError("backup.failed", path=locations.database, reason=type(error).__name__) from error
        except OSError as error:
            raise StorageError("backup.failed", path=locations.home, reason=error.strerror or error) from error
    return Restored(manifest, hidden, kept, marks_lost=marks is not None and not marks.complete)


def newest_good(locations: Locations) -> Path | None:
    """Return the newest backup in the profile's folder that is whole and needs no passphrase."""
    found = [path for path in locations.backups.glob("*") if path.suffix in (archive.SUFFIX, ".db")]
    for path in sorted(found, key=lambda one: one.stat().st_mtime, reverse=True):
        try:
            if not archive.needs_passphrase(path):
                archive.inspect(path, locations.home)
                return path
        except DeskError:
            continue
    return None


def _prepare(staged: Path, folder: Path, present: Locations, marks: salvage.Marks | None) -> int:
    """Bring a copy up to the present format, take out what was forgotten since, and count that.

    Args:
        staged: The copy.
        folder: Where it lies, for what is made on the way.
        present: The profile that it is to replace.
        marks: What could be read of the profile's marks when its database is damaged.
    """
    store = Store(staged, folder / "before")
    try:
        hidden = 0
        if marks is not None:
            if marks.marks and marks.key is not None:
                if not store.tombstones.adopt_marks(marks.key, marks.marks):
                    raise StorageError("backup.other_life")
                hidden = _honour_marks(store, folder)
        elif present.database.is_file() and present.database.stat().st_size:
            now = Store(present.database, present.backups)
            try:
                _take_marks(now, store)
            finally:
                now.close()
            hidden = _honour_marks(store, folder)
        store.transcripts.close_interrupted()
        store.checkpoint()
        return hidden
    finally:
        store.close()


def _take_marks(present: Store, restored: Store) -> None:
    marks = present.tombstones.since()
    if marks and not restored.tombstones.adopt(present.tombstones):
        raise StorageError("backup.other_life")


def _honour_marks(store: Store, folder: Path) -> int:
    """Erase from a copy what the profile's marks say was forgotten; return how many records that were."""
    facts = {fact.id for batch in store.facts.walk() for fact in batch}
    found = recheck(store, folder, (), ()).records
    forgetter, episodic = Forgetter(store, EpisodicMemory(store), folder, folder / "before"), EpisodicMemory(store)
    forgetter.erase([i for i in found if i in facts])
    # Erasing a fact blacks out its words where they were said; what is left was forgotten by itself.
    rest = recheck(store, folder, (), ()).records
    messages = store.transcripts.messages_by_id(rest)
    gone = [message_id for message_id in rest if message_id not in messages]
    for message in messages.values():
        kept = withheld(message.content, session=message.session_id, ref=message.ref, store=store)
        if kept is None:
            gone.append(message.id)
        else:
            _redact(store, episodic, message, kept)
    forgetter.erase(gone)
    store.scrub()
    return len(set(found) | set(rest))


def _redact(store: Store, episodic: EpisodicMemory, message: Message, kept: str) -> None:
    with store.transaction():
        store.transcripts.redact(message.id, kept)
        store.facts.requote(message.id, kept)
        following = store.transcripts.children(message.id)
        for one in store.transcripts.messages_by_id([message.id, *(child.id for child in following)]).values():
            if store.episodes.from_messages([one.id]):
                episodic.remember(one)


def _keep(locations: Locations, *, damaged: bool) -> Path | None:
    """Keep what is there now; return where, None when there is nothing."""
    if not locations.database.is_file() or not locations.database.stat().st_size:
        return None
    locations.backups.mkdir(parents=True, exist_ok=True, mode=0o700)
    name = f"{DAMAGED if damaged else BEFORE}-{datetime.now():%Y%m%d-%H%M%S}"
    suffix = ".db" if damaged else archive.SUFFIX
    kept, number = locations.backups / f"{name}{suffix}", 1
    while kept.exists():
        number += 1
        kept = locations.backups / f"{name}-{number}{suffix}"
    if damaged:
        copying.set_aside(locations.database, kept)
    else:
        archive.write(locations, kept)
    return kept
