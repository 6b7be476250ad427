"""Insights: what three conversations support, with sources; made anew when one of them is forgotten."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from desk_assistant.errors import NotFoundError
from tests.memory.conftest import Profile


async def _tell(profile: Profile, *conversations: str) -> None:
    for number, text in enumerate(conversations):
        profile.say(text, session=f"talk{number}", at=f"2026-05-{11 + number}T09:00:00")
        await profile.memory.settle()


async def _texts(profile: Profile, kind: str) -> list[str]:
    return [insight.text for insight in await profile.memory.insights() if insight.kind == kind]


@pytest.mark.parametrize(
    ("kind", "conversations", "words"),
    [
        ("repeated", ("I'm allergic to kiwis.", "I am allergic to kiwis!", "i'm allergic to kiwis"), "kiwis"),
        ("repeated", ("我对芒果过敏。", "我对芒果过敏！", "我对芒果过敏，记一下"), "芒果"),
        ("theme", ("I like rowing.", "I like fencing.", "I like archery."), "rowing, fencing, archery"),
        ("theme", ("我喜欢划船。", "我喜欢射箭。", "我喜欢击剑。"), "划船、射箭、击剑"),
        ("change", ("I live in Ghent.", "I moved to Bruges.", "I live in Liège now."), "Ghent → Bruges → Liège"),
        ("change", ("我住在泉州。", "我搬到莆田了。", "我现在住在龙岩。"), "泉州 → 莆田 → 龙岩"),
        ("topic", ("My aunt Odile paints.", "Odile came by today.", "Dinner with Odile again."), "Odile"),
    ],
)
async def test_three_conversations_make_an_insight(
    profile: Profile, kind: str, conversations: Sequence[str], words: str
) -> None:
    await _tell(profile, *conversations[:2])
    assert await _texts(profile, kind) == []

    await _tell(profile, *conversations)

    [text] = await _texts(profile, kind)
    assert words in text


async def test_an_insight_shows_the_words_it_rests_on(profile: Profile) -> None:
    await _tell(profile, "I like rowing.", "I like fencing.", "I like archery.")
    [insight] = [i for i in await profile.memory.insights() if i.kind == "theme"]

    sources = await profile.memory.sources(insight.id)

    assert [message.content[span[0] : span[1]] for message, span in sources if span] == ["rowing", "fencing", "archery"]
    assert insight.sessions == 3


async def test_a_forgotten_source_takes_the_insight_along(profile: Profile) -> None:
    await _tell(profile, "I like rowing.", "I like fencing.", "I like archery.")
    assert await _texts(profile, "theme")
    [fencing] = [f for f in await profile.memory.facts() if "fencing" in f.text]

    forgetting = await profile.memory.forget([fencing.id], undo_seconds=0)
    report = await profile.memory.erase_now(forgetting)

    assert report.verified
    assert await _texts(profile, "theme") == []


async def test_an_edited_source_changes_the_insight(profile: Profile) -> None:
    await _tell(profile, "I like rowing.", "I like fencing.", "I like archery.")
    [fencing] = [f for f in await profile.memory.facts() if "fencing" in f.text]
    assert await _texts(profile, "theme")

    await profile.memory.edit(fencing.id, "Likes badminton")

    [text] = await _texts(profile, "theme")
    assert "badminton" in text
    assert "fencing" not in text


async def test_what_is_dismissed_is_not_concluded_again(profile: Profile) -> None:
    await _tell(profile, "I like rowing.", "I like fencing.", "I like archery.")
    [insight] = [i for i in await profile.memory.insights() if i.kind == "theme"]

    await profile.memory.dismiss(insight.id)
    await _tell(profile, *["I like rowing."] * 3, "I like curling.")

    assert await _texts(profile, "theme") == []
    with pytest.raises(NotFoundError):
        await profile.memory.dismiss(insight.id)
