from __future__ import annotations

from dataclasses import replace

from desk_assistant.store import new_id
from tests.memory.conftest import Profile
from tests.memory.test_forget import fact_with, forget


async def forgotten(profile: Profile) -> None:
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    await forget(profile, (await fact_with(profile, "walnut")).id)


async def test_a_clean_profile_is_clean(profile: Profile) -> None:
    await forgotten(profile)
    check = await profile.memory.check_forgotten()
    assert check.clean
    assert check.marks > 0
    assert check.looked_at > 0


async def test_a_fact_that_came_back_by_itself_is_found(profile: Profile) -> None:
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    fact = await fact_with(profile, "walnut")
    await forget(profile, fact.id)
    back = replace(fact, id=new_id("fact"), sources=())
    profile.store.facts.add(back, actor="extraction")
    assert (await profile.memory.check_forgotten()).records == (back.id,)


async def test_an_old_message_that_says_it_is_found_and_a_new_one_is_not(profile: Profile) -> None:
    await forgotten(profile)
    old = profile.say("Hi. I'm allergic to walnuts.", session="old", at="2020-01-01T09:00:00")
    profile.say("Hi. I'm allergic to walnuts.", session="new", at="2999-01-01T09:00:00")
    assert (await profile.memory.check_forgotten()).records == (old.id,)


async def test_what_only_the_index_holds_is_found(profile: Profile) -> None:
    profile.say("The tide was low.")
    await profile.memory.settle()
    record = next(iter(profile.index.records.values()))
    profile.index.records["f_stray"] = replace(record, id="f_stray")
    check = await profile.memory.check_forgotten()
    assert check.stray == ("f_stray",)
    assert not check.clean
