"""The classifier's second look: it doubts what was taken from a story, and proposes what no rule found."""

from __future__ import annotations

import pytest

from desk_assistant.index.sorts import Sort
from tests.memory.conftest import Profile


@pytest.mark.parametrize("sort", ["fiction", "hypothetical", "quotation"])
async def test_what_sounds_made_up_waits_to_be_confirmed(profile: Profile, sort: Sort) -> None:
    profile.index.state, profile.index.sorts = "ready", {"harpoon": sort}
    profile.say("I keep a harpoon under the bed.")
    await profile.memory.settle()

    [fact] = await profile.memory.facts()
    assert fact.status == "pending"
    assert (await profile.memory.history(fact.id))[-1].action == "doubted"
    assert (await profile.memory.confirm(fact.id)).status == "active"


@pytest.mark.parametrize(
    ("said", "sort", "predicate"),
    [
        ("Rice is what our table is built around, my whole life.", "preference", "about"),
        ("My replies in verse, thank you, world without end.", "instruction", "instruction"),
        ("我这人离不开一口热汤面。", "preference", "about"),
    ],
)
async def test_what_no_rule_found_is_proposed_word_for_word(
    profile: Profile, said: str, sort: Sort, predicate: str
) -> None:
    profile.index.state, profile.index.sorts = "ready", {said[:6]: sort}
    message = profile.say(said)
    await profile.memory.settle()

    [fact] = await profile.memory.facts()
    assert (fact.status, fact.predicate) == ("pending", predicate)
    assert fact.object in message.content
    [(source, span)] = await profile.memory.sources(fact.id)
    assert span is not None
    assert source.content[span[0] : span[1]] == fact.object
    assert fact not in await profile.memory.profile()


@pytest.mark.parametrize(
    "said",
    ["Is my table built around rice?", "If I were rich, my table would be gold.", "Just this once my table first."],
)
async def test_what_a_gate_keeps_out_is_not_proposed(profile: Profile, said: str) -> None:
    profile.index.state, profile.index.sorts = "ready", {"table": "preference"}
    profile.say(said)
    await profile.memory.settle()
    assert await profile.memory.facts() == []


async def test_an_import_proposes_nothing(profile: Profile) -> None:
    profile.index.state, profile.index.sorts = "ready", {"table": "preference"}
    message = profile.say("Rice is what our table is built around, my whole life.")
    profile.store.outbox.put("remember", [message.id], payload="import")
    await profile.memory.settle()
    assert await profile.memory.facts() == []


async def test_while_the_model_loads_the_look_waits_and_comes_once(profile: Profile) -> None:
    profile.index.state, profile.index.sorts = "loading", {"harpoon": "fiction"}
    profile.say("I keep a harpoon under the bed.")
    await profile.memory.settle()
    [fact] = await profile.memory.facts()
    assert fact.status == "active"
    assert profile.store.outbox.pending() == {"classify": 1}

    profile.index.state = "ready"
    await profile.memory.settle()

    assert (await profile.memory.facts())[0].status == "pending"
    assert profile.store.outbox.pending() == {}


async def test_without_a_model_the_rules_decide_alone(profile: Profile) -> None:
    profile.index.sorts = {"harpoon": "fiction"}
    profile.say("I keep a harpoon under the bed.")
    await profile.memory.settle()
    assert [f.status for f in await profile.memory.facts()] == ["active"]
    assert profile.store.outbox.pending() == {}


async def test_what_the_person_made_theirs_is_not_doubted(profile: Profile) -> None:
    profile.say("I keep a harpoon under the bed.")
    await profile.memory.settle()
    [fact] = await profile.memory.facts()
    await profile.memory.pin(fact.id, True)
    profile.index.state, profile.index.sorts = "ready", {"harpoon": "fiction"}
    profile.store.outbox.put("classify", [fact.sources[0].message_id])
    await profile.memory.settle()
    assert [f.status for f in await profile.memory.facts()] == ["active"]
