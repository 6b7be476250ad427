"""Forgetting by capacity, age and passing requests: turns step aside, are listed, and come back."""

from __future__ import annotations

import time

from desk_assistant.memory.upkeep import DAY
from tests.memory.conftest import Profile


async def _talk(profile: Profile, count: int) -> None:
    for number in range(count):
        profile.say(f"Today the heron number {number} flew past", at=f"2026-05-{number + 1:02d}T09:00:00")
        profile.say(f"Heron {number}, noted.", role="assistant", at=f"2026-05-{number + 1:02d}T09:01:00")
    await profile.memory.settle()


async def test_the_least_worth_keeping_steps_aside_with_its_answer(profile: Profile) -> None:
    profile.settings.set("memory.max_exchanges", 6)
    await _talk(profile, 8)
    profile.store.episodes.touch([e.id for e in await profile.memory.episodes() if "number 0" in e.text])

    aside = await profile.memory.clean_up(also_new=True)
    await profile.memory.settle()

    archive = await profile.memory.archived()
    assert sorted(e.id for e in archive.episodes) == sorted(aside)
    # The first was recalled just now, so the two after it go, question and answer.
    assert sorted(e.text for e in archive.episodes if e.role == "user") == [
        f"Today (2026-05-0{number + 1}) the heron number {number} flew past" for number in (1, 2)
    ]
    assert len(archive.episodes) == 4
    assert not set(aside) & set(profile.index.records)
    found = (await profile.memory.recall("heron number 1", limit=20)).items
    assert not set(aside) & {item.id for item in found}


async def test_what_was_kept_only_now_is_left_alone_by_the_daily_pass(profile: Profile) -> None:
    profile.settings.set("memory.max_exchanges", 6)
    await _talk(profile, 8)
    assert await profile.memory.clean_up() == []


async def test_what_stepped_aside_is_listed_and_comes_back(profile: Profile) -> None:
    profile.settings.set("memory.max_exchanges", 6)
    await _talk(profile, 8)
    aside = await profile.memory.clean_up(also_new=True)
    await profile.memory.settle()
    assert set(aside) <= {e.id for e in await profile.memory.episodes()}

    await profile.memory.restore_episodes(aside)
    await profile.memory.settle()

    assert (await profile.memory.archived()).episodes == ()
    assert set(aside) <= set(profile.index.records)


async def test_what_pinned_facts_and_pinned_conversations_rest_on_stays(profile: Profile) -> None:
    profile.settings.set("memory.max_exchanges", 1)
    first = profile.say("I play the oboe.", at="2026-05-01T09:00:00")
    profile.say("Rain again today", session="pinned", at="2026-05-01T10:00:00")
    await _talk(profile, 4)
    [fact] = [f for f in await profile.memory.facts() if "oboe" in f.text]
    await profile.memory.pin(fact.id, True)
    profile.store.transcripts.pin_session("pinned", True)

    await profile.memory.clean_up(also_new=True)

    kept = {m for e in await profile.memory.episodes() if not e.archived for m in e.messages}
    assert first.id in kept
    assert {e.session_id for e in (await profile.memory.archived()).episodes} == {"s1"}


async def test_a_request_for_one_answer_goes_after_a_week_and_its_summary_stays(profile: Profile) -> None:
    profile.say("Just this once answer in one line.", at="2026-05-01T09:00:00")
    profile.say("My kayak is moored at pier 14.", at="2026-05-01T09:01:00")
    await profile.memory.end_session("s1")
    await profile.memory.settle()

    assert await profile.memory.clean_up(also_new=True)

    texts = [e.text for e in (await profile.memory.archived()).episodes]
    assert texts == ["Just this once answer in one line."]
    assert [e for e in await profile.memory.episodes(kind="summary") if not e.archived]


async def test_age_puts_aside_only_when_it_is_asked_for(profile: Profile) -> None:
    then = time.localtime(time.time() - 90 * DAY)
    profile.say("The ferry leaves from Ystad.", at=time.strftime("%Y-%m-%dT%H:%M:%S", then))
    await profile.memory.settle()
    assert await profile.memory.clean_up(also_new=True) == []

    profile.settings.set("memory.max_age_days", 60)

    assert len(await profile.memory.clean_up(also_new=True)) == 1


async def test_a_fact_is_put_aside_and_a_task_put_back_by_hand(profile: Profile) -> None:
    profile.say("I like jazz. I need to call the plumber.")
    await profile.memory.settle()
    [jazz] = [f for f in await profile.memory.facts() if "jazz" in f.text]
    [task] = await profile.memory.tasks()

    await profile.memory.archive([jazz.id])
    await profile.memory.close_task(task.id)

    assert [f.id for f in (await profile.memory.archived()).facts] == [jazz.id]
    assert await profile.memory.profile() == []
    await profile.memory.reopen_task(task.id)
    assert [f.id for f in await profile.memory.tasks()] == [task.id]
