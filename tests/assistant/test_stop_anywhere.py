from __future__ import annotations

import asyncio
import time

import pytest

from desk_assistant.assistant import Answered, Recalled, Saved, Waiting
from desk_assistant.index.evidence import Evidence
from desk_assistant.paths import Locations
from desk_assistant.store import Store
from tests.assistant.conftest import Opener, answer_of, say
from tests.scripted import ScriptedLlm

PATIENCE = 0.2


@pytest.mark.parametrize(("stuck", "sign"), [("loading", Waiting), ("counting", Waiting), ("recall", Saved)])
async def test_stop_ends_the_wait_at_once(
    open_assistant: Opener, locations: Locations, monkeypatch: pytest.MonkeyPatch, stuck: str, sign: type
) -> None:
    llm, never = ScriptedLlm(), asyncio.Event()
    assistant = open_assistant(llm)
    if stuck == "recall":

        async def explore(*_args: object, **_options: object) -> Evidence:
            await never.wait()
            raise AssertionError("it was not meant to go on")

        monkeypatch.setattr(assistant._index, "explore", explore)
    else:
        setattr(llm, stuck, never)
    conversation = assistant.conversation()
    asked = 0.0
    events = []
    async for event in assistant.send(conversation, "Where is the harbour?"):
        events.append(event)
        if isinstance(event, sign):

            def stop() -> None:
                nonlocal asked
                asked = time.monotonic()
                assistant.stop(conversation)

            asyncio.get_running_loop().call_later(0.02, stop)
    ended = answer_of(events)
    assert time.monotonic() - asked < PATIENCE
    assert (ended.reason, ended.message.state, ended.message.content) == ("stopped", "stopped", "")
    stored = Store(locations.database, locations.backups).transcripts.path(str(conversation.session_id))
    assert [m.content for m in stored] == ["Where is the harbour?", ""]
    assert not conversation.busy


async def test_a_model_that_was_loading_when_the_person_stopped_is_ready_for_the_next_message(
    open_assistant: Opener,
) -> None:
    llm = ScriptedLlm(["Here I am."])
    llm.loading = asyncio.Event()
    assistant = open_assistant(llm)
    conversation = assistant.conversation()
    async for event in assistant.send(conversation, "Are you there?"):
        if isinstance(event, Waiting):
            asyncio.get_running_loop().call_soon(assistant.stop, conversation)
    llm.loading.set()
    events = [event async for event in assistant.regenerate(conversation)]
    assert any(isinstance(event, Recalled) for event in events)
    assert answer_of(events).message.content == "Here I am."


async def test_a_stop_belongs_to_its_turn_alone(open_assistant: Opener) -> None:
    assistant = open_assistant()
    conversation = assistant.conversation()
    await say(assistant, conversation, "one")
    assistant.stop(conversation)
    assert isinstance(answer_of(await say(assistant, conversation, "two")), Answered)
    assert conversation.messages[-1].state == "complete"
