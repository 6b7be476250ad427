from __future__ import annotations

import asyncio
import os

import pytest

from desk_assistant.errors import ModelError, WorkerError
from desk_assistant.workers import WorkerClient
from desk_assistant.workers.protocol import ProtocolError


async def test_a_request_starts_the_child_and_returns_its_answer(worker: WorkerClient) -> None:
    states: list[str] = []
    notices: list[object] = []
    worker.on_state(states.append)
    worker.subscribe(notices.append)
    assert await worker.request("echo", text="甲\ud800\x00") == {"text": "甲\ud800\x00"}
    assert states == ["starting", "ready"]
    assert notices == [{"loading": 0.5}, {"state": "ready"}]


async def test_events_come_in_order_and_the_result_after_them(worker: WorkerClient) -> None:
    async with await worker.stream("count", to=50) as stream:
        numbers = [event["number"] async for event in stream]
    assert numbers == list(range(50))
    assert stream.result == {"total": 50}


async def test_many_requests_at_once_get_their_own_answers(worker: WorkerClient) -> None:
    answers = await asyncio.gather(*(worker.request("echo", n=n) for n in range(40)))
    assert [answer["n"] for answer in answers] == list(range(40))


async def test_an_answer_larger_than_any_buffer_arrives_whole(worker: WorkerClient) -> None:
    text = "长" * 400_000
    assert (await worker.request("echo", text=text))["text"] == text


async def test_what_a_library_prints_goes_to_the_log_and_hurts_nothing(worker: WorkerClient) -> None:
    assert await worker.request("shout") == {"stdin": ""}
    assert await worker.request("echo", still="here") == {"still": "here"}
    text = worker.log.read_text()
    assert "a library prints on stdout" in text
    assert "and another writes to descriptor 1" in text


async def test_an_expected_error_arrives_as_it_was_raised(worker: WorkerClient) -> None:
    with pytest.raises(ModelError) as caught:
        await worker.request("refuse")
    assert caught.value.key == "workers.failed"
    assert caught.value.cause == "on purpose"


async def test_an_unexpected_error_is_a_sentence_and_the_log_never_quotes_the_person(worker: WorkerClient) -> None:
    with pytest.raises(WorkerError) as caught:
        await worker.request("stumble", secret="my private words")
    assert "stumble" in str(caught.value)
    log = worker.log.read_text()
    assert "ValueError" in log
    assert "sample_child.py" in log
    assert "private" not in log + str(caught.value) + str(caught.value.cause)
    assert await worker.request("echo") == {}


@pytest.mark.parametrize("op", ["unsendable", "no_such_operation"])
async def test_a_mistake_in_one_operation_leaves_the_child_alive(worker: WorkerClient, op: str) -> None:
    with pytest.raises(WorkerError):
        await worker.request(op)
    assert await worker.request("echo") == {}
    assert worker.generation == 1


async def test_parameters_that_cannot_be_sent_are_refused_here(worker: WorkerClient) -> None:
    with pytest.raises(ProtocolError):
        await worker.request("echo", value=object())
    assert await worker.request("echo") == {}


async def test_the_child_is_kept_offline_and_out_of_the_terminal(worker: WorkerClient) -> None:
    found = await worker.request("surroundings")
    assert found["pid"] == worker.pid
    assert {found[name] for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "DO_NOT_TRACK")} == {"1"}
    assert found["EXTRA"] == "yes"
    if hasattr(os, "getsid"):
        assert os.getsid(found["pid"]) != os.getsid(0)
