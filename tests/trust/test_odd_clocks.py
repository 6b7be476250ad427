"""The clock is set back, or the traveller's time zone changes: order stays, days are the person's, copies go on."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta, timezone

import pytest

from desk_assistant.assistant import Assistant
from desk_assistant.memory.backup.rotation import AUTOMATIC, Rotation, automatic
from desk_assistant.paths import Locations
from desk_assistant.store import Store
from tests.memory.conftest import Profile
from tests.scripted import ScriptedLlm, WordIndex

DAY = 86_400.0


@pytest.fixture
def zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], None]]:
    """Returns a function that moves this machine to another time zone."""

    def move(name: str) -> None:
        monkeypatch.setenv("TZ", name)
        time.tzset()

    move("UTC")
    yield move
    monkeypatch.undo()
    time.tzset()


class Clock:
    """What the program takes for the time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = datetime(2026, 5, 12, 12, tzinfo=timezone(timedelta(0)))
        for place in ("assistant.turn", "assistant.answering"):
            monkeypatch.setattr(f"desk_assistant.{place}.now_iso", self.iso)

    def iso(self) -> str:
        return self.now.isoformat(timespec="seconds")


async def talk(assistant: Assistant, texts: list[str], clock: Clock, steps: list[timedelta]) -> list[str]:
    conversation = assistant.conversation()
    for text, step in zip(texts, steps, strict=True):
        async for _ in assistant.send(conversation, text):
            pass
        clock.now += step
    again = assistant.store.transcripts.all_messages(str(conversation.session_id))
    return [message.content for message in again]


async def test_messages_stay_in_the_order_in_which_they_were_said(
    locations: Locations, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(monkeypatch)
    llm = ScriptedLlm(["one", "two", "three"])
    assistant = Assistant.open(locations, llm=llm, index=WordIndex())
    await assistant.start()
    steps = [timedelta(days=-40), timedelta(hours=-3), timedelta(days=50)]

    read = await talk(assistant, ["My kiln is old.", "It is red.", "Its door squeaks."], clock, steps)
    await assistant.memory.settle()
    recalled = await assistant.memory.recall("Which kiln has a door that squeaks?")
    await assistant.close()

    assert read == ["My kiln is old.", "one", "It is red.", "two", "Its door squeaks.", "three"]
    assert [message.content for message in llm.prompts[-1]][-5:-1] == ["My kiln is old.", "one", "It is red.", "two"]
    assert any("squeaks" in item.text for item in recalled.items)


async def test_an_erase_that_waits_for_its_time_to_undo_waits_no_year(
    open_profile: Callable[[], Profile], monkeypatch: pytest.MonkeyPatch
) -> None:
    profile = open_profile()
    profile.say("My brother is called Fennimore.")
    await profile.memory.settle()
    ids = [hit.id for hit in await profile.memory.search("Fennimore") if hit.layer == "fact"]
    now = time.time
    # The clock is a year ahead when it is asked for, and set right before it is carried out.
    with monkeypatch.context() as ahead:
        ahead.setattr("time.time", lambda: now() + 365 * DAY)
        await profile.memory.forget(ids, undo_seconds=10)

    await profile.memory.settle()

    assert await profile.memory.search("Fennimore") == []
    files = [path for path in profile.locations.home.rglob("*") if path.is_file()]
    assert [path.name for path in files if b"Fennimore" in path.read_bytes()] == []


async def test_what_is_to_wait_a_moment_still_waits(open_profile: Callable[[], Profile]) -> None:
    profile = open_profile()
    profile.say("My brother is called Fennimore.")
    await profile.memory.settle()
    ids = [hit.id for hit in await profile.memory.search("Fennimore") if hit.layer == "fact"]

    forgetting = await profile.memory.forget(ids, undo_seconds=3600)
    await profile.memory.settle()

    assert await profile.memory.undo(forgetting)


async def test_yesterday_is_the_day_before_where_the_person_is_now(
    open_profile: Callable[[], Profile], zone: Callable[[str], None]
) -> None:
    profile = open_profile()
    # Half past eleven at night in New York; in Tokyo it is the next day already.
    profile.say("I repaired the blue bicycle.", session="s1", at="2026-05-10T23:30:00-04:00")
    profile.say("I painted the green fence.", session="s2", at="2026-05-11T20:00:00-04:00")
    await profile.memory.settle()

    zone("America/New_York")
    at_home = await profile.memory.recall("What did I tell you yesterday?", at="2026-05-11T22:00:00-04:00")
    zone("Asia/Tokyo")
    abroad = await profile.memory.recall("What did I tell you yesterday?", at="2026-05-13T11:00:00+09:00")

    assert ["bicycle" in " ".join(item.text for item in r.items) for r in (at_home, abroad)] == [True, False]
    assert "fence" not in " ".join(item.text for item in at_home.items)
    assert "fence" in " ".join(item.text for item in abroad.items)


def test_copies_go_on_and_the_newest_is_never_thinned_out(locations: Locations, zone: Callable[[str], None]) -> None:
    store = Store(locations.database, locations.backups)
    rotation = Rotation(store, locations)
    noon = datetime(2026, 5, 11, 12).timestamp()
    made = [rotation.run(noon), rotation.run(noon + DAY)]

    zone("Pacific/Auckland")
    due = rotation.is_due(noon - 30 * DAY)
    made.append(rotation.run(noon - 30 * DAY))
    zone("Pacific/Honolulu")
    made.append(rotation.run(noon - 29 * DAY))
    store.close()

    assert due
    assert None not in made
    assert made[-1] in automatic(locations.backups)
    assert all(path.name.startswith(AUTOMATIC) for path in automatic(locations.backups))
