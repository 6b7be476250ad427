from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path

import pytest

from desk_assistant.assistant import Answered, Assistant, Conversation, TurnEvent
from desk_assistant.models import ModelStore, import_model
from desk_assistant.paths import Locations
from tests.models.gguf_builder import Plan
from tests.scripted import ScriptedLlm, WordIndex

Opener = Callable[..., Assistant]


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A models folder with one tiny, well-formed GGUF file, for tests in which the model's words do not matter."""
    folder = tmp_path / "models"
    monkeypatch.setenv("DESK_ASSISTANT_MODELS", str(folder))
    source = tmp_path / "tiny.gguf"
    source.write_bytes(Plan().bytes())
    import_model(ModelStore([folder], folder), source, name="Tiny")
    return folder


@pytest.fixture
async def open_assistant(locations: Locations, models: Path) -> AsyncIterator[Opener]:
    """Returns a function that opens the profile (again), with a scripted model and index; all are closed at the end."""
    opened: list[Assistant] = []
    index = WordIndex()

    def open_one(llm: ScriptedLlm | None = None) -> Assistant:
        assistant = Assistant.open(locations, llm=llm or ScriptedLlm(), index=index)
        opened.append(assistant)
        return assistant

    yield open_one
    for assistant in opened:
        await assistant.close()


async def say(assistant: Assistant, conversation: Conversation, text: str) -> list[TurnEvent]:
    """Send a message and return all that happened."""
    return [event async for event in assistant.send(conversation, text)]


def answer_of(events: list[TurnEvent]) -> Answered:
    """Return the end of a turn."""
    last = events[-1]
    assert isinstance(last, Answered)
    return last


Say = Callable[[Assistant, Conversation, str], Awaitable[list[TurnEvent]]]
