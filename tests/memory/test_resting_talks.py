"""A conversation that rests is summed up though it is still open."""

from __future__ import annotations

from desk_assistant.memory.service import REST_SECONDS, REST_SPAN
from desk_assistant.store import epoch_of
from tests.memory.conftest import Profile

SAID = "2026-05-11T09:00:00"


async def _summaries(profile: Profile) -> list[str]:
    return [episode.session_id for episode in await profile.memory.episodes(kind="summary")]


async def test_a_rest_of_ten_minutes_brings_a_summary_once(profile: Profile) -> None:
    profile.say("The van to Lyon costs 349 euros.", at=SAID)
    await profile.memory.settle()
    last = epoch_of(SAID)

    await profile.memory.sum_up_resting(last + REST_SECONDS - 1)
    await profile.memory.settle()
    assert await _summaries(profile) == []

    await profile.memory.sum_up_resting(last + REST_SECONDS + 1)
    await profile.memory.settle()
    assert await _summaries(profile) == ["s1"]

    await profile.memory.sum_up_resting(last + REST_SECONDS + 60)
    assert profile.store.outbox.pending().get("summarise") is None


async def test_what_is_not_remembered_or_rested_long_ago_is_left_alone(profile: Profile) -> None:
    message = profile.say("The van to Lyon costs 349 euros.", at=SAID)
    profile.store.outbox.drop("remember", [message.id])  # as with memory paused
    await profile.memory.sum_up_resting(epoch_of(SAID) + REST_SECONDS + 1)
    assert profile.store.outbox.pending() == {}

    profile.store.outbox.put("remember", [message.id])
    await profile.memory.settle()
    await profile.memory.sum_up_resting(epoch_of(SAID) + REST_SPAN + 1)
    assert profile.store.outbox.pending() == {}
