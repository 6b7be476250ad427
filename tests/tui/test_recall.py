"""What was recalled: cards before the answer, citations after it, the Recall tab with scores and the prompt."""

from __future__ import annotations

import asyncio

from desk_assistant.tui.widgets.recall_cards import RecallCard
from desk_assistant.tui.widgets.status_line import meter
from tests.scripted import ScriptedLlm
from tests.tui.conftest import Desk, StartDesk

STORY = "I am a Java backend developer; my projects use Spring Boot 3 and MySQL 8.0."
QUESTION = "which database do I use?"


async def _told(d: Desk) -> None:
    await d.say(STORY)
    await d.settled()
    await d.app.chat.new()


async def test_cards_stand_there_before_the_model_answers(desk: StartDesk) -> None:
    llm = ScriptedLlm(["Noted.", "MySQL 8.0."])
    async with desk(llm=llm) as d:
        await _told(d)
        llm.gate = asyncio.Event()
        d.main.composer.text = QUESTION
        await d.pilot.press("enter")
        await d.until(lambda: "MySQL 8.0" in d.text_of(".recall-cards"))
        assert "MySQL 8.0." not in d.text_of(".answer-turn")
        llm.gate.set()
        await d.until(lambda: "MySQL 8.0." in d.text_of(".answer-turn"))


async def test_a_card_opens_its_memory_with_enter_and_with_a_click(desk: StartDesk) -> None:
    async with desk(llm=ScriptedLlm(["Noted.", "MySQL 8.0."])) as d:
        await _told(d)
        await d.say(QUESTION)
        d.main.query(RecallCard).first().focus()
        await d.pilot.press("enter")
        await d.until(lambda: "MySQL" in d.text_of("#detail-text"))
        await d.pilot.press("escape")
        await d.pilot.click(RecallCard)
        await d.until(lambda: "MySQL" in d.text_of("#detail-text"))


async def test_citations_are_there_again_after_reopening(desk: StartDesk) -> None:
    async with desk(llm=ScriptedLlm(["Noted.", "MySQL 8.0."])) as d:
        await _told(d)
        await d.say(QUESTION)
        session = d.app.chat.conversation.session_id
        assert session is not None
        await d.app.chat.new()
        await d.app.chat.open(session)
        await d.until(lambda: "MySQL 8.0" in d.text_of(".recall-cards"))


async def test_the_recall_tab_explains_scores_profile_and_budget(desk: StartDesk) -> None:
    async with desk(llm=ScriptedLlm(["Noted.", "MySQL 8.0."])) as d:
        await _told(d)
        await d.say(QUESTION)
        await d.pilot.press("f3", "left")
        await d.until(lambda: "Recalled:" in d.text_of("#recall-head"))
        await d.until(lambda: "MySQL 8.0" in d.text_of("#recall-list"))
        assert "words" in d.text_of("#recall-list")
        assert "MySQL 8.0" in d.text_of("#recall-profile")
        assert "your message" in d.text_of("#recall-parts")


async def test_the_exact_prompt_on_request(desk: StartDesk) -> None:
    async with desk(llm=ScriptedLlm(["Noted.", "MySQL 8.0."])) as d:
        await _told(d)
        await d.say(QUESTION)
        await d.pilot.press("f3", "left")
        await d.until(lambda: d.main.query_one("#show-prompt").display)
        await d.pilot.click("#show-prompt")
        await d.until(lambda: QUESTION in d.text_of("#text"))
        assert "<system>" in d.text_of("#text")


async def test_slash_recall_shows_what_memory_holds(desk: StartDesk) -> None:
    async with desk() as d:
        await _told(d)
        d.main.composer.text = "/recall database MySQL"
        await d.pilot.press("enter")
        await d.until(lambda: "Asked of memory: database MySQL" in d.text_of("#recall-head"))
        assert "MySQL 8.0" in d.text_of("#recall-list")


async def test_the_meter_and_the_speed_are_shown_after_an_answer(desk: StartDesk) -> None:
    async with desk() as d:
        await d.say("hello")
        parts = d.app.chat.conversation.parts
        assert parts is not None
        assert meter(parts) in d.text_of("#context-meter")
        assert "tok/s" in d.text_of("#speed")
