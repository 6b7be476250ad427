from __future__ import annotations

import pytest
from textual.widgets import Input

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


async def test_the_model_in_use_has_settings_of_its_own(desk: StartDesk) -> None:
    llm = ScriptedLlm()
    async with desk(llm=llm, size=(120, 60)) as d:
        await d.until(lambda: d.assistant.status.llm.state == "ready")
        await d.pilot.press("f9")
        await d.until(lambda: d.app.screen.query("#set-models-tiny-temperature"))
        await d.pilot.pause()
        field = d.app.screen.query_one("#set-models-tiny-temperature", Input)
        assert field.value == "0.7"
        field.focus()
        field.value = "0.2"
        await d.pilot.press("enter")
        await d.until(lambda: d.assistant.settings.of_model("tiny") == {"temperature": 0.2})
        await d.pilot.press("escape")
        await d.say("Hello there")
        assert llm.samplings[-1].temperature == 0.2
