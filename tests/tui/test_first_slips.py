"""What a newcomer stumbles on: a mistyped command, where the focus goes, and Chinese beside a panel."""

from __future__ import annotations

from desk_assistant.tui.widgets.recall_cards import RecallCard
from tests.scripted import ScriptedLlm
from tests.tui.conftest import StartDesk, seed

STORY = "I am a Java backend developer; my projects use Spring Boot 3 and MySQL 8.0."


async def test_a_mistyped_command_is_named_and_stays_in_the_composer(desk: StartDesk) -> None:
    async with desk() as d:
        d.main.composer.text = "/forgett Anna"
        await d.pilot.press("enter")
        await d.until(lambda: "/forgett" in d.notices)
        assert d.main.composer.text == "/forgett Anna"
        assert d.assistant.sessions() == []


async def test_a_path_is_a_message_and_no_command(desk: StartDesk) -> None:
    async with desk() as d:
        await d.say("/etc/hosts is what I edit")
        assert [session.title for session in d.assistant.sessions()] == ["/etc/hosts is what I edit"]


async def test_recall_beside_the_chat_leaves_the_focus_where_one_writes(desk: StartDesk) -> None:
    async with desk(fill=seed, size=(120, 40)) as d:
        d.main.composer.text = "/recall MySQL"
        await d.pilot.press("enter")
        await d.until(lambda: "MySQL" in d.text_of("#recall-view"))
        await d.pilot.press("o", "k")
        assert d.main.composer.text == "ok"


async def test_the_memory_takes_the_place_of_the_chat_on_a_narrow_screen(desk: StartDesk) -> None:
    async with desk(fill=seed, size=(80, 24)) as d:
        chat = d.main.query_one("#chat")
        await d.pilot.press("f3")
        await d.until(lambda: d.main.memory_panel.is_open and not chat.display)
        await d.pilot.press("f3")
        await d.until(lambda: chat.display and not d.main.memory_panel.is_open)
        await d.pilot.press("o", "k")
        assert d.main.composer.text == "ok"


async def test_undo_puts_the_highlight_back_on_what_was_restored(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        rows = d.main.memory_panel.list_of("profile")
        await d.pilot.press("f3", "end")
        gone = rows.current
        assert gone is not None
        await d.pilot.press("d")
        await d.until(lambda: rows.current is not None and rows.current.id != gone.id)
        await d.pilot.press("f6")
        await d.until(lambda: rows.current is not None and rows.current.id == gone.id)


async def test_a_reopened_chat_shows_the_cards_it_showed_before(desk: StartDesk) -> None:
    async with desk(llm=ScriptedLlm(["Noted.", "MySQL 8.0."])) as d:
        await d.say(STORY)
        await d.settled()
        await d.app.chat.new()
        await d.say("which database do I use?")
        shown = len(d.main.query(RecallCard))
        session = str(d.app.chat.conversation.session_id)
        await d.app.chat.new()
        await d.app.chat.open(session)
        await d.until(lambda: len(d.main.query(RecallCard)) > 0)
        assert len(d.main.query(RecallCard)) == shown
