"""Kinds of fault that no table of talks can tell: what is forgotten, derived, injected, pinned or very long."""

from __future__ import annotations

import time

import pytest

from desk_assistant.memory.upkeep import DAY, Upkeep
from tests.memory.conftest import Profile


@pytest.mark.parametrize(
    ("gone", "kept", "word", "left"),
    [
        ("I broke my wrist on the ice.", "I repair pocket watches.", "wrist", "watches"),
        ("我滑冰的时候摔断了手腕。", "我修老怀表。", "手腕", "怀表"),
    ],
)
async def test_a_summary_is_made_anew_without_what_was_forgotten(
    profile: Profile, gone: str, kept: str, word: str, left: str
) -> None:
    message = profile.say(gone)
    profile.say(kept)
    await profile.memory.settle()
    await profile.memory.end_session("s1")
    await profile.memory.settle()
    assert any(word in e.text for e in await profile.memory.episodes(kind="summary"))

    report = await profile.memory.erase_now(await profile.memory.forget([message.id]))

    assert report.verified
    summaries = [e.text for e in await profile.memory.episodes(kind="summary")]
    assert summaries
    assert all(word not in text and left in text for text in summaries)
    assert any(left in fact for fact in await profile.texts())


@pytest.mark.parametrize(
    ("said", "echo"),
    [("I play the bassoon.", "As I remember, you play the bassoon."), ("我会吹巴松管。", "我记得你会吹巴松管。")],
)
async def test_what_was_recalled_and_repeated_does_not_grow(profile: Profile, said: str, echo: str) -> None:
    profile.say(said)
    await profile.memory.settle()
    before = await profile.memory.facts(None)

    for number in range(50):
        profile.say(f"ok {number}")
        profile.say(echo, role="assistant")
    await profile.memory.settle()

    after = await profile.memory.facts(None)
    assert [(f.id, f.support, f.confidence) for f in after] == [(f.id, f.support, f.confidence) for f in before]


@pytest.mark.parametrize(
    ("filler", "aside", "question", "word"),
    [
        ("The quick survey of the harbour went on. ", "By the way, I was born in Tromsø. ", "born", "Tromsø"),
        ("港口的勘测工作还在继续进行着。", "顺便说一下，我出生在漠河。", "出生", "漠河"),
    ],
)
async def test_a_very_long_message_is_found_at_its_start_middle_and_end(
    profile: Profile, filler: str, aside: str, question: str, word: str
) -> None:
    half = 60_000 // len(filler)
    started = time.perf_counter()
    profile.say(f"STARTMARK {filler * half}{aside}{filler * half} ENDMARK")
    await profile.memory.settle()
    assert time.perf_counter() - started < 30

    for mark in ("STARTMARK", word, "ENDMARK"):
        assert any(mark in e.text for e in await profile.memory.episodes(mark))
    found = await profile.memory.recall(f"{question} {word}")
    assert any(word in item.text for item in found.items)


@pytest.mark.parametrize(
    ("said", "edited", "against"),
    [
        ("I live in Utrecht.", "Lives in Utrecht, by the canal", "I live in Rome."),
        ("我住在扬州。", "住在扬州瘦西湖边", "我住在罗马。"),
    ],
)
async def test_what_the_person_pinned_and_edited_survives_thirty_rounds(
    profile: Profile, said: str, edited: str, against: str
) -> None:
    profile.say(said)
    await profile.memory.settle()
    (fact,) = await profile.memory.facts()
    await profile.memory.pin(fact.id, True)
    fact = await profile.memory.edit(fact.id, edited)

    profile.say(against)
    await profile.memory.settle()
    upkeep = Upkeep(profile.store, profile.settings)
    for day in range(30):
        upkeep.run(time.time() + day * 30 * DAY)
        await profile.memory.end_session("s1")
        await profile.memory.settle()

    kept = profile.store.facts.get(fact.id)
    assert (kept.text, kept.pinned, kept.created_at, kept.sources) == (edited, True, fact.created_at, fact.sources)
    assert kept.status == "active"
    # What speaks against it is shown, not applied.
    others = [f for f in await profile.memory.facts(None) if f.id != fact.id]
    assert [f.status for f in others] == ["archived"] or [f.status for f in others] == ["pending"]


@pytest.mark.parametrize(
    ("texts", "question"),
    [
        (("I grow figs.", "I planted leeks.", "My compost is warm."), "What is my blood type?"),
        (("我种了无花果。", "我种了韭葱。", "我的堆肥很暖和。"), "我的血型是什么？"),
    ],
)
async def test_a_question_without_an_answer_gets_none_and_one_with_several_gets_them(
    profile: Profile, texts: tuple[str, ...], question: str
) -> None:
    for text in texts:
        profile.say(text)
    await profile.memory.settle()

    assert (await profile.memory.recall(question)).items == ()


async def test_several_that_fit_all_come(profile: Profile) -> None:
    for thing in ("figs", "leeks", "beans"):
        profile.say(f"I grow {thing} in the greenhouse.", session=thing)
    await profile.memory.settle()

    found = await profile.memory.recall("What do I grow in the greenhouse?")
    assert len(found.items) >= 3
