from __future__ import annotations

import re

from textual.widgets import TextArea

from tests.tui.conftest import StartDesk, seed


async def test_the_trail_can_be_read_and_holds_no_content(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.say("I'm allergic to walnuts.")
        await d.assistant.memory.settle()
        d.main.composer.text = "/audit"
        await d.pilot.press("escape", "enter")
        await d.until(lambda: d.app.screen.query("TextArea#text"))
        text = d.app.screen.query_one("#text", TextArea).text
        assert re.search(r"you +written +message +m_", text)
        assert "walnut" not in text
