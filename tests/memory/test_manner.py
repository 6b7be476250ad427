"""Manner: read off how somebody writes over several conversations, a fact like any other in the profile."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from desk_assistant.store import Fact
from tests.memory.conftest import Profile

CASUAL = ("hey, gonna bake bread, any tips?", "lol that went wrong, what now", "omg it worked, thx. next: rye")
FORMAL = (
    "Would you kindly explain how sourdough rises?",
    "I would appreciate a word on kneading.",
    "Could you please tell me about rye? Thank you very much.",
)


async def _talk(profile: Profile, conversations: Sequence[str], first: int = 0) -> None:
    for number, text in enumerate(conversations, start=first):
        profile.say(text, session=f"talk{number}", at=f"2026-05-{11 + number}T09:00:00")
        await profile.memory.end_session(f"talk{number}")
        await profile.memory.settle()


async def _manner(profile: Profile) -> dict[str, Fact]:
    facts = await profile.memory.facts(("active",))
    return {f.predicate.partition(".")[2]: f for f in facts if f.predicate.startswith("manner.")}


@pytest.mark.parametrize(
    ("said", "trait", "text"),
    [
        (CASUAL, "register", "Prefers a casual tone"),
        (FORMAL, "register", "Prefers a formal tone"),
        (("哈哈咋整啊", "这个搞定了呗", "嘿嘿太赞了"), "register", "喜欢随意的语气"),
        (("That was too long.", "Shorter, please.", "Briefly: why?"), "length", "Prefers short answers"),
        (("说详细点。", "展开讲讲。", "再具体一些。"), "length", "喜欢详细的回答"),
        (("请问您知道潮汐吗", "那您看呢", "麻烦您再查查"), "address", "用“您”称呼对方"),
    ],
)
async def test_three_conversations_show_a_manner(profile: Profile, said: Sequence[str], trait: str, text: str) -> None:
    await _talk(profile, said[:2])
    assert trait not in await _manner(profile)

    await _talk(profile, said)

    fact = (await _manner(profile))[trait]
    assert fact.text == text
    assert fact in await profile.memory.profile()
    assert {m.session_id for m, _ in await profile.memory.sources(fact.id)} == {"talk0", "talk1", "talk2"}


async def test_conversations_that_disagree_show_nothing(profile: Profile) -> None:
    await _talk(profile, (*CASUAL, *FORMAL))
    assert "register" not in await _manner(profile)


async def test_the_language_somebody_writes_in_is_told(profile: Profile) -> None:
    await _talk(profile, [f"Question {number} about dough and ovens" for number in range(8)])
    assert "language" not in await _manner(profile)
    await _talk(profile, ["怎么揉面团才好呢", "烤箱要预热多久", "酵母放多少合适", "面粉怎么挑选"], first=8)
    assert (await _manner(profile))["language"].text == "Writes in English and Chinese"


async def test_what_comes_up_in_five_conversations_is_a_topic_until_it_is_forgotten(profile: Profile) -> None:
    talk = ["My aunt Odile paints.", *[f"Odile rang again, number {n}" for n in range(4)]]
    await _talk(profile, talk)
    assert "Odile" in (await _manner(profile))["topics"].text

    forgetting = await profile.memory.forget([f"talk{number}" for number in range(5)], undo_seconds=0)
    assert (await profile.memory.erase_now(forgetting)).verified

    assert "topics" not in await _manner(profile)
    assert not profile.memory.files_with("Odile")


async def test_an_edited_manner_stays_and_a_forgotten_one_does_not_come_back(profile: Profile) -> None:
    await _talk(profile, CASUAL)
    fact = (await _manner(profile))["register"]
    await profile.memory.edit(fact.id, "Prefers a dry tone")
    await _talk(profile, FORMAL * 3, first=3)
    assert (await _manner(profile))["register"].text == "Prefers a dry tone"


async def test_a_forgotten_manner_is_not_learnt_again_and_leaves_the_messages_alone(profile: Profile) -> None:
    await _talk(profile, CASUAL)
    fact = (await _manner(profile))["register"]

    forgetting = await profile.memory.forget([fact.id], undo_seconds=0)
    await profile.memory.erase_now(forgetting)
    await _talk(profile, ["lol hey again"], first=3)

    assert "register" not in await _manner(profile)
    assert [m.content for m in profile.store.transcripts.all_messages("talk0")] == [CASUAL[0]]


async def test_manner_is_for_the_prompt_and_not_an_answer_to_a_question(profile: Profile) -> None:
    await _talk(profile, CASUAL)
    fact = (await _manner(profile))["register"]

    assert fact.id not in profile.index.records
    await profile.memory.reconcile()
    await profile.memory.settle()
    assert fact.id not in profile.index.records
