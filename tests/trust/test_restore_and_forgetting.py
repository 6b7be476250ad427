"""A restore does not bring back what was forgotten since the backup was made."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desk_assistant.errors import StorageError
from desk_assistant.memory import backup
from desk_assistant.paths import Locations
from tests.memory.conftest import Profile

CANARY = "Fennimore"


async def tell(profile: Profile) -> None:
    profile.say(f"My brother is called {CANARY}. I work as a baker.", session="s1")
    profile.say("I live in Porto.", session="s2")
    await profile.memory.settle()


async def close(profile: Profile) -> None:
    await profile.memory.stop()
    profile.store.close()


async def forget_canary(profile: Profile) -> None:
    ids = [hit.id for hit in await profile.memory.search(CANARY) if hit.layer == "fact"]
    await profile.memory.erase_now(await profile.memory.forget(ids, undo_seconds=0))


async def test_what_was_forgotten_since_stays_forgotten_and_the_rest_comes_back(
    open_profile: Callable[[], Profile], locations: Locations, tmp_path: Path
) -> None:
    profile = open_profile()
    await tell(profile)
    target = tmp_path / "mine.deskbackup"
    backup.write(locations, target)
    await forget_canary(profile)
    profile.store.transcripts.delete_session("s2")
    await close(profile)

    done = backup.restore(locations, target)

    again = open_profile()
    words = " ".join(m.content for s in ("s1", "s2") for m in again.store.transcripts.all_messages(s))
    assert done.withheld > 0
    assert (CANARY in words, "baker" in words, "Porto" in words) == (False, True, True)
    assert not await again.memory.search(CANARY)
    assert (await again.memory.check_forgotten()).records == ()
    await close(again)
    left = [p for p in locations.home.rglob("*") if p.is_file() and p.parent != locations.backups]
    assert not any(CANARY.encode() in path.read_bytes() for path in left)


async def test_a_forgotten_message_and_conversation_stay_away(
    open_profile: Callable[[], Profile], locations: Locations, tmp_path: Path
) -> None:
    profile = open_profile()
    await tell(profile)
    message = profile.say("The heron of Turku stood in the harbour all morning.", session="s3")
    await profile.memory.settle()
    backup.write(locations, tmp_path / "mine.deskbackup")
    forgetting = await profile.memory.forget([message.id, "s2"], undo_seconds=0)
    await profile.memory.erase_now(forgetting)
    await close(profile)

    backup.restore(locations, tmp_path / "mine.deskbackup")

    again = open_profile()
    words = " ".join(m.content for batch in again.store.transcripts.walk() for m in batch)
    assert ("heron" in words, "Porto" in words, "baker" in words) == (False, False, True)


async def test_a_backup_of_another_life_does_not_replace_one_that_has_forgotten(
    open_profile: Callable[[], Profile], locations: Locations, tmp_path: Path
) -> None:
    theirs = Locations.find(tmp_path / "theirs")
    theirs.ensure()
    from desk_assistant.store import Store

    store = Store(theirs.database, theirs.backups)
    store.tombstones.add(["something else"])
    store.close()
    backup.write(theirs, tmp_path / "theirs.deskbackup")
    profile = open_profile()
    await tell(profile)
    await forget_canary(profile)
    await close(profile)

    with pytest.raises(StorageError, match="another profile"):
        backup.restore(locations, tmp_path / "theirs.deskbackup")

    assert open_profile().store.transcripts.count()[0] == 2


async def test_it_is_refused_while_a_program_has_the_profile_open(
    open_profile: Callable[[], Profile], locations: Locations, tmp_path: Path
) -> None:
    profile = open_profile()
    await tell(profile)
    backup.write(locations, tmp_path / "mine.deskbackup")

    with pytest.raises(StorageError, match="open"):
        backup.restore(locations, tmp_path / "mine.deskbackup")


async def test_what_was_forgotten_stays_forgotten_when_a_damaged_database_is_replaced(
    open_profile: Callable[[], Profile], locations: Locations, tmp_path: Path
) -> None:
    profile = open_profile()
    await tell(profile)
    for number in range(300):
        profile.say(f"Line {number} of a long talk {'x' * 300}", session="s3")
    target = tmp_path / "mine.deskbackup"
    backup.write(locations, target)
    await forget_canary(profile)
    await close(profile)
    spoil_last_page_of_messages(locations.database)

    done = backup.restore(locations, target)

    again = open_profile()
    words = " ".join(message.content for message in again.store.transcripts.all_messages("s1"))
    assert done.withheld > 0
    assert not done.marks_lost
    assert (CANARY in words, "baker" in words) == (False, True)
    await close(again)


async def test_it_is_said_when_a_damaged_database_no_longer_tells_what_was_forgotten(
    open_profile: Callable[[], Profile], locations: Locations, tmp_path: Path
) -> None:
    profile = open_profile()
    await tell(profile)
    target = tmp_path / "mine.deskbackup"
    backup.write(locations, target)
    await forget_canary(profile)
    await close(profile)
    locations.database.write_bytes(bytes(locations.database.stat().st_size))

    assert backup.restore(locations, target).marks_lost


def spoil_last_page_of_messages(database: Path) -> None:
    """Write garbage over a page that holds messages and nothing else."""
    content = database.read_bytes()
    place = content.rindex(b"of a long talk") // 4096 * 4096
    database.write_bytes(content[:place] + b"\xff" * 4096 + content[place + 4096 :])
