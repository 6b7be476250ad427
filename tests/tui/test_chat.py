"""Sending, streaming, stopping and answering again, through keys."""

from __future__ import annotations

import asyncio

import pytest
from textual import events

from desk_assistant.errors import WorkerError
from desk_assistant.store import Message
from desk_assistant.tui.paging import PAGE, PAGE_LEAST, WINDOW_LINES, lines_of, page_end, page_start
from desk_assistant.tui.widgets.turns import AnswerTurn, UserTurn
from tests.scripted import ScriptedLlm
from tests.tui.conftest import StartDesk


async def test_enter_sends_and_the_answer_is_shown_as_markdown(desk: StartDesk) -> None:
    async with desk(llm=ScriptedLlm(["The **answer** is 42."])) as d:
        await d.pilot.press("h", "i", "enter")
        await d.until(lambda: "The answer is 42." in d.text_of("#transcript"))
        assert "hi" in d.text_of(".user-turn")
        assert d.main.composer.text == ""
        assert [m.content for m in d.app.chat.conversation.messages] == ["hi", "The **answer** is 42."]


async def test_ctrl_j_begins_a_new_line_and_the_field_grows(desk: StartDesk) -> None:
    async with desk() as d:
        before = d.main.composer.size.height
        await d.pilot.press("a", "ctrl+j", "b", "ctrl+j", "c")
        await d.pilot.pause()
        assert d.main.composer.text == "a\nb\nc"
        assert d.main.composer.size.height > before


async def test_a_paste_of_500_lines_stays_text(desk: StartDesk) -> None:
    async with desk() as d:
        text = "\n".join(f"line {number}" for number in range(500))
        d.main.composer.post_message(events.Paste(text))
        await d.until(lambda: d.main.composer.text == text)
        assert d.app.chat.live is None
        assert d.main.composer.size.height <= 10


async def test_a_very_long_paste_is_folded_and_sent_in_full(desk: StartDesk) -> None:
    text = "\n".join(f"line {number} of a long protocol" for number in range(2_000))
    async with desk() as d:
        await d.pilot.press(*"Sum up: ")
        d.main.composer.post_message(events.Paste(text))
        await d.until(lambda: d.main.composer.content == f"Sum up: {text}")
        assert d.main.composer.document.line_count == 1
        assert "2,000 lines" in d.main.composer.text
        await d.pilot.press("enter")
        await d.until(lambda: d.app.chat.live is not None and d.app.chat.running is None)
        assert d.app.chat.conversation.messages[0].content == f"Sum up: {text}"
        await d.pilot.press("up")
        assert d.main.composer.content == f"Sum up: {text}"


async def test_backspace_takes_a_folded_paste_as_a_whole(desk: StartDesk) -> None:
    async with desk() as d:
        await d.pilot.press(*"a ")
        d.main.composer.post_message(events.Paste("x" * 50_000))
        await d.until(lambda: len(d.main.composer.content) == 50_002)
        await d.pilot.press("backspace")
        assert d.main.composer.content == "a "
        await d.pilot.press("backspace")
        assert d.main.composer.content == "a"


async def test_a_changed_folded_line_is_sent_as_it_is_seen(desk: StartDesk) -> None:
    async with desk() as d:
        d.main.composer.post_message(events.Paste("x" * 50_000))
        await d.until(lambda: len(d.main.composer.content) == 50_000)
        await d.pilot.press("home", "delete")
        assert d.main.composer.content == d.main.composer.text
        assert "50,000" in d.main.composer.text


async def test_chinese_is_typed_and_drawn_in_wide_cells(desk: StartDesk) -> None:
    async with desk(size=(80, 24), llm=ScriptedLlm(["你用的是 MySQL。"])) as d:
        await d.pilot.press(*"我用", "enter")
        await d.until(lambda: "你用的是 MySQL。" in d.text_of(".answer-turn"))
        assert "我用" in d.text_of(".user-turn")


async def test_escape_stops_and_keeps_what_was_streamed(desk: StartDesk) -> None:
    llm = ScriptedLlm(["one two three four five"])
    llm.pause = asyncio.Event()
    async with desk(llm=llm) as d:
        await d.pilot.press("g", "o", "enter")
        await d.until(lambda: "one" in d.text_of(".answer-turn"))
        await d.pilot.press("escape")
        await d.until(lambda: d.app.chat.running is None)
        await d.until(lambda: "Stopped" in d.text_of(".answer-turn"))
        stored = d.assistant.store.transcripts.path(d.app.chat.conversation.session_id or "")
        assert (stored[-1].state, stored[-1].content) == ("stopped", "one")


async def test_ctrl_r_answers_again_in_place_of_the_old_answer(desk: StartDesk) -> None:
    async with desk(llm=ScriptedLlm(["first", "second"])) as d:
        await d.say("go")
        await d.pilot.press("ctrl+r")
        await d.until(lambda: "second" in d.text_of(".answer-turn") and d.app.chat.running is None)
        assert "first" not in d.text_of("#transcript")
        assert len(d.main.query(UserTurn)) == 1
        stored = d.assistant.store.transcripts.all_messages(d.app.chat.conversation.session_id or "")
        assert {m.content for m in stored} == {"go", "first", "second"}


async def test_a_message_sent_during_an_answer_is_not_lost(desk: StartDesk) -> None:
    llm = ScriptedLlm(["one two"])
    llm.pause = asyncio.Event()
    async with desk(llm=llm) as d:
        await d.pilot.press("a", "enter")
        await d.until(lambda: "one" in d.text_of(".answer-turn"))
        await d.pilot.press("b", "enter")
        await d.until(lambda: d.main.composer.text == "b")
        assert "still being written" in d.notices
        llm.pause.set()
        await d.until(lambda: d.app.chat.running is None)


async def test_one_may_leave_a_running_answer_and_find_it_on_return(desk: StartDesk) -> None:
    llm = ScriptedLlm(["one two three"])
    llm.pause = asyncio.Event()
    async with desk(llm=llm) as d:
        await d.pilot.press("a", "enter")
        await d.until(lambda: "one" in d.text_of(".answer-turn"))
        session = d.app.chat.conversation.session_id
        assert session is not None
        await d.pilot.press("ctrl+n")
        await d.until(lambda: not d.main.query(AnswerTurn))
        await d.app.chat.open(session)
        await d.until(lambda: "one" in d.text_of(".answer-turn"))
        llm.pause.set()
        await d.until(lambda: "one two three" in d.text_of(".answer-turn"))


async def test_a_dead_model_is_reported_and_the_words_stay(desk: StartDesk) -> None:
    llm = ScriptedLlm(["one two three"])
    llm.after = (2, WorkerError("workers.died_again", name="llm", log="llm.log"))
    async with desk(llm=llm) as d:
        await d.say("go")
        assert "one two" in d.text_of(".answer-turn")
        assert d.main.query_one(AnswerTurn).has_class("-failed")
        llm.after = None
        await d.say("again")
        await d.until(lambda: "one two three" in d.text_of(".answer-turn"))


async def test_arrow_up_brings_back_what_was_sent(desk: StartDesk) -> None:
    async with desk() as d:
        await d.say("first words")
        await d.pilot.press("up")
        assert d.main.composer.text == "first words"
        await d.pilot.press("down")
        assert d.main.composer.text == ""


async def test_only_the_last_messages_are_mounted_and_older_ones_come_on_demand(desk: StartDesk) -> None:
    async with desk() as d:
        store = d.assistant.store.transcripts

        store.create_session("s_long", title="long")
        parent = None
        for number in range(200):
            message = Message(
                f"m_{number:03}", "s_long", "user", f"number {number}", "2026-05-01T10:00:00+00:00", parent
            )
            parent = store.append(message).id
        await d.app.chat.open("s_long")
        await d.pilot.pause()
        assert len(d.main.query(UserTurn)) < 20
        d.main.transcript.scroll_to(y=0, animate=False)
        await d.until(lambda: "number 180" in d.text_of(".user-turn"))
        assert "number 187" in d.text_of("#transcript")
        await d.main.transcript.reveal("m_001")
        await d.until(lambda: "number 1" in d.text_of(".user-turn:focus"))
        d.main.transcript.scroll_to(y=d.main.transcript.max_scroll_y, animate=False)
        await d.until(lambda: "number 20" in d.text_of(".user-turn"))
        await d.pilot.press("end")
        await d.until(lambda: "number 199" in d.text_of(".user-turn"))
        turns = list(d.main.query(UserTurn))
        assert [turn.message.content for turn in turns if turn.message][-1] == "number 199"
        assert sum(lines_of(turn.message) for turn in turns if turn.message) <= WINDOW_LINES + 10
        await d.main.transcript.reveal("m_050")
        d.main.composer.focus()
        await d.pilot.pause()
        await d.say("and now")
        assert "number 199" in d.text_of(".user-turn")
        assert "and now" in d.text_of(".user-turn")


def test_a_page_is_full_by_number_or_by_length() -> None:
    short = [Message(f"m{n}", "s", "user", "words", "2026-05-01T10:00:00+00:00") for n in range(100)]
    long = [Message(f"m{n}", "s", "user", "line\n" * 500, "2026-05-01T10:00:00+00:00") for n in range(100)]
    assert page_start(short, 100) == 100 - 15
    assert page_end(short, 0) == 15
    assert page_start(long, 100) == 100 - PAGE_LEAST
    assert page_end(long, 98) == 100
    assert page_start(short, 10) == 0
    assert page_start(short, 100, 10_000) == 0 or PAGE < 100


async def test_a_long_talk_does_not_pile_up_on_the_screen(desk: StartDesk) -> None:
    async with desk(llm=ScriptedLlm(["line\n\n" * 12])) as d:
        for number in range(8):
            await d.say(f"number {number}")
        shown = len(d.main.query(UserTurn))
        assert shown < 8
        assert "number 7" in d.text_of(".user-turn")
        d.main.transcript.scroll_home(animate=False)
        await d.until(lambda: len(d.main.query(UserTurn)) > shown)


async def test_page_keys_scroll_the_conversation_while_one_types(desk: StartDesk) -> None:
    async with desk(llm=ScriptedLlm(["line\n\n" * 40]), size=(80, 24)) as d:
        await d.say("long please")
        d.main.composer.text = "half a thought"
        bottom = d.main.transcript.scroll_y
        await d.pilot.press("pageup")
        await d.until(lambda: d.main.transcript.scroll_y < bottom)
        assert d.main.composer.has_focus
        await d.pilot.press("pagedown", "pagedown")
        await d.until(lambda: d.main.transcript.scroll_y == bottom)


@pytest.mark.parametrize(("text", "cells"), [("abc", 3), ("你好", 4), ("e\u0301a", 2)])
async def test_the_terminal_cursor_is_at_the_caret_for_input_methods(desk: StartDesk, text: str, cells: int) -> None:
    async with desk() as d:
        start = d.app.cursor_position
        d.main.composer.insert(text)
        await d.pilot.pause()
        assert (d.app.cursor_position.x - start.x, d.app.cursor_position.y - start.y) == (cells, 0)
