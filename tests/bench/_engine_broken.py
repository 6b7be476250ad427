"""Counts how many broken model files are refused with a sentence while the app goes on and no message is lost."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncIterator
from pathlib import Path

from desk_assistant.assistant import Assistant, Conversation
from desk_assistant.errors import ModelError
from desk_assistant.models import ModelStore, import_model
from desk_assistant.paths import Locations
from tests.assistant.test_broken_models import BROKEN
from tests.bench import Row, at_least
from tests.models.gguf_builder import Plan
from tests.scripted import WordIndex


async def measured() -> AsyncIterator[Row]:
    """Yield the figure, with the real child."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        models = ModelStore([root / "models"], root / "models")
        path = import_model(models, Plan().write(root / "tiny.gguf"), name="tiny").path
        assistant = Assistant.open(Locations.find(root), index=WordIndex())
        assistant.settings.set("model.name", "tiny")
        clear = 0
        try:
            conversation = assistant.conversation()
            for case, content in BROKEN.items():
                path.unlink() if path.is_file() else path.rmdir()
                path.mkdir() if content is None else path.write_bytes(content)
                clear += await _is_a_sentence(assistant, conversation, case)
        finally:
            await assistant.close()
        yield at_least("broken files: a clear sentence, the message kept", clear, f"of {len(BROKEN)}", len(BROKEN))


async def _is_a_sentence(assistant: Assistant, conversation: Conversation, case: str) -> bool:
    text = f"Hello, {case}"
    try:
        async for _ in assistant.send(conversation, text):
            pass
    except ModelError as error:
        sentence = str(error)
        kept = assistant.store.transcripts.path(str(conversation.session_id))
        return sentence.rstrip().endswith((".", ")")) and "Traceback" not in sentence and kept[-1].content == text
    return False
