"""An automatic copy neither outlives an erase it ran beside, nor does a fault of it end the memory watcher."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from desk_assistant.memory import service
from desk_assistant.memory.backup import archive
from desk_assistant.memory.backup.rotation import Rotation, automatic
from desk_assistant.memory.withdrawn import count_erase
from desk_assistant.paths import Locations
from desk_assistant.store import Store
from tests.memory.conftest import Profile

DAY = 86_400.0
NOON = datetime(2026, 5, 11, 12).timestamp()


def test_an_old_copy_that_cannot_be_deleted_stays_and_the_new_one_counts(
    locations: Locations, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(locations.database, locations.backups)
    rotation = Rotation(store, locations)
    old = rotation.run(NOON)
    unlink = Path.unlink

    def refuse(path: Path, missing_ok: bool = False) -> None:
        if path == old:
            raise PermissionError(13, "refused")
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "unlink", refuse)
    made = rotation.run(NOON + 90 * DAY)
    store.close()

    assert made is not None
    assert automatic(locations.backups) == [old, made]


async def test_the_watcher_goes_on_after_an_unexpected_error(
    open_profile: Callable[[], Profile], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks, again = 0, asyncio.Event()

    async def look(_memory: service.Memory, _looks: int) -> None:
        nonlocal looks
        looks += 1
        if looks == 1:
            raise PermissionError(13, "refused")
        again.set()

    monkeypatch.setattr(service, "WATCH_SECONDS", 0.0)
    monkeypatch.setattr(service.Memory, "_look", look)
    profile = open_profile()
    profile.memory.start()

    await asyncio.wait_for(again.wait(), 10)
    await profile.memory.stop()


def test_a_copy_is_dropped_when_something_was_erased_while_it_was_made(
    locations: Locations, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(locations.database, locations.backups)
    rotation = Rotation(store, locations)
    write = archive.write

    def write_beside_an_erase(at: Locations, target: Path) -> archive.Manifest:
        made = write(at, target)
        with store.transaction():
            count_erase(store)
        return made

    monkeypatch.setattr(archive, "write", write_beside_an_erase)
    made = rotation.run(NOON)
    due = rotation.is_due(NOON + 1)
    store.close()

    assert made is None
    assert automatic(locations.backups) == []
    assert due


def test_an_erase_sweeps_half_written_copies_too(locations: Locations) -> None:
    store = Store(locations.database, locations.backups)
    locations.backups.mkdir(parents=True, exist_ok=True)
    half = locations.backups / f".auto-20260511-120000{archive.SUFFIX}.part"
    half.write_bytes(b"half")

    Rotation(store, locations).renew()
    store.close()

    assert not half.exists()
