from __future__ import annotations

import pytest

from desk_assistant.store import Message
from desk_assistant.workers import WorkerCancelled
from tests.memory.conftest import Profile


async def test_a_batch_ends_when_the_person_says_something(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(20):
        profile.say(f"The boat number {number} lies at the north pier")
    pipeline = profile.memory._pipeline
    learn = pipeline._semantic.learn

    def interrupted(message: Message, *, fresh: bool = True) -> list[str]:
        pipeline._held += 1
        return learn(message, fresh=fresh)

    monkeypatch.setattr(pipeline._semantic, "learn", interrupted)
    assert await pipeline._step(raising=True)
    assert profile.store.outbox.pending()["remember"] == 19
    monkeypatch.undo()
    pipeline._held = 0
    await profile.memory.settle()
    assert profile.store.outbox.pending() == {}


async def test_work_that_gave_way_is_taken_up_again_at_once(profile: Profile) -> None:
    profile.say("The boat lies at the north pier")
    profile.index.error = WorkerCancelled()
    while profile.store.outbox.pending().get("remember"):
        await profile.memory._pipeline._step(raising=True)
    assert await profile.memory._pipeline._step(raising=True)
    profile.index.error = None
    await profile.memory.settle()
    assert profile.store.outbox.pending() == {}
    assert len(profile.index.records) == 1
