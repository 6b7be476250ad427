"""The power goes while something is written: what was acknowledged is there, and what was not is whole or absent.

A power cut takes what had not been synced to the disk. Each connection is asked whether it syncs the log before a write
is acknowledged. What the cut leaves of the files is simulated: the log with garbage behind it, where the next write was
on its way; the log cut at any byte; and the database with some of its pages from before a checkpoint and some from
after it.
"""

from __future__ import annotations

import random
import shutil
import threading
from pathlib import Path

import pytest

from desk_assistant.paths import Locations
from desk_assistant.store import Message, Store, new_id

WRITES = 60
CUTS = 40


def write(store: Store, number: int) -> None:
    """One acknowledged write: a message, its job, and a bigger note, in one transaction."""
    with store.transaction():
        head = store.transcripts.create_session("s1", title="Kilns").head_id
        text = f"Message {number} about kilns. {'x' * (number * 37 % 3000)}"
        message = store.transcripts.append(
            Message(new_id("message"), "s1", "user", text, "2026-05-11T09:00:00", parent_id=head)
        )
        store.outbox.put("remember", [message.id])
        store.meta.set("written", str(number))


def log_of(database: Path) -> Path:
    return database.with_name(database.name + "-wal")


def numbers(database: Path) -> list[int]:
    """Open what is left, as the program does, and return which messages are there, each with its job."""
    store = Store(database, database.parent / "backups")
    try:
        messages = [message for batch in store.transcripts.walk() for message in batch]
        found = [int(message.content.split()[1]) for message in messages]
        assert store._database.row("PRAGMA integrity_check(1)")[0] == "ok"  # type: ignore[index]
        assert set(store.outbox.refs("remember")) == {message.id for message in messages}
        assert store.meta.get("written") == (str(found[-1]) if found else None)
        return found
    finally:
        store.close()


def snapshot(database: Path, target: Path) -> Path:
    """Copy the files in the order that is worst for them: the log first, the database it belongs to later."""
    target.mkdir(parents=True)
    for path in (log_of(database), database):
        if path.exists():
            shutil.copyfile(path, target / path.name)
    return target / database.name


def test_each_write_that_was_acknowledged_is_on_the_disk_before_the_next_begins(
    locations: Locations, tmp_path: Path
) -> None:
    store = Store(locations.database, locations.backups)
    chance = random.Random(1)
    copies: list[tuple[int, Path]] = []
    for number in range(WRITES):
        write(store, number)
        copy = snapshot(locations.database, tmp_path / f"cut-{number}")
        # The next write had begun: part of it was on its way, in no order, and without the page that ends it.
        with log_of(copy).open("ab") as log:
            log.write(chance.randbytes(chance.randrange(1, 9000)))
        copies.append((number, copy))
    store.close()

    assert [numbers(copy) for number, copy in copies] == [list(range(number + 1)) for number, _ in copies]


def test_a_log_cut_at_any_byte_is_an_earlier_moment(locations: Locations, tmp_path: Path) -> None:
    store = Store(locations.database, locations.backups)
    store.checkpoint()
    sizes = {}
    for number in range(WRITES):
        write(store, number)
        sizes[number] = log_of(locations.database).stat().st_size
    whole = snapshot(locations.database, tmp_path / "whole")
    store.close()
    chance = random.Random(2)
    length = log_of(whole).stat().st_size
    for cut in sorted({0, 1, 31, 32, length - 1, length, *(chance.randrange(length) for _ in range(CUTS))}):
        copy = snapshot(whole, tmp_path / f"cut-{cut}")
        with log_of(copy).open("r+b") as log:
            log.truncate(cut)

        found = numbers(copy)

        # A write is there when its last byte is; until the log begins anew, it only grows.
        assert found == list(range(len(found)))
        assert len(found) >= sum(size <= cut for size in sizes.values() if size <= length)


def test_copies_at_any_moment_keep_what_had_been_acknowledged(locations: Locations, tmp_path: Path) -> None:
    store = Store(locations.database, locations.backups)
    write(store, 0)
    acknowledged = [0]
    go_on = threading.Event()

    def work() -> None:
        # What is copied while the log begins anew is no moment that there ever was on the disk.
        store._database.execute("PRAGMA wal_autocheckpoint = 0")
        for number in range(1, 2_000):
            write(store, number)
            acknowledged.append(number)
            if go_on.is_set():
                return

    writer = threading.Thread(target=work)
    writer.start()
    kept: list[tuple[int, Path]] = []
    try:
        for cut in range(25):
            before = acknowledged[-1]
            kept.append((before, snapshot(locations.database, tmp_path / f"cut-{cut}")))
    finally:
        go_on.set()
        writer.join()
        store.close()

    for before, copy in kept:
        found = numbers(copy)
        assert found == list(range(len(found)))
        assert len(found) > before


def test_a_checkpoint_cut_short_loses_nothing(locations: Locations, tmp_path: Path) -> None:
    store = Store(locations.database, locations.backups)
    for number in range(WRITES):
        write(store, number)
    before = snapshot(locations.database, tmp_path / "before")
    store.checkpoint()
    after = locations.database.read_bytes()
    store.close()
    chance = random.Random(3)
    for cut in range(20):
        copy = snapshot(before, tmp_path / f"cut-{cut}")
        with copy.open("r+b") as database:
            for place in range(0, len(after), 4096):
                if chance.random() < 0.5:
                    database.seek(place)
                    database.write(after[place : place + 4096])

        assert numbers(copy) == list(range(WRITES))


@pytest.mark.parametrize("thread", [False, True], ids=["the first connection", "another thread's"])
def test_every_connection_waits_for_the_disk(locations: Locations, thread: bool) -> None:
    store = Store(locations.database, locations.backups)
    found: list[tuple[object, object]] = []

    def ask() -> None:
        row = store._database.row
        found.append((row("PRAGMA synchronous")[0], row("PRAGMA journal_mode")[0]))  # type: ignore[index]

    if thread:
        worker = threading.Thread(target=ask)
        worker.start()
        worker.join()
    else:
        ask()
    store.close()

    assert found == [(2, "wal")]  # 2 is FULL: the log is synced before a commit returns
