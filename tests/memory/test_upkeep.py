"""Tasks, review and the archive: what steps aside by itself, and what never does."""

from __future__ import annotations

import time

import pytest

from desk_assistant.memory.upkeep import DAY, Upkeep
from desk_assistant.store import Fact
from tests.memory.conftest import Profile

SAID = "2026-05-11T09:00:00"


async def _fact(profile: Profile, text: str, pattern: str) -> Fact:
    profile.say(text, at=SAID)
    await profile.memory.settle()
    return next(f for f in await profile.memory.facts(None) if pattern in f.text)


def _days_later(days: float) -> float:
    return time.mktime(time.strptime(SAID, "%Y-%m-%dT%H:%M:%S")) + days * DAY


async def test_open_tasks_come_by_their_day_and_close(profile: Profile) -> None:
    for text in ("I need to call the plumber.", "I have to send the invoice tomorrow.", "我周四要交房租。"):
        profile.say(text, at=SAID)
    await profile.memory.settle()
    tasks = await profile.memory.tasks()
    assert [t.due for t in tasks] == ["2026-05-12", "2026-05-14", None]

    await profile.memory.close_task(tasks[0].id)

    assert [t.due for t in await profile.memory.tasks()] == ["2026-05-14", None]
    assert (await profile.memory.history(tasks[0].id))[-1].action == "closed"


@pytest.mark.parametrize(
    "messages",
    [
        ("I need to call the plumber.", "Done with the plumber."),
        ("Remind me to water the ferns.", "I watered the ferns."),
        ("提醒我给绿萝浇水。", "绿萝浇完水了。"),
        ("我要订去兰州的车票。", "去兰州的车票订好了。"),
    ],
)
async def test_saying_that_it_is_done_closes_a_task(profile: Profile, messages: tuple[str, str]) -> None:
    profile.say(messages[0])
    await profile.memory.settle()
    assert len(await profile.memory.tasks()) == 1

    profile.say(messages[1])
    await profile.memory.settle()

    assert await profile.memory.tasks() == []


async def test_what_has_not_come_up_for_a_month_is_offered_for_review(profile: Profile) -> None:
    fact = await _fact(profile, "I like jazz.", "jazz")
    upkeep = Upkeep(profile.store, profile.settings)

    assert upkeep.stale(_days_later(29)) == []
    assert [f.id for f in upkeep.stale(_days_later(31))] == [fact.id]
    await profile.memory.confirm(fact.id)
    assert upkeep.stale() == []


async def test_only_what_was_never_sure_is_archived_and_it_comes_back(profile: Profile) -> None:
    sure = await _fact(profile, "I like jazz.", "jazz")
    unsure = await _fact(profile, "I probably like opera.", "opera")
    assert unsure.status == "pending"
    upkeep = Upkeep(profile.store, profile.settings)

    assert upkeep.run(_days_later(89)) == []
    assert upkeep.run(_days_later(91)) == [unsure.id]
    assert (await profile.memory.history(unsure.id))[-1].action == "archived"
    assert profile.store.facts.get(sure.id).status == "active"

    assert (await profile.memory.restore(unsure.id)).status == "pending"


async def test_what_is_pinned_never_steps_aside(profile: Profile) -> None:
    unsure = await _fact(profile, "I probably like opera.", "opera")
    await profile.memory.pin(unsure.id, True)

    assert Upkeep(profile.store, profile.settings).run(_days_later(400)) == []
    assert Upkeep(profile.store, profile.settings).stale(_days_later(400)) == []


async def test_an_errand_goes_a_week_after_its_day(profile: Profile) -> None:
    task = await _fact(profile, "I have to send the invoice tomorrow.", "invoice")
    upkeep = Upkeep(profile.store, profile.settings)

    assert upkeep.run(_days_later(6)) == []
    assert upkeep.run(_days_later(10)) == [task.id]


async def test_many_at_once_are_backed_up_first(profile: Profile) -> None:
    for name in ("opera", "jazz", "golf", "chess", "tennis", "ballet", "sushi", "ramen", "cider", "karaoke", "darts"):
        profile.say(f"I probably like {name}.", at=SAID)
    await profile.memory.settle()

    assert len(Upkeep(profile.store, profile.settings).run(_days_later(91))) == 11

    assert list(profile.locations.backups.glob("before-cleanup-*.db"))


async def test_a_doubt_about_a_pinned_fact_is_history_and_no_fact(profile: Profile) -> None:
    fact = await _fact(profile, "I play squash.", "squash")
    await profile.memory.pin(fact.id, True)
    profile.say("I've given up squash.")
    await profile.memory.settle()

    assert [f.id for f in await profile.memory.facts(None) if "squash" in f.text.casefold()] == [fact.id]
    assert profile.store.facts.get(fact.id).status == "active"
    assert (await profile.memory.history(fact.id))[-1].action == "conflict"
