"""A search finds what was written just before it, by whichever program, and does not wait for ever."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable

import pytest

from desk_assistant.index.records import IndexRecord
from desk_assistant.memory import service
from tests.memory.conftest import Profile


async def test_what_another_program_has_just_added_is_found(open_profile: Callable[[], Profile]) -> None:
    here, there = open_profile(), open_profile()
    here.memory.start()
    await here.memory.recall("warm up")
    await there.memory.add("I keep bees on the roof.")
    assert [item.text for item in (await here.memory.recall("What do I keep on the roof?")).items]


async def test_what_was_said_just_before_is_found_too(profile: Profile) -> None:
    profile.memory.start()
    profile.say("我在阳台上养了一盆柠檬树。")
    found = (await profile.memory.recall("阳台上的柠檬树")).items
    assert any("柠檬" in item.text for item in found)


async def test_a_long_wait_is_given_up(profile: Profile, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "CATCH_UP_SECONDS", 0.2)
    stuck = asyncio.Event()

    async def add(records: Iterable[IndexRecord], *, background: bool = False) -> None:
        await stuck.wait()

    monkeypatch.setattr(profile.index, "add", add)
    profile.memory.start()
    await profile.memory.add("I keep bees on the roof.")
    started = time.monotonic()
    await profile.memory.recall("bees")
    assert 0.1 < time.monotonic() - started < 5.0


async def test_a_turn_does_not_wait(profile: Profile) -> None:
    profile.memory.start()
    with profile.memory.held():
        await profile.memory.add("I keep bees on the roof.")
        started = time.monotonic()
        await profile.memory.recall("bees")
        assert time.monotonic() - started < service.CATCH_UP_SECONDS / 2
