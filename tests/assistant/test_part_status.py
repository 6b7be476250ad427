from __future__ import annotations

import asyncio

import pytest

from desk_assistant.errors import ModelError
from tests.assistant.conftest import Opener, say
from tests.scripted import ScriptedLlm


async def test_a_model_that_could_not_be_loaded_is_said_until_one_is(open_assistant: Opener) -> None:
    llm = ScriptedLlm()
    assistant = open_assistant(llm)
    await assistant.start(index=False)
    while assistant.status.llm.state != "ready":
        await asyncio.sleep(0)
    llm.load_error = ModelError("llm.failed")
    assistant.settings.set("model.context", 1024)
    with pytest.raises(ModelError) as caught:
        await say(assistant, assistant.conversation(), "Hello there")
    assert (assistant.status.llm.state, assistant.status.llm.detail) == ("failed", str(caught.value))
    llm.load_error = None
    await assistant.load_model(assistant.models.list("llm")[0].id)
    assert (assistant.status.llm.state, assistant.status.llm.detail) == ("ready", assistant.model_name)
