"""Copies of forgotten words that an erase must find by itself."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from desk_assistant.assistant.importer import Importer
from desk_assistant.memory.forget import JOB
from desk_assistant.paths import Locations
from desk_assistant.privacy import PrivacyGate
from desk_assistant.store import Fact, new_id
from tests.memory.conftest import Profile
from tests.memory.test_forget import fact_with, forget, holding


def answered(profile: Profile, text: str, *, used: str, session: str) -> str:
    """An answer that had a record before it."""
    message = profile.say(text, role="assistant", session=session)
    recalled = json.dumps({"items": [{"id": used}], "profile": []})
    profile.store._database.execute("UPDATE messages SET recalled = ? WHERE id = ?", (recalled, message.id))
    return message.id


async def test_an_older_version_with_the_same_words_goes_too(profile: Profile, locations: Locations) -> None:
    said = profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    fact = await fact_with(profile, "walnut")
    older = replace(fact, id=new_id("fact"), text="Allergic to walnuts, maybe", status="superseded")
    profile.store.facts.add(replace(older, superseded_by=fact.id, sources=()), actor="extraction")
    await forget(profile, fact.id)
    assert holding(locations, "walnut") == []
    assert "walnut" not in profile.store.transcripts.message(said.id).content


async def test_the_history_of_another_fact_does_not_keep_it(profile: Profile, locations: Locations) -> None:
    profile.say("I'm allergic to walnuts.")
    profile.say("I restore clocks.")
    await profile.memory.settle()
    other = next(f for f in await profile.memory.facts() if "clock" in f.text)
    await profile.memory.edit(other.id, "Restores clocks and eats no walnuts")
    await profile.memory.edit(other.id, "Restores clocks")
    await profile.memory.settle()
    await forget(profile, (await fact_with(profile, "walnut")).id)
    assert holding(locations, "walnut") == []


async def test_a_hand_edited_wording_leaves_neither_old_nor_new(profile: Profile, locations: Locations) -> None:
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    fact = await fact_with(profile, "walnut")
    await profile.memory.edit(fact.id, "Must never eat hazelnuts")
    await profile.memory.settle()
    await forget(profile, fact.id)
    assert holding(locations, "walnut") == []
    assert holding(locations, "hazelnut") == []


async def test_later_answers_of_the_same_talk_lose_the_words(profile: Profile, locations: Locations) -> None:
    profile.say("I'm allergic to walnuts.")
    profile.say("Noted.", role="assistant")
    profile.say("What should I not put into the cake?")
    later = profile.say("Leave out the walnuts. Sugar is fine.", role="assistant")
    await profile.memory.settle()
    await forget(profile, (await fact_with(profile, "walnut")).id)
    assert holding(locations, "walnut") == []
    assert "Sugar is fine." in profile.store.transcripts.message(later.id).content


async def test_an_answer_elsewhere_that_recalled_the_turn_loses_the_words(
    profile: Profile, locations: Locations
) -> None:
    said = profile.say("We scattered the ashes near Pendragon lighthouse.", session="a")
    await profile.memory.settle()
    episode = next(e for e in profile.store.episodes.from_messages([said.id]) if e.kind == "turn")
    profile.say("Where did we go that day?", session="b")
    answered(profile, "You went to Pendragon. Anything else?", used=episode.id, session="b")
    await profile.memory.settle()
    await forget(profile, said.id)
    assert holding(locations, "Pendragon") == []
    assert "Anything else?" in profile.store.transcripts.path("b")[-1].content


async def test_a_title_made_of_the_words_goes(profile: Profile) -> None:
    profile.say("I'm allergic to walnuts.")
    profile.say("I'm allergic to pollen.", session="s2")
    await profile.memory.settle()
    await forget(profile, (await fact_with(profile, "walnut")).id)
    titles = {s.id: s.title for s in profile.store.transcripts.sessions()}
    assert titles == {"s1": "", "s2": "I'm allergic to pollen."}


async def test_the_id_of_an_imported_session_is_not_kept_in_the_trail(profile: Profile, locations: Locations) -> None:
    profile.say("The heron nests by the mill pond.", session="walnut-clinic")
    await profile.memory.settle()
    await profile.memory.end_session("walnut-clinic")
    await profile.memory.settle()
    await forget(profile, "walnut-clinic")
    assert holding(locations, "walnut-clinic") == []


async def test_a_session_that_loses_its_last_message_goes(profile: Profile) -> None:
    said = profile.say("The heron nests by the mill pond.")
    await profile.memory.settle()
    await forget(profile, said.id)
    assert profile.store.transcripts.sessions() == []


async def test_a_message_that_was_never_remembered_is_not_remembered_by_an_erase(profile: Profile) -> None:
    said = profile.say("I'm allergic to walnuts.")
    paused = profile.say("The tide was very low.")
    profile.store.outbox.drop("remember", [paused.id])
    await profile.memory.settle()
    await forget(profile, said.id)
    assert profile.store.episodes.from_messages([paused.id]) == []


async def test_a_damaged_table_that_was_set_aside_goes(profile: Profile, locations: Locations) -> None:
    aside = locations.home / "episodes.damaged-20260101-000000"
    aside.mkdir()
    (aside / "data").write_bytes(b"allergic to walnuts")
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    await forget(profile, (await fact_with(profile, "walnut")).id)
    assert not aside.exists()


async def test_a_log_that_holds_the_words_is_emptied(profile: Profile, locations: Locations) -> None:
    (locations.logs / "index.log").write_bytes(b"panic: I'm allergic to walnuts")
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    await forget(profile, (await fact_with(profile, "walnut")).id)
    assert (locations.logs / "index.log").read_bytes() == b""


async def test_a_file_that_cannot_be_cleaned_is_named(profile: Profile, locations: Locations) -> None:
    (locations.home / "notes.txt").write_bytes("I'm allergic to walnuts".encode("utf-16-le"))
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    fact = await fact_with(profile, "walnut")
    report = await profile.memory.erase_now(await profile.memory.forget([fact.id], undo_seconds=0))
    assert not report.verified
    assert [Path(path).name for path in report.leftovers] == ["notes.txt"]


async def test_another_live_fact_with_the_words_is_mentioned_and_stays(profile: Profile) -> None:
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    fact = await fact_with(profile, "walnut")
    theirs = Fact(
        new_id("fact"), "Lexi", "allergy", "walnuts", "Allergic to walnuts", "fact", "k", created_at=fact.created_at,
        last_seen=fact.created_at,
    )  # fmt: skip
    profile.store.facts.add(theirs, actor="person")
    report = await profile.memory.erase_now(await profile.memory.forget([fact.id], undo_seconds=0))
    assert theirs.id in report.mentions
    assert [f.id for f in await profile.memory.facts()] == [theirs.id]


async def test_undo_is_refused_while_the_erase_is_at_work(profile: Profile) -> None:
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    forgetting = await profile.memory.forget([(await fact_with(profile, "walnut")).id], undo_seconds=0)
    assert profile.store.outbox.claim([JOB], 10)
    assert not await profile.memory.undo(forgetting)


async def test_what_a_dead_program_was_at_is_taken_up_at_once(
    open_profile: Callable[[], Profile], locations: Locations
) -> None:
    first = open_profile()
    first.say("I'm allergic to walnuts.")
    await first.memory.settle()
    fact = await fact_with(first, "walnut")
    await first.memory.forget([fact.id], undo_seconds=0)
    assert first.store.outbox.claim([JOB], 10)  # under a lease that nobody ends
    first.store.close()
    second = open_profile()
    await second.memory.settle()
    assert holding(locations, "walnut") == []


@pytest.mark.parametrize(
    ("again", "kept"),
    [
        ("I'm allergic to walnuts.", ""),
        ("Hello there! I am allergic to WALNUTS. The tide was low.", "The tide was low."),
        ("By the way, I'm allergic to walnuts, so no cake. The tide was low.", "The tide was low."),
    ],
)
async def test_an_import_cannot_bring_it_back(
    profile: Profile, locations: Locations, tmp_path: Path, again: str, kept: str
) -> None:
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    await forget(profile, (await fact_with(profile, "walnut")).id)
    source = tmp_path / "old.jsonl"
    source.write_text(json.dumps({"session": "old", "id": "1", "role": "user", "content": again}), encoding="utf-8")
    Importer(profile.store, PrivacyGate()).run(source)
    await profile.memory.settle()
    assert holding(locations, "walnut") == []
    assert await profile.texts() == []
    texts = [m.content for s in profile.store.transcripts.sessions() for m in profile.store.transcripts.path(s.id)]
    assert any(kept in text for text in texts)


async def test_an_imported_message_that_was_forgotten_is_not_imported_again(
    profile: Profile, locations: Locations, tmp_path: Path
) -> None:
    lines = [("1", "The heron nests by the mill pond."), ("2", "Thanks!"), ("3", "The kiln is hot.")]
    source = tmp_path / "talk.jsonl"
    rows = [{"session": "talk", "id": ref, "role": "user", "content": text} for ref, text in lines]
    source.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    importer = Importer(profile.store, PrivacyGate())
    importer.run(source)
    await profile.memory.settle()
    stored = {m.ref: m.id for m in profile.store.transcripts.path("talk")}
    await forget(profile, stored["1"], stored["2"])
    report = Importer(profile.store, PrivacyGate()).run(source)
    assert (report.messages, report.skipped) == (0, 3)
    elsewhere = [{**rows[0], "session": "copy"}, {**rows[1], "session": "copy"}]
    source.write_text("\n".join(map(json.dumps, elsewhere)), encoding="utf-8")
    assert Importer(profile.store, PrivacyGate()).run(source).messages == 1  # anybody may say thanks
    assert holding(locations, "heron") == []


async def test_an_exported_file_that_holds_it_is_named(profile: Profile, locations: Locations, tmp_path: Path) -> None:
    profile.say("I'm allergic to walnuts.")
    await profile.memory.settle()
    fact = await fact_with(profile, "walnut")
    for name, text in (("walnuts", "- I'm allergic to walnuts."), ("clocks", "- I restore clocks.")):
        (tmp_path / f"{name}.md").write_text(text, encoding="utf-8")
        await profile.memory.note_export(tmp_path / f"{name}.md")
    report = await profile.memory.erase_now(await profile.memory.forget([fact.id], undo_seconds=0))
    assert report.exports == (str(tmp_path / "walnuts.md"),)
    assert report.verified
    assert [path.name for path in profile.memory.exports()] == ["clocks.md"]  # the other's very name would tell
    assert holding(locations, "walnut") == []
    await profile.memory.delete_exports([tmp_path / "clocks.md"])
    assert profile.memory.exports() == []


async def test_another_wording_of_the_same_message_goes_too(profile: Profile, locations: Locations) -> None:
    said = profile.say("We scattered the ashes near Pendragon lighthouse.")
    profile.say("I see.", role="assistant")
    profile.store.transcripts.set_head("s1", None)
    other = profile.say("We scattered my ashes close to Pendragon.")
    assert other.parent_id is None
    await profile.memory.settle()
    await forget(profile, said.id)
    assert holding(locations, "Pendragon") == []


async def test_a_title_given_by_hand_goes_when_its_words_do(profile: Profile) -> None:
    said = profile.say("I broke my collarbone skiing in Zermatt.")
    profile.say("The tide was low.")
    await profile.memory.settle()
    profile.store.transcripts.rename_session("s1", "Zermatt and the tide")
    await forget(profile, said.id)
    assert profile.store.transcripts.session("s1").title == ""
