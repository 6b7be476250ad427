"""Copies are made by themselves, thinned out as they age, and do not keep what was forgotten."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from desk_assistant.memory import backup
from desk_assistant.memory.backup.rotation import AUTOMATIC, DAILY, WEEKLY, Rotation, automatic, outdated
from desk_assistant.paths import Locations
from desk_assistant.store import Store
from tests.memory.conftest import Profile

DAY = 86_400.0
NOON = datetime(2026, 5, 11, 12).timestamp()


def test_one_a_day_is_due_the_first_a_day_after_the_first_look(locations: Locations) -> None:
    store = Store(locations.database, locations.backups)
    rotation = Rotation(store, locations)

    first, soon, later = rotation.is_due(NOON), rotation.is_due(NOON + 100), rotation.is_due(NOON + DAY)
    made = rotation.run(NOON + DAY)

    assert (first, soon, later) == (False, False, True)
    assert made is not None
    assert backup.inspect(made, locations.home).contents.schema > 0
    assert not rotation.is_due(NOON + DAY + 100)
    # A clock that went back a month must not stop the copies for a month.
    assert rotation.is_due(NOON - 30 * DAY)
    store.close()


def test_days_are_kept_for_a_week_and_weeks_for_a_month() -> None:
    def name(moment: datetime) -> Path:
        return Path(f"{AUTOMATIC}{moment:%Y%m%d-%H%M%S}{backup.SUFFIX}")

    newest = datetime(2026, 5, 11, 9)
    copies = [name(newest - timedelta(days=days, hours=hours)) for days in range(60) for hours in (0, 5)]

    gone = outdated(copies[1:], copies[0])
    kept = [copy for copy in copies if copy not in gone]

    assert kept[:DAILY] == [name(newest - timedelta(days=days)) for days in range(DAILY)]
    assert DAILY + WEEKLY - 2 <= len(kept) <= DAILY + WEEKLY
    assert all(newest - timedelta(weeks=WEEKLY) < datetime.strptime(p.name[5:20], "%Y%m%d-%H%M%S") for p in kept)


def test_a_damaged_database_costs_no_good_copy(locations: Locations) -> None:
    store = Store(locations.database, locations.backups)
    rotation = Rotation(store, locations)
    old = rotation.run(NOON)
    store.transcripts.create_session("s1", title="x" * 50_000)
    store.checkpoint()
    content = bytearray(locations.database.read_bytes())
    content[-20_000:] = b"\xff" * 20_000
    locations.database.write_bytes(content)

    assert rotation.run(NOON + 90 * DAY) is None
    assert automatic(locations.backups) == [old]
    store.close()


async def test_an_erase_takes_the_automatic_copies_along_and_leaves_the_persons_own(
    open_profile: Callable[[], Profile], locations: Locations
) -> None:
    profile = open_profile()
    profile.say("My brother is called Fennimore.")
    await profile.memory.settle()
    rotation = Rotation(profile.store, locations)
    rotation.run()
    own = profile.store.back_up("before-cleanup")
    ids = [hit.id for hit in await profile.memory.search("Fennimore") if hit.layer == "fact"]

    report = await profile.memory.erase_now(await profile.memory.forget(ids, undo_seconds=0))

    assert automatic(locations.backups) == []
    assert report.backups == (str(own),)
    assert rotation.is_due()
