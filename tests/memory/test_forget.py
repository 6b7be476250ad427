from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desk_assistant.errors import NotFoundError
from desk_assistant.paths import Locations
from desk_assistant.store import Fact
from tests.memory.conftest import Profile

STORY = "I am a Java backend developer; my projects use Spring Boot 3 and MySQL 8.0."


def holding(locations: Locations, words: str) -> list[Path]:
    """Files under the profile that contain the words, in UTF-8 or UTF-16."""
    needles = (words.encode(), words.encode("utf-16-le"))
    return [p for p in locations.home.rglob("*") if p.is_file() and any(n in p.read_bytes() for n in needles)]


async def fact_with(profile: Profile, words: str) -> Fact:
    found = [f for f in await profile.memory.facts() if words in f.text]
    assert len(found) == 1, [f.text for f in await profile.memory.facts()]
    return found[0]


async def forget(profile: Profile, *ids: str) -> None:
    report = await profile.memory.erase_now(await profile.memory.forget(ids, undo_seconds=0))
    assert report.verified, report.leftovers


async def test_a_forgotten_fact_is_in_no_file_and_no_search(profile: Profile, locations: Locations) -> None:
    profile.say("I'm allergic to walnuts.")
    profile.say("Noted: you are allergic to walnuts.", role="assistant")
    await profile.memory.settle()
    await forget(profile, (await fact_with(profile, "walnut")).id)
    assert holding(locations, "walnut") == []
    assert (await profile.memory.recall("what am I allergic to, walnuts?")).items == ()
    assert await profile.memory.search("walnuts") == []
    assert not any("walnut" in r.text + r.lexical for r in profile.index.records.values())


async def test_it_stays_gone_after_a_restart(open_profile: Callable[[], Profile]) -> None:
    first = open_profile()
    first.say("I'm allergic to walnuts.")
    await first.memory.settle()
    await forget(first, (await fact_with(first, "walnut")).id)
    second = open_profile()
    await second.memory.reconcile()
    await second.memory.settle()
    assert await second.texts() == []
    assert (await second.memory.recall("walnuts allergy")).items == ()


async def test_a_neighbouring_fact_of_the_same_sentence_stays(profile: Profile) -> None:
    message = profile.say(STORY)
    await profile.memory.settle()
    await forget(profile, (await fact_with(profile, "MySQL")).id)
    texts = " ".join(await profile.texts())
    assert "Spring Boot 3" in texts
    assert "MySQL" not in texts
    content = profile.store.transcripts.message(message.id).content
    assert "Spring Boot 3 and █" in content
    assert len(content) == len(STORY)
    kept = await fact_with(profile, "Spring Boot")
    assert [content[s.start : s.end] for s in kept.sources] == ["Spring Boot 3"]


async def test_a_second_extraction_or_import_cannot_bring_it_back(profile: Profile) -> None:
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    await forget(profile, (await fact_with(profile, "walnut")).id)
    old = profile.say("I'm allergic to walnuts.", session="old")
    profile.store.outbox.put("remember", [old.id], payload="import")
    await profile.memory.settle()
    assert await profile.texts() == []


async def test_a_fresh_statement_brings_it_back(profile: Profile) -> None:
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    await forget(profile, (await fact_with(profile, "walnut")).id)
    profile.say("I'm allergic to walnuts.", session="s2")
    await profile.memory.settle()
    assert len(await profile.texts()) == 1


async def test_forgetting_hides_at_once_and_can_be_undone(profile: Profile) -> None:
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    fact = await fact_with(profile, "walnut")
    forgetting = await profile.memory.forget([fact.id], undo_seconds=60)
    assert await profile.texts() == []
    assert (await profile.memory.recall("walnuts")).items == ()
    assert await profile.memory.search("walnuts") == []
    assert await profile.memory.undo(forgetting)
    assert await profile.texts() == [fact.text]


async def test_undo_is_over_when_the_erase_has_begun(profile: Profile) -> None:
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    forgetting = await profile.memory.forget([(await fact_with(profile, "walnut")).id], undo_seconds=0)
    await profile.memory.erase_now(forgetting)
    assert not await profile.memory.undo(forgetting)


async def test_an_erase_cut_short_is_finished_by_the_next_program(
    open_profile: Callable[[], Profile], locations: Locations
) -> None:
    first = open_profile()
    first.say("I'm allergic to walnuts.")
    await first.memory.settle()
    fact = await fact_with(first, "walnut")
    await first.memory.forget([fact.id], undo_seconds=0)
    first.memory._forgetter.erase([fact.id])
    first.store.close()
    second = open_profile()
    await second.memory.settle()
    assert second.store.outbox.pending() == {}
    assert holding(locations, "walnut") == []


async def test_forgetting_an_episode_takes_message_answer_and_facts_along(
    profile: Profile, locations: Locations
) -> None:
    said = profile.say("I broke my collarbone skiing in Zermatt.")
    profile.say("Sorry to hear about Zermatt!", role="assistant")
    profile.say("I restore clocks.")
    await profile.memory.settle()
    await profile.memory.end_session("s1")
    await profile.memory.settle()
    episode = next(e for e in profile.store.episodes.from_messages([said.id]) if e.kind == "turn")
    await forget(profile, episode.id)
    assert holding(locations, "Zermatt") == []
    assert holding(locations, "collarbone") == []
    summary = [e.text for e in await profile.memory.episodes(kind="summary")]
    assert summary
    assert "clocks" in summary[0]


async def test_forgetting_a_session_leaves_the_same_words_of_another(profile: Profile) -> None:
    profile.say("The heron nests by the mill pond.", session="a")
    profile.say("The heron nests by the mill pond.", session="b")
    await profile.memory.settle()
    report = await profile.memory.erase_now(await profile.memory.forget(["a"], undo_seconds=0))
    assert report.mentions
    assert [s.id for s in profile.store.transcripts.sessions()] == ["b"]
    assert {item.session_id for item in (await profile.memory.recall("heron nests mill pond")).items} == {"b"}


async def test_an_unknown_id_is_refused_and_nothing_is_hidden(profile: Profile) -> None:
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    fact = await fact_with(profile, "walnut")
    with pytest.raises(NotFoundError, match="f_nothing"):
        await profile.memory.forget([fact.id, "f_nothing"])
    assert await profile.texts() == [fact.text]


async def test_backups_that_still_hold_it_are_listed(profile: Profile, locations: Locations) -> None:
    locations.backups.mkdir()
    (locations.backups / "old.db").write_bytes(b"walnut")
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    fact = await fact_with(profile, "walnut")
    report = await profile.memory.erase_now(await profile.memory.forget([fact.id], undo_seconds=0))
    assert [Path(path).name for path in report.backups] == ["old.db"]
    assert report.verified
