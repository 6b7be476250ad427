"""The person's yes and no to a fact move how sure and how important it is."""

from __future__ import annotations

from desk_assistant.store import Fact
from tests.memory.conftest import Profile


async def _one(profile: Profile, text: str) -> Fact:
    profile.say(text)
    await profile.memory.settle()
    [fact] = await profile.memory.facts()
    return fact


async def test_a_yes_makes_a_fact_sure_and_weightier(profile: Profile) -> None:
    unsure = await _one(profile, "I probably like opera.")
    assert unsure.status == "pending"

    sure = await profile.memory.confirm(unsure.id)

    assert (sure.status, sure.confidence) == ("active", 0.95)
    assert sure.importance > unsure.importance


async def test_a_no_takes_a_fact_back_for_good(profile: Profile) -> None:
    fact = await _one(profile, "I like opera.")

    wrong = await profile.memory.reject(fact.id)
    await profile.memory.settle()

    assert wrong.status == "retracted"
    assert wrong.confidence < 0.2
    assert wrong.importance < fact.importance
    assert await profile.memory.profile() == []
    assert (await profile.memory.history(fact.id))[-1].action == "rejected"
    # An old talk that says so again, imported later, does not count.
    message = profile.say("I like opera.", session="old", at="2025-01-01T09:00:00")
    profile.store.outbox.put("remember", [message.id], payload="import")
    await profile.memory.settle()
    assert await profile.memory.facts() == []


async def test_what_was_rejected_counts_again_when_the_person_says_so(profile: Profile) -> None:
    fact = await _one(profile, "I like opera.")
    await profile.memory.reject(fact.id)
    profile.say("I do like opera.")
    await profile.memory.settle()
    assert [f.text for f in await profile.memory.facts()] == ["Likes opera"]


async def test_a_merge_by_hand_joins_two_names_and_can_be_taken_back(profile: Profile) -> None:
    for text in ("My aunt Clementine paints.", "My friend Clem sails."):
        profile.say(text)
        await profile.memory.settle()

    alias = await profile.memory.merge("Clem", "Clementine")

    assert {f.subject for f in await profile.memory.facts() if "sail" in f.text.lower()} == {"Clementine"}
    names = {entity.name for entity in await profile.memory.entities()}
    assert "Clem" not in names
    await profile.memory.split(alias.id)
    assert {f.subject for f in await profile.memory.facts() if "sail" in f.text.lower()} == {"Clem"}
