from __future__ import annotations

import threading

import pytest

from desk_assistant.privacy import SessionGate
from tests.assistant.conftest import Opener, say


async def test_private_values_are_looked_for_beside_the_event_loop(
    open_assistant: Opener, monkeypatch: pytest.MonkeyPatch
) -> None:
    loop, mask, mask_reply = threading.get_ident(), SessionGate.mask, SessionGate.mask_reply
    seen: set[str] = set()

    def watched(self: SessionGate, text: str, name: str = "mask") -> object:
        assert threading.get_ident() != loop, "a long message would make the screen stand still"
        seen.add(name)
        return (mask if name == "mask" else mask_reply)(self, text)

    monkeypatch.setattr(SessionGate, "mask", lambda self, text: watched(self, text))
    monkeypatch.setattr(SessionGate, "mask_reply", lambda self, text: watched(self, text, "mask_reply"))
    assistant = open_assistant()
    await say(assistant, assistant.conversation(), "Hello there")
    assert seen == {"mask", "mask_reply"}
