from __future__ import annotations

from datetime import datetime

import pytest

from desk_assistant.errors import NotFoundError
from tests.memory.conftest import Profile


@pytest.fixture
async def told(profile: Profile) -> Profile:
    """Three talks of three days."""
    profile.say("My sister Noor plays the harp.", session="a", at="2026-03-02T10:00:00")
    profile.say("I restore clocks.", session="b", at="2026-04-05T10:00:00")
    profile.say("We met noor at the fair in Lyon.", session="b", at="2026-04-05T10:01:00")
    profile.say("Noordwijk was full of kites.", session="c", at="2026-05-06T10:00:00")
    await profile.memory.settle()
    return profile


async def test_a_person_means_their_facts_and_all_mentions(told: Profile) -> None:
    hits = (await told.memory.choose.person("Noor")).hits
    messages = [hit.text for hit in hits if hit.layer == "message"]
    assert messages == ["My sister Noor plays the harp.", "We met noor at the fair in Lyon."]
    assert any("harp" in hit.text for hit in hits if hit.layer == "fact")
    assert not any("clock" in hit.text for hit in hits)


async def test_a_topic_means_what_holds_the_words_or_is_recalled(told: Profile) -> None:
    hits = (await told.memory.choose.about("clocks")).hits
    assert {hit.layer for hit in hits} == {"fact", "message"}
    assert all("clock" in hit.text.lower() for hit in hits)


async def test_a_time_span_means_what_was_said_and_learnt_in_it(told: Profile) -> None:
    span = await told.memory.choose.between(datetime(2026, 4, 1), datetime(2026, 5, 1))
    assert {hit.session_id for hit in span.hits} == {"b"}
    assert {hit.layer for hit in span.hits} == {"fact", "message"}
    report = await told.memory.erase_now(await told.memory.forget(span.ids, undo_seconds=0))
    assert report.verified
    assert {s.id for s in told.store.transcripts.sessions()} == {"a", "c"}
    assert [f.text for f in await told.memory.facts() if "clock" in f.text.lower()] == []


async def test_an_open_end_takes_all_before_it(told: Profile) -> None:
    hits = (await told.memory.choose.between(None, datetime(2026, 4, 1))).hits
    assert {hit.session_id for hit in hits} == {"a"}


async def test_everything_leaves_nothing(told: Profile) -> None:
    await told.memory.add("I collect stamps")
    chosen = await told.memory.choose.everything()
    report = await told.memory.erase_now(await told.memory.forget(chosen.ids, undo_seconds=0))
    assert report.verified
    assert told.store.transcripts.count() == (0, 0)
    assert await told.memory.facts(None) == []
    assert await told.memory.episodes() == []
    assert told.index.records == {}


async def test_a_session_that_is_not_there_is_said(told: Profile) -> None:
    with pytest.raises(NotFoundError):
        await told.memory.choose.session("nowhere")


async def test_what_is_being_forgotten_is_not_chosen_again(told: Profile) -> None:
    await told.memory.forget(["b"], undo_seconds=60)
    assert {hit.session_id for hit in (await told.memory.choose.person("Noor")).hits} == {"a"}


async def test_what_was_learnt_from_a_chosen_message_alone_is_shown_as_it_goes_along(profile: Profile) -> None:
    profile.say("My sister Noor lives in Lyon. I use PostgreSQL 16.")
    profile.say("I play chess.", session="s2")
    await profile.memory.settle()
    before = {fact.id for fact in await profile.memory.facts(None)}
    for chosen in (await profile.memory.choose.about("Noor"), await profile.memory.choose.person("Noor")):
        assert any("PostgreSQL" in hit.text for hit in chosen.hits if hit.layer == "fact")
        assert not any("chess" in hit.text for hit in chosen.hits)
    shown = {hit.id for hit in chosen.hits if hit.layer == "fact"}
    await profile.memory.erase_now(await profile.memory.forget(chosen.ids, undo_seconds=0))
    assert before - {fact.id for fact in await profile.memory.facts(None)} == shown
