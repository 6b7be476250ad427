from __future__ import annotations

import pytest

from tests.memory.conftest import Profile

ASKED = "2026-05-20T12:00:00"


@pytest.mark.parametrize(
    ("told", "message", "answer"),
    [
        (
            "The spare key hangs behind the fuse box.",
            "Lovely weather today, I was in the park. Where does the spare key hang?",
            "fuse box",
        ),
        ("备用钥匙挂在配电箱后面。", "今天天气真好，我去了公园。其实我想问的是，备用钥匙挂在哪里？", "配电箱"),
    ],
)
async def test_a_day_told_on_the_way_is_no_time_asked_for(
    profile: Profile, told: str, message: str, answer: str
) -> None:
    profile.say(told, session="old", at="2026-03-02T10:00:00")
    profile.say("I ate a plum in the park.", session="today", at="2026-05-20T09:00:00")
    await profile.memory.settle()

    items = (await profile.memory.recall(message, at=ASKED, limit=3)).items

    assert answer in items[0].text


async def test_how_things_were_is_asked_by_the_question_not_by_the_story(profile: Profile) -> None:
    profile.say("I live in Aldby.", session="a", at="2026-03-01T09:00:00")
    profile.say("I moved to Tarnow; I live in Tarnow now.", session="b", at="2026-05-01T09:00:00")
    await profile.memory.settle()

    message = "Before lunch I saw a heron at the river. Where do I live?"
    texts = [item.text for item in (await profile.memory.recall(message, at=ASKED)).items]

    assert any("Tarnow" in text for text in texts)
    assert not any("Aldby" in text for text in texts)
