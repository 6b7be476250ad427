"""Forgetting from the screen: hidden at once, undone with F6 or a click, then erased and reported."""

from __future__ import annotations

from desk_assistant.assistant import Assistant
from tests.scripted import ScriptedLlm
from tests.tui.conftest import Desk, StartDesk, seed

STORY = "I am a Java backend developer; my projects use Spring Boot 3 and MySQL 8.0."


def _quick(assistant: Assistant) -> None:
    seed(assistant)
    assistant.settings.set("forget.undo_seconds", 0)


def _profile(d: Desk) -> str:
    return "\n".join(row.text for row in d.main.memory_panel.list_of("profile").rows)


async def test_d_hides_a_fact_at_once_and_offers_undo(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.pilot.press("f3", "end", "d")
        await d.until(lambda: "MySQL" not in _profile(d))
        assert "Uses MySQL" in " ".join(d.text_of("#undo-bar").split())
        await d.pilot.press("f6")
        await d.until(lambda: "Uses MySQL 8.0" in _profile(d))
        assert not d.main.undo_bar.display


async def test_undo_by_click(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.pilot.press("f3", "end", "d")
        await d.until(lambda: d.main.undo_bar.display)
        await d.pilot.click("#undo-button")
        await d.until(lambda: "Uses MySQL 8.0" in _profile(d))


async def test_after_the_time_for_undo_it_is_erased_and_reported(desk: StartDesk) -> None:
    async with desk(fill=_quick) as d:
        await d.pilot.press("f3", "end", "d")
        await d.until(lambda: "Erased. Facts: 1" in d.notices)
        assert not d.assistant.store.facts.by_id(["f_seeded0001"])


async def test_several_are_marked_and_forgotten_together(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.pilot.press("f3", "home", "space", "space", "d")
        await d.until(lambda: "2 records" in d.text_of("#undo-bar"))
        assert "Java developer" not in _profile(d)
        assert "Uses MySQL 8.0" in _profile(d)


async def test_what_was_forgotten_is_gone_from_cards_and_recall(desk: StartDesk) -> None:
    async with desk(llm=ScriptedLlm(["Noted.", "MySQL 8.0."])) as d:
        await d.say(STORY)
        await d.settled()
        await d.app.chat.new()
        await d.say("which database do I use?")
        await d.until(lambda: "MySQL 8.0" in d.text_of(".recall-cards"))
        fact = next(fact for fact in await d.assistant.memory.facts() if "MySQL" in fact.text)
        report = d.app.chat.conversation.last_report
        assert report is not None
        d.app.attempt(d.app.forgetting.forget((fact.id,)))
        await d.until(lambda: fact.text not in d.text_of(".recall-cards"))
        assert d.app.chat.conversation.last_report is None
        await d.pilot.press("f6")
        await d.until(lambda: fact.text in d.text_of(".recall-cards"))


async def test_slash_forget_finds_and_forgets(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        d.main.composer.text = "/forget Uses MySQL"
        await d.pilot.press("enter")
        await d.until(lambda: "Uses MySQL 8.0" in d.text_of("#search-list"))
        await d.pilot.press("enter", "d")
        await d.until(lambda: "MySQL" not in _profile(d))
        await d.pilot.press("escape")
        d.main.composer.text = "/undo"
        await d.pilot.press("enter")
        await d.until(lambda: "Uses MySQL 8.0" in _profile(d))
