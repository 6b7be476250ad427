from __future__ import annotations

import asyncio

from tests.scripted import ScriptedLlm
from tests.tui.conftest import StartDesk


async def test_a_message_is_said_in_other_words_and_both_versions_can_be_seen(desk: StartDesk) -> None:
    async with desk(llm=ScriptedLlm(["The first answer.", "The second answer."])) as d:
        await d.say("Where is the harbour?")
        d.main.query(".user-turn").first().focus()
        await d.pilot.press("e")
        await d.until(lambda: "harbour" in d.text_of("#text"))
        await d.pilot.press("backspace", *"s today?", "enter")
        await d.until(lambda: "The second answer." in d.text_of("#transcript"))
        assert "harbours today?" in d.text_of("#transcript")
        assert "The first answer." not in d.text_of("#transcript")
        await d.until(lambda: d.app.chat.running is None)
        d.main.query(".user-turn").first().focus()
        await d.pilot.press("left")
        await d.until(lambda: "The first answer." in d.text_of("#transcript"))
        assert "Version 1 of 2" in d.notices


async def test_a_stopped_answer_goes_on_where_it_was(desk: StartDesk) -> None:
    llm = ScriptedLlm(["Swans and geese", " and ducks"])
    llm.pause = asyncio.Event()
    async with desk(llm=llm) as d:
        d.main.composer.text = "Which birds?"
        await d.pilot.press("enter")
        await d.until(lambda: "Swans" in d.text_of("#transcript"))
        await d.pilot.press("escape")
        await d.until(lambda: d.app.chat.running is None)
        llm.pause = None
        d.main.composer.text = "/continue"
        await d.pilot.press("enter")
        await d.until(lambda: "Swans and ducks" in d.text_of("#transcript"))
        assert [m.content for m in d.app.chat.conversation.messages] == ["Which birds?", "Swans and ducks"]
