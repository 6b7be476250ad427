"""What can be done with a message, by keys and by clicks on the words below it."""

from __future__ import annotations

from pathlib import Path

import pytest

from desk_assistant.tui import clipboard
from desk_assistant.tui.widgets.turn_actions import TurnActions
from desk_assistant.tui.widgets.turns import AnswerTurn
from tests.scripted import ScriptedLlm
from tests.tui.conftest import Desk, StartDesk


async def click_word(d: Desk, word: str) -> None:
    """Click a word below the message that has the focus."""
    await d.until(lambda: word in d.text_of("TurnActions"))
    bar = d.main.query_one(TurnActions)
    lines = [bar.render_line(y).text for y in range(bar.size.height)]
    y = next(n for n, line in enumerate(lines) if word in line)
    await d.pilot.click(TurnActions, offset=(lines[y].index(word) + 1, y))


async def test_an_answer_offers_what_can_be_done_with_it(desk: StartDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard, "find_tool", lambda environment: None)
    llm = ScriptedLlm(["Look:\n\n```python\nprint(1)\n```\n\nDone.", "Second.", "Third."])
    async with desk(llm=llm, size=(100, 40)) as d:
        await d.say("code please")
        assert not d.main.query(TurnActions)
        await d.pilot.click(".answer-turn .turn-name")
        await click_word(d, "copy its code")
        await d.until(lambda: d.app.clipboard == "print(1)\n")
        await click_word(d, "copy (c)")
        await d.until(lambda: d.app.clipboard.startswith("Look:"))
        await click_word(d, "remember")
        await d.until(lambda: "Look:" in d.text_of("#text"))
        await d.pilot.press("escape")
        await click_word(d, "answer again")
        await d.until(lambda: "Second." in d.text_of(".answer-turn"))
        await d.until(lambda: d.app.chat.running is None)
        await d.pilot.pause()
        d.main.query_one(AnswerTurn).focus()
        await click_word(d, "other version")
        await d.until(lambda: "print(1)" in d.text_of(".answer-turn"))


async def test_a_stopped_answer_goes_on_by_key(desk: StartDesk) -> None:
    async with desk(llm=ScriptedLlm(["one two", " three four"])) as d:
        await d.say("count")
        d.main.query_one(AnswerTurn).focus()
        await d.pilot.press("g")
        await d.until(lambda: "three four" in d.text_of(".answer-turn") and d.app.chat.running is None)
        assert "one two" in d.text_of(".answer-turn")


async def test_the_words_name_the_keys_that_work(desk: StartDesk) -> None:
    async with desk() as d:
        d.app.custom_keys = {"turn_copy": "y"}
        await d.say("hello")
        d.main.query_one(AnswerTurn).focus()
        await d.until(lambda: "copy (y)" in d.text_of("TurnActions"))


async def test_what_no_clipboard_takes_goes_to_a_file(
    desk: StartDesk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(clipboard, "find_tool", lambda environment: None)
    monkeypatch.setattr(clipboard, "TERMINAL_LIMIT", 10)
    monkeypatch.setenv("HOME", str(tmp_path))
    async with desk(llm=ScriptedLlm(["A rather long answer."])) as d:
        await d.say("tell")
        await d.pilot.press("ctrl+o")
        await d.until(lambda: "It was written to" in d.notices)
        file = tmp_path / "desk-assistant-2026-05-20.md"
        assert file.read_text(encoding="utf-8") == "A rather long answer."
        assert file in d.assistant.memory.exports()
        await d.pilot.press("f4")
        await d.until(lambda: d.app.chat.conversation.private)
        await d.say("tell")
        await d.pilot.press("ctrl+o")
        await d.until(lambda: "too long" in d.notices)
        assert len(list(tmp_path.glob("desk-assistant*.md"))) == 1


async def test_the_meter_opens_the_parts_of_the_context(desk: StartDesk) -> None:
    async with desk() as d:
        await d.say("hello there")
        await d.pilot.click("#context-meter")
        await d.until(lambda: "persona" in d.text_of("#context-parts"))
        assert "free" in d.text_of("#context-parts")
        await d.pilot.press("escape")
        await d.pilot.press(*"/context", "enter")
        await d.until(lambda: "history" in d.text_of("#context-parts"))
