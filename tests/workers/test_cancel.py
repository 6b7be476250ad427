from __future__ import annotations

import asyncio
import time

import pytest

from desk_assistant.workers import WorkerCancelled, WorkerClient

PROMPT = 0.2
"""Seconds within which something cancelled has to be over."""


async def test_leaving_a_stream_early_frees_the_child_at_once(worker: WorkerClient) -> None:
    async with await worker.stream("until_cancelled") as stream:
        assert await anext(stream) == {"begun": True}
    began = time.monotonic()
    assert await worker.request("echo") == {}
    assert time.monotonic() - began < PROMPT


async def test_a_stream_can_be_asked_to_stop_and_still_tell_how_it_ended(worker: WorkerClient) -> None:
    async with await worker.stream("until_asked") as stream:
        await anext(stream)
        stream.cancel()
        assert [event async for event in stream] == []
        assert stream.result == {"stopped": True}


async def test_cancelling_the_waiting_task_cancels_the_operation(worker: WorkerClient) -> None:
    await worker.start()
    task = asyncio.create_task(worker.request("until_cancelled"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    began = time.monotonic()
    await worker.request("echo")
    assert time.monotonic() - began < PROMPT


async def test_the_persons_request_cancels_background_work_within_200_ms(worker: WorkerClient) -> None:
    async with await worker.stream("until_cancelled", background=True) as background:
        await anext(background)
        began = time.monotonic()
        assert await worker.request("echo", mine=True) == {"mine": True}
        assert time.monotonic() - began < PROMPT
        with pytest.raises(WorkerCancelled):
            await anext(background)


async def test_background_requests_wait_for_the_persons(worker: WorkerClient) -> None:
    order: list[str] = []

    async def ask(name: str, background: bool) -> None:
        await worker.request("echo", background=background)
        order.append(name)

    async with await worker.stream("until_cancelled") as busy:
        await anext(busy)
        tasks = [asyncio.create_task(ask(name, name.startswith("later"))) for name in ("later 1", "mine", "later 2")]
        async with asyncio.timeout(5):
            while len(worker._pending) < 4:
                await asyncio.sleep(0)
    await asyncio.gather(*tasks)
    assert order == ["mine", "later 1", "later 2"]


async def test_a_background_request_is_not_cancelled_by_another_one(worker: WorkerClient) -> None:
    async with await worker.stream("count", background=True, to=2000) as first:
        await anext(first)
        assert await worker.request("echo", background=True) == {}
        assert len([event async for event in first]) == 1999
