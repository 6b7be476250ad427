"""Private conversations, paused memory, and the masking of private parts before and after sending."""

from __future__ import annotations

from tests.tui.conftest import StartDesk, seed


async def test_f4_begins_a_private_conversation_of_which_nothing_is_written(desk: StartDesk) -> None:
    async with desk() as d:
        await d.pilot.press("f4")
        await d.until(lambda: "PRIVATE" in d.text_of("#title-bar"))
        await d.say("a secret plan for the zeppelin")
        await d.until(lambda: "zeppelin" in d.text_of(".user-turn"))
        assert d.assistant.store.transcripts.count() == (0, 0)
        assert not d.assistant.memory.files_with("zeppelin")
        await d.pilot.press("f4")
        await d.until(lambda: "PRIVATE" not in d.text_of("#title-bar"))
        assert "zeppelin" not in d.text_of("#transcript")


async def test_ctrl_shift_p_and_the_badge_toggle_it_too(desk: StartDesk) -> None:
    async with desk() as d:
        await d.pilot.press("ctrl+shift+p")
        await d.until(lambda: d.app.chat.conversation.private)
        await d.pilot.click("#badge-private")
        await d.until(lambda: not d.app.chat.conversation.private)


async def test_a_private_conversation_is_not_exported(desk: StartDesk) -> None:
    async with desk() as d:
        await d.pilot.press("f4")
        await d.until(lambda: d.app.chat.conversation.private)
        d.main.composer.text = "/export"
        await d.pilot.press("enter")
        await d.until(lambda: "not exported" in d.notices)


async def test_f5_pauses_memory_and_says_so(desk: StartDesk) -> None:
    async with desk() as d:
        await d.pilot.press("f5")
        await d.until(lambda: "PAUSED" in d.text_of("#title-bar"))
        await d.say("My projects use MySQL 8.0.")
        await d.settled()
        assert not await d.assistant.memory.facts()
        assert d.assistant.store.transcripts.count() == (1, 2)
        await d.pilot.click("#badge-memory")
        await d.until(lambda: d.assistant.memory_mode == "on")


async def test_memory_off_makes_a_new_conversation_that_is_not_written(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.app.chat.open("s_seeded0001")
        d.main.composer.text = "/memory off"
        await d.pilot.press("enter")
        await d.until(lambda: d.app.chat.conversation.private)
        assert d.assistant.memory_mode == "off"


async def test_private_parts_are_named_while_typing_and_marked_after_sending(desk: StartDesk) -> None:
    async with desk() as d:
        d.main.composer.text = "write to jo@example.org"
        await d.until(lambda: "Will be masked" in d.text_of("#mask-hint"))
        assert "jo@example.org" in d.text_of("#mask-hint")
        await d.pilot.press("enter")
        await d.until(lambda: "Masked before it was kept: e-mail" in d.text_of(".user-turn"))
        assert "jo@example.org" not in d.text_of("#transcript")
        assert not d.main.query_one("#mask-hint").display


async def test_a_long_draft_is_looked_through_without_blocking(desk: StartDesk) -> None:
    async with desk() as d:
        d.main.composer.text = "word " * 4_000 + "jo@example.org"
        await d.until(lambda: "jo@example.org" in d.text_of("#mask-hint"))


async def test_a_kind_that_is_allowed_meanwhile_is_kept_in_the_same_conversation(desk: StartDesk) -> None:
    async with desk() as d:
        await d.say("Write to jo@example.org please.")
        await d.until(
            lambda: "The settings (F9) say which kinds may be kept" in " ".join(d.text_of(".user-turn").split())
        )
        d.assistant.settings.set("privacy.allow", ["EMAIL"])
        assert not d.assistant.masked_preview("Write to jo@example.org please.")
        await d.say("Or to mo@example.org.")
        await d.until(lambda: "mo@example.org" in d.text_of(".user-turn"))
        assert "jo@example.org" not in d.text_of(".user-turn")
