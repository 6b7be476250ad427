"""Help, palette, slash menu, models, settings, logs, copying, and the two sizes."""

from __future__ import annotations

import pytest
from textual.widgets import Input

from desk_assistant.tui import clipboard, keymap, slash
from tests.scripted import ScriptedLlm
from tests.tui.conftest import StartDesk, seed


async def test_f1_lists_every_key_and_command(desk: StartDesk) -> None:
    async with desk(size=(120, 120)) as d:
        await d.pilot.press("f1")
        await d.until(lambda: "Keys and commands" in d.text_of(".dialog-title"))
        page = d.text_of("#help-page")
        assert all(key.label in page for key in keymap.KEYS if key.place != "dialog")
        assert all(f"/{command.name}" in page for command in slash.COMMANDS)


async def test_the_palette_finds_a_command_by_name(desk: StartDesk) -> None:
    async with desk() as d:
        await d.pilot.press("ctrl+p")
        await d.until(lambda: d.app.screen.query("CommandInput"))
        await d.pilot.press(*"show the logs")
        await d.until(lambda: d.app.screen.query("#--results"))
        await d.pilot.press("enter")
        await d.until(lambda: d.app.screen.query("TextArea#text"))


async def test_typing_a_slash_offers_commands_and_tab_completes(desk: StartDesk) -> None:
    async with desk() as d:
        await d.pilot.press("slash", "r", "e", "c")
        await d.until(lambda: "/recall QUESTION" in d.text_of("#slash-menu"))
        await d.pilot.press("tab")
        assert d.main.composer.text == "/recall "
        await d.pilot.press("x")
        assert not d.main.query_one("#slash-menu").display


async def test_an_offered_command_without_argument_runs_with_enter(desk: StartDesk) -> None:
    async with desk() as d:
        await d.pilot.press("slash", "h", "e", "enter")
        await d.until(lambda: d.app.screen.has_class("help-screen"))


async def test_a_command_that_lacks_something_says_how_it_is_written(desk: StartDesk) -> None:
    async with desk() as d:
        d.main.composer.text = "/remember"
        await d.pilot.press("escape", "enter")
        await d.until(lambda: "/remember TEXT" in d.notices)


async def test_a_path_is_a_message_and_not_a_command(desk: StartDesk) -> None:
    async with desk() as d:
        await d.say("/etc/hosts is a file")
        assert d.app.chat.conversation.messages[0].content == "/etc/hosts is a file"


async def test_the_model_list_chooses_a_model(desk: StartDesk) -> None:
    async with desk() as d:
        await d.pilot.press("f8")
        await d.until(lambda: "Tiny Test" in d.text_of("#model-list"))
        await d.pilot.press("down", "enter")
        await d.until(lambda: d.assistant.settings.text("model.name") == "tiny")


async def test_settings_are_checked_and_stored(desk: StartDesk) -> None:
    async with desk(size=(120, 60)) as d:
        await d.pilot.press("f9")
        await d.until(lambda: d.app.screen.query("#set-prompt-answer_tokens"))
        await d.pilot.pause()
        field = d.app.screen.query_one("#set-prompt-answer_tokens", Input)
        field.focus()
        field.value = "2"
        await d.pilot.press("enter")
        await d.until(lambda: "prompt.answer_tokens" in d.notices)
        assert field.value == "512"
        field.value = "256"
        await d.pilot.press("enter")
        await d.until(lambda: d.assistant.settings.integer("prompt.answer_tokens") == 256)


async def test_copying_an_answer_or_its_code_says_which_way(desk: StartDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard, "find_tool", lambda environment: None)
    async with desk(llm=ScriptedLlm(["Look:\n\n```python\nprint(1)\n```\n\nDone."])) as d:
        await d.say("code please")
        await d.pilot.press("ctrl+o")
        await d.until(lambda: d.app.clipboard.startswith("Look:"))
        assert "terminal's clipboard" in d.notices
        d.main.query(".answer-turn").first().focus()
        await d.pilot.press("b")
        await d.until(lambda: d.app.clipboard == "print(1)\n")


async def test_a_system_tool_is_used_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clipboard, "find_tool", lambda environment: clipboard.Tool(("cat",)))
    sent: list[str] = []
    assert "Copied to the clipboard" in (await clipboard.copy("words", sent.append) or "")
    assert not sent


async def test_over_ssh_the_terminal_is_the_way() -> None:
    assert clipboard.find_tool({"SSH_CONNECTION": "x", "DISPLAY": ":0"}) is None


async def test_a_message_is_remembered_and_forgotten_by_key(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.app.chat.open("s_seeded0001")
        await d.pilot.pause()
        d.main.query(".user-turn").first().focus()
        await d.pilot.press("r")
        await d.until(lambda: "Java backend" in d.text_of("#text"))
        await d.pilot.press("escape", "d")
        await d.until(lambda: "Java backend" not in d.text_of("#transcript"))


@pytest.mark.parametrize(("size", "beside"), [((80, 24), False), ((120, 40), True)])
async def test_panels_stand_beside_or_over_the_chat(desk: StartDesk, size: tuple[int, int], beside: bool) -> None:
    async with desk(size=size, fill=seed) as d:
        assert d.main.memory_panel.display is beside
        await d.pilot.press("f3")
        await d.until(lambda: d.main.memory_panel.display and d.main.memory_panel.holds_focus)
        await d.pilot.press("escape")
        await d.until(lambda: d.main.composer.has_focus)
        assert d.main.memory_panel.display is beside


async def test_f3_within_the_panel_closes_it(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.pilot.press("f3")
        await d.until(lambda: d.main.memory_panel.holds_focus)
        await d.pilot.press("f3")
        await d.until(lambda: not d.main.memory_panel.display)


async def test_a_terminal_may_change_its_size_at_any_time(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.pilot.resize_terminal(80, 24)
        await d.until(lambda: not d.main.memory_panel.display)
        await d.pilot.resize_terminal(20, 8)
        await d.pilot.resize_terminal(140, 50)
        await d.until(lambda: d.main.memory_panel.display)
