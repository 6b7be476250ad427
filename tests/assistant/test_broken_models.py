"""Whatever is wrong with a model file: one clear sentence, the message kept, the app alive."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from desk_assistant.assistant import Assistant
from desk_assistant.errors import DeskError, ModelError
from desk_assistant.paths import Locations
from desk_assistant.store import Store
from tests.assistant.conftest import say
from tests.models.gguf_builder import TINY, Plan, TensorPlan
from tests.scripted import WordIndex

GOOD = Plan().bytes()


def without(*keys: str) -> dict[str, object]:
    return {key: value for key, value in TINY.items() if key not in keys}


BROKEN: dict[str, bytes | None] = {
    "empty": b"",
    "a text file": b"These are no weights.\n" * 50,
    "wrong magic": b"GGML" + GOOD[4:],
    "unknown version": GOOD[:4] + b"\x63\x00\x00\x00" + GOOD[8:],
    "cut in the header": GOOD[:20],
    "cut in the metadata": GOOD[:200],
    "cut in the tensors": GOOD[:-200],
    "absurd counts": Plan(tensor_count=2**62, key_count=2**62).bytes(),
    "a tensor past the end": Plan(tensors=(TensorPlan(offset=1 << 40),)).bytes(),
    "no chat template": Plan(metadata=without("tokenizer.chat_template")).bytes(),  # type: ignore[arg-type]
    "unknown architecture": Plan(metadata={**TINY, "general.architecture": "lxxma"}).bytes(),
    "weights missing": GOOD,
    "a folder": None,
}


@pytest.fixture
async def assistant(locations: Locations, models: Path) -> AsyncIterator[Assistant]:
    """With the real child, and one installed model that the tests damage."""
    opened = Assistant.open(locations, index=WordIndex())
    opened.settings.set("model.name", opened.models.list("llm")[0].id)
    yield opened
    await opened.close()


async def refused(work: Callable[[], object]) -> DeskError:
    with pytest.raises(DeskError) as caught:
        await work()  # type: ignore[misc]
    return caught.value


async def test_every_broken_file_is_a_sentence_and_no_message_is_lost(
    assistant: Assistant, locations: Locations
) -> None:
    path = assistant.models.list("llm")[0].path
    conversation = assistant.conversation()
    sentences: dict[str, str] = {}
    for place, (case, content) in enumerate(BROKEN.items()):
        path.unlink()
        if content is None:
            path.mkdir()
        else:
            path.write_bytes(content)
        error = await refused(lambda case=case: say(assistant, conversation, f"Hello, {case}"))  # type: ignore[misc]
        assert isinstance(error, ModelError), case
        sentences[case] = str(error)
        assert "Traceback" not in str(error)
        stored = Store(locations.database, locations.backups).transcripts.path(str(conversation.session_id))
        assert [m.role for m in stored] == ["user"] * (place + 1), case
        assert not conversation.busy
    for case, sentence in sentences.items():
        assert sentence[0] != "{"
        assert sentence.rstrip().endswith((".", ")")), case
        assert str(path) in sentence or "Tiny" in sentence, case


async def test_a_file_that_is_gone_is_a_sentence(assistant: Assistant) -> None:
    assistant.models.list("llm")[0].path.unlink()
    error = await refused(lambda: say(assistant, assistant.conversation(), "Hello"))
    assert error.key == "models.file_missing"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="this user may read everything")
async def test_a_file_that_may_not_be_read_is_a_sentence(assistant: Assistant) -> None:
    assistant.models.list("llm")[0].path.chmod(0)
    error = await refused(lambda: say(assistant, assistant.conversation(), "Hello"))
    assert error.key == "models.file_unreadable"
