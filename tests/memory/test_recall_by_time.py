"""Questions that name a time, or the time before a change."""

from __future__ import annotations

import pytest

from tests.memory.conftest import Profile

ASKED = "2026-11-30T12:00:00"


async def _diary(profile: Profile) -> None:
    for at, text in (
        ("2026-03-04T09:00:00", "I started painting the kitchen."),
        ("2026-03-20T09:00:00", "我在阳台种了薄荷。"),
        ("2026-05-02T09:00:00", "I ran along the river with Otto."),
        ("2026-11-24T09:00:00", "The piano tuner came by."),
        ("2026-11-30T09:00:00", "Yesterday I baked rye bread."),
    ):
        profile.say(text, at=at, session=at[:10])
    await profile.memory.settle()


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What did I say in March?", ("kitchen", "薄荷")),
        ("我三月份说了什么？", ("kitchen", "薄荷")),
        ("What did I tell you last week?", ("piano",)),
        ("上周我们聊了什么？", ("piano",)),
        ("What did I do yesterday?", ("rye",)),
        ("What did I say before May?", ("kitchen", "薄荷")),
        ("5月2日我说了什么？", ("river",)),
    ],
)
async def test_a_time_alone_brings_what_was_said_then_in_order(
    profile: Profile, question: str, expected: tuple[str, ...]
) -> None:
    await _diary(profile)

    found = await profile.memory.recall(question, at=ASKED)

    texts = [item.text for item in found.items if item.layer == "episodic"]
    assert len(texts) == len(expected), texts
    assert all(word in text for word, text in zip(expected, texts, strict=True)), texts


async def test_a_time_and_a_topic_leave_out_other_times(profile: Profile) -> None:
    profile.say("The tomato plants look weak.", at="2026-03-04T09:00:00", session="a")
    profile.say("The tomato plants carry fruit.", at="2026-06-04T09:00:00", session="b")
    await profile.memory.settle()

    found = await profile.memory.recall("What did I say about the tomato plants in June?", at=ASKED)
    assert [item.text for item in found.items if item.layer == "episodic"] == ["The tomato plants carry fruit."]

    found = await profile.memory.recall("What did I say about the tomato plants in April?", at=ASKED)
    assert found.items, "a time remembered wrongly must not hide the answer"


@pytest.mark.parametrize(
    ("messages", "now", "before"),
    [
        (
            ("My favourite tea is oolong.", "My favourite tea is rooibos now."),
            ("What is my favourite tea?", "rooibos"),
            ("What was my favourite tea before I switched?", "oolong"),
        ),
        (
            ("我最喜欢的茶是乌龙。", "我现在最喜欢的茶是茉莉。"),
            ("我最喜欢的茶是什么？", "茉莉"),
            ("我以前最喜欢的茶是什么？", "乌龙"),
        ),
    ],
)
async def test_what_ended_answers_only_a_question_about_the_past(
    profile: Profile, messages: tuple[str, str], now: tuple[str, str], before: tuple[str, str]
) -> None:
    profile.say(messages[0], at="2026-05-01T09:00:00", session="a")
    profile.say(messages[1], at="2026-06-01T09:00:00", session="b")
    await profile.memory.settle()

    for question, value in (now, before):
        facts = [i for i in (await profile.memory.recall(question, at=ASKED)).items if i.layer == "semantic"]
        assert value in facts[0].text, facts
    present = await profile.memory.recall(now[0], at=ASKED)
    assert not any(before[1] in item.text for item in present.items)


@pytest.mark.parametrize("question", ["What did we talk about last time?", "上次聊到哪了？"])
async def test_last_time_is_the_latest_summary_and_what_is_open(profile: Profile, question: str) -> None:
    profile.say("I am restoring a 1962 radio and need a valve.", session="old", at="2026-05-01T09:00:00")
    profile.say("I need to call the plumber.", session="old", at="2026-05-01T09:01:00")
    await profile.memory.settle()
    await profile.memory.end_session("old")
    await profile.memory.settle()

    items = (await profile.memory.recall(question, at=ASKED)).items

    assert items[0].kind == "summary"
    assert any("plumber" in item.text and item.layer == "semantic" for item in items)
