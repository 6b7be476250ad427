from __future__ import annotations

import pytest

from tests.scripted import ScriptedLlm
from tests.tui.conftest import StartDesk


async def test_a_model_too_large_can_be_insisted_on(desk: StartDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    llm = ScriptedLlm()
    async with desk(llm=llm) as d:
        await d.until(lambda: d.assistant.status.llm.state == "ready")
        d.assistant.settings.set("models.tiny.context", 1024)
        monkeypatch.setattr("desk_assistant.assistant.engine.available_memory", lambda: 1 << 20)
        await d.pilot.press("f8")
        await d.until(lambda: "Tiny Test" in d.text_of("#model-list"))
        await d.pilot.press("down", "enter")
        await d.until(lambda: "Load tiny anyway?" in d.text_of(".dialog"))
        assert d.assistant.settings.text("model.name") == "auto"
        await d.pilot.click("#accept")
        await d.until(lambda: d.assistant.settings.text("model.name") == "tiny")
        assert llm.spec is not None
        assert llm.spec.context == 1024
