from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from desk_assistant.errors import WorkerError
from desk_assistant.i18n import set_language
from desk_assistant.workers import WorkerClient
from desk_assistant.workers.client import RESTART_WINDOW
from desk_assistant.workers.death import death

SAMPLE = [sys.executable, str(Path(__file__).parent / "sample_child.py")]
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals end processes on POSIX only")


@posix
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("SIGKILL", "memory ran out"),
        ("SIGILL", "processor lacks"),
        ("SIGSEGV", "crashed (SIGSEGV)"),
        ("SIGABRT", "damaged file"),
        ("SIGTERM", "from outside (SIGTERM)"),
    ],
)
async def test_a_death_fails_what_was_pending_with_its_cause_in_words(
    worker: WorkerClient, name: str, words: str
) -> None:
    async with await worker.stream("hang") as busy:
        await anext(busy)
        waiting = asyncio.create_task(worker.request("echo"))
        await asyncio.sleep(0)
        assert worker.pid is not None
        os.kill(worker.pid, getattr(signal, name))
        with pytest.raises(WorkerError) as caught:
            await anext(busy)
        with pytest.raises(WorkerError):
            await waiting
    assert words in str(caught.value)
    assert str(worker.log) in str(caught.value)
    assert worker.state == "dead"
    assert worker.pid is None


async def test_an_exit_code_is_told(worker: WorkerClient) -> None:
    with pytest.raises(WorkerError, match="exit code 3"):
        await worker.request("die")


async def test_the_next_request_starts_a_new_child(worker: WorkerClient) -> None:
    states: list[str] = []
    worker.on_state(states.append)
    with pytest.raises(WorkerError):
        await worker.request("die")
    assert await worker.request("echo", back=1) == {"back": 1}
    assert worker.generation == 2
    assert states == ["starting", "ready", "dead", "starting", "ready"]


async def test_a_second_death_within_a_minute_is_not_retried_until_asked(worker: WorkerClient) -> None:
    for _ in range(2):
        with pytest.raises(WorkerError):
            await worker.request("die")
    with pytest.raises(WorkerError) as caught:
        await worker.request("echo")
    assert caught.value.key == "workers.died_again"
    assert worker.generation == 2
    await worker.start()
    assert await worker.request("echo") == {}


async def test_deaths_far_apart_are_each_recovered(worker: WorkerClient, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("desk_assistant.workers.client.time.monotonic", lambda: now)
    for _ in range(3):
        with pytest.raises(WorkerError, match="exit code"):
            await worker.request("die")
        now += RESTART_WINDOW + 1
    assert await worker.request("echo") == {}


async def test_a_child_that_dies_before_it_is_ready_is_reported(tmp_path: Path) -> None:
    worker = WorkerClient("sample", [*SAMPLE, "--fail-to-build"], log=tmp_path / "sample.log")
    with pytest.raises(WorkerError, match="exit code 9"):
        await worker.start()
    assert worker.state == "dead"


async def test_a_program_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    worker = WorkerClient("sample", [str(tmp_path / "missing")], log=tmp_path / "sample.log")
    with pytest.raises(WorkerError, match="could not be started"):
        await worker.start()


@posix
async def test_a_damaged_stream_ends_the_child_and_is_told(worker: WorkerClient) -> None:
    with pytest.raises(WorkerError) as caught:
        await worker.request("garble")
    assert caught.value.key == "workers.garbled"
    assert await worker.request("echo") == {}


async def test_stopping_fails_what_waits_and_a_later_request_starts_anew(worker: WorkerClient) -> None:
    async with await worker.stream("hang") as busy:
        await anext(busy)
        await worker.stop()
        with pytest.raises(WorkerError) as caught:
            await anext(busy)
    assert caught.value.key == "workers.stopped"
    assert worker.state == "stopped"
    assert await worker.request("echo") == {}


async def test_stopping_while_it_starts_leaves_no_child(worker: WorkerClient) -> None:
    starting = asyncio.create_task(worker.start())
    await asyncio.sleep(0)
    await worker.stop()
    with pytest.raises(WorkerError):
        await starting
    assert worker.pid is None


@posix
def test_the_child_ends_when_the_app_is_killed(tmp_path: Path) -> None:
    script = (
        "import asyncio, pathlib, sys, os, signal\n"
        "from desk_assistant.workers import WorkerClient\n"
        "async def main():\n"
        f"    worker = WorkerClient('sample', {SAMPLE!r}, log=pathlib.Path({str(tmp_path / 'x.log')!r}))\n"
        "    stream = await worker.stream('hang')\n"
        "    await anext(stream)\n"
        "    print(worker.pid, flush=True)\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "asyncio.run(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, timeout=60)
    assert done.returncode == -signal.SIGKILL
    child = int(done.stdout)
    with pytest.raises(ProcessLookupError):
        for _ in range(1000):
            os.kill(child, 0)
            if sys.platform == "linux" and Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                raise ProcessLookupError
            # Nobody's child any more, so there is no event to wait on: look again in a moment.
            subprocess.run(["true"], check=True)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("status", [0, 1, 137, -9, -4, -11, -6, -7, -8, -15, -64, -200, None])
def test_every_way_to_end_has_a_sentence(language: str, status: int | None) -> None:
    set_language(language)
    try:
        assert "llm" in str(death("llm", status, "/logs/llm.log"))
    finally:
        set_language("en")
