from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from desk_assistant.privacy import PrivacyGate
from desk_assistant.privacy.aside import LONG, Masking
from desk_assistant.workers import WorkerClient, launch

LINES = "The river runs to the sea, and 14 boats follow it on day 3.\n"
LETTER = LINES * (LONG // len(LINES) + 1) + "Write to anna.lind@example.org or call +49 30 901820.\nmy password is "


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The children that were started."""
    names: list[str] = []
    ensure = WorkerClient.ensure

    async def noted(client: WorkerClient) -> None:
        names.append(client.name)
        await ensure(client)

    monkeypatch.setattr(WorkerClient, "ensure", noted)
    return names


async def test_a_long_message_is_masked_as_it_would_be_here(tmp_path: Path, started: list[str]) -> None:
    masking, gate, here = Masking(tmp_path / "filter.log"), PrivacyGate().session(), PrivacyGate().session()
    for text in (LETTER, "hunter2x9\n" + LETTER, "zebra77up"):
        assert await masking.mask(gate, text) == here.mask(text)
        assert gate.left_open == here.left_open
    assert started == ["filter", "filter"]


async def test_what_the_person_allows_stays_in_a_long_message(tmp_path: Path) -> None:
    gate = PrivacyGate({"EMAIL"}).session()
    masked = await Masking(tmp_path / "filter.log").mask(gate, LETTER)
    assert "anna.lind@example.org" in masked.text
    assert "901820" not in masked.text


async def test_a_filter_that_dies_leaves_nothing_unmasked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "command", lambda _name: [sys.executable, "-c", "import os; os._exit(9)"])
    gate, here = PrivacyGate().session(), PrivacyGate().session()
    assert await Masking(tmp_path / "filter.log").mask(gate, LETTER) == here.mask(LETTER)


async def test_the_process_writes_nothing_of_the_text(tmp_path: Path) -> None:
    await Masking(tmp_path / "filter.log").mask(PrivacyGate().session(), LETTER)
    assert b"anna" not in (tmp_path / "filter.log").read_bytes()
    assert [path.name for path in tmp_path.iterdir()] == ["filter.log"]


async def test_the_process_ends_with_a_turn_that_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stopped: list[str] = []
    stop = WorkerClient.stop

    async def noted(client: WorkerClient) -> None:
        await stop(client)
        stopped.append(client.state)

    monkeypatch.setattr(WorkerClient, "stop", noted)
    task = asyncio.create_task(Masking(tmp_path / "filter.log").mask(PrivacyGate().session(), LETTER))
    while not (tmp_path / "filter.log").exists():
        await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert stopped == ["stopped"]
