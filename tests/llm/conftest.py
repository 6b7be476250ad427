from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from desk_assistant.llm import LlmClient, LoadSpec
from desk_assistant.paths import Locations
from tests.llm.talking import Talk


def weights(name: str) -> Path:
    path = Locations.find().models / name / "model.gguf"
    if not path.is_file():
        pytest.fail(f"the starter model {name} is not installed; looked for {path}")
    return path


@pytest.fixture
def starter_path() -> Path:
    return weights("smollm2-135m-instruct")


@pytest.fixture
def base_path() -> Path:
    return weights("gemma3-270m-base")


@pytest.fixture
async def llm(tmp_path: Path) -> AsyncIterator[LlmClient]:
    client = LlmClient(tmp_path / "logs" / "llm.log")
    yield client
    await client.stop()


@pytest.fixture
async def starter_llm(llm: LlmClient, starter_path: Path) -> LlmClient:
    await llm.load(LoadSpec(starter_path, "starter", context=4096))
    return llm


@pytest.fixture
def talk() -> Talk:
    return Talk()
