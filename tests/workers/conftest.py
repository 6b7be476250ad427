from __future__ import annotations

import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from desk_assistant.workers import WorkerClient

SAMPLE = [sys.executable, str(Path(__file__).parent / "sample_child.py")]


@pytest.fixture
async def worker(tmp_path: Path) -> AsyncIterator[WorkerClient]:
    client = WorkerClient("sample", SAMPLE, log=tmp_path / "logs" / "sample.log", env={"EXTRA": "yes"})
    yield client
    await client.stop()
