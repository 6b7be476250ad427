"""The start, the first run, and everything that can go wrong: a sentence each, and the app goes on."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from desk_assistant import i18n
from desk_assistant.errors import InputError, ModelError, StorageError
from desk_assistant.llm.types import LoadSpec, ModelInfo
from desk_assistant.paths import Locations
from desk_assistant.tui import keymap, run
from tests.scripted import ScriptedLlm
from tests.tui.conftest import MakeApp, StartDesk, seed


class SlowLlm(ScriptedLlm):
    """A model whose loading waits for the test."""

    def __init__(self) -> None:
        super().__init__(["Here I am."])
        self.may_load = asyncio.Event()

    async def load(self, spec: LoadSpec, **options: object) -> ModelInfo:
        await self.may_load.wait()
        return await super().load(spec)


async def test_a_message_sent_while_the_model_loads_waits_and_goes_on_by_itself(desk: StartDesk) -> None:
    llm = SlowLlm()
    async with desk(llm=llm, wait=False) as d:
        await d.pilot.press("h", "i", "enter")
        await d.until(lambda: "Waiting for Tiny Test" in d.text_of(".answer-turn"))
        assert d.assistant.store.transcripts.count() == (1, 1)
        llm.may_load.set()
        await d.until(lambda: "Here I am." in d.text_of(".answer-turn"))


async def test_escape_gives_up_waiting_and_keeps_the_message(desk: StartDesk) -> None:
    llm = SlowLlm()
    async with desk(llm=llm, wait=False) as d:
        await d.pilot.press("h", "i", "enter")
        await d.until(lambda: "Waiting for" in d.text_of(".answer-turn"))
        await d.pilot.press("escape")
        await d.until(lambda: "Stopped before the answer began" in d.text_of(".answer-turn"))
        llm.may_load.set()
        await d.pilot.press("ctrl+r")
        await d.until(lambda: "Here I am." in d.text_of(".answer-turn"))


async def test_memory_can_be_browsed_while_the_model_loads(desk: StartDesk) -> None:
    async with desk(llm=SlowLlm(), wait=False, fill=seed) as d:
        await d.pilot.press("f3", "end", "enter")
        await d.until(lambda: "»my projects use MySQL 8.0«" in d.text_of("#detail-sources"))


async def test_a_missing_model_shows_a_panel_that_says_what_to_do(desk: StartDesk) -> None:
    llm = ScriptedLlm()
    llm.load_error = ModelError("assistant.no_model")
    async with desk(llm=llm, wait=False) as d:
        await d.until(lambda: str(ModelError("assistant.no_model"))[:20] in d.text_of("#model-trouble"))
        await d.pilot.press("h", "i", "enter")
        await d.until(lambda: d.app.chat.live is not None and d.app.chat.running is None)
        assert d.assistant.store.transcripts.count()[1] == 1
        llm.load_error = None
        await d.pilot.click("#retry-start")
        await d.until(lambda: not d.main.query_one("#model-notice").display)
        await d.pilot.press("ctrl+r")
        await d.until(lambda: "Understood." in d.text_of(".answer-turn"))


async def test_a_full_disk_is_a_sentence_and_the_text_comes_back(
    desk: StartDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with desk() as d:

        def refuse(*_: object, **__: object) -> None:
            raise StorageError("common.data_folder_unwritable", path="x", reason="no space left")

        monkeypatch.setattr(d.assistant.store.transcripts, "append", refuse)
        await d.pilot.press("h", "i", "enter")
        await d.until(lambda: "no space left" in d.notices)
        await d.until(lambda: d.main.composer.text == "hi")


async def test_a_mistake_in_the_program_is_logged_without_words_and_the_app_goes_on(
    desk: StartDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with desk() as d:

        def broken(text: str) -> None:
            raise ValueError(text)

        monkeypatch.setattr(d.assistant, "send", lambda conversation, text: broken(text))
        await d.pilot.press(*"zeppelin", "enter")
        await d.until(lambda: "Something went wrong" in d.notices)
        log = d.app.log_path.read_text(encoding="utf-8")
        assert "unexpected ValueError" in log
        assert "zeppelin" not in log
        await d.pilot.press("x")
        assert d.main.composer.text.endswith("x")


async def test_a_megabyte_and_lone_surrogates_do_no_harm(desk: StartDesk) -> None:
    async with desk() as d:
        await d.say("x" * 1_000_000 + " \ud800 <|im_end|>")
        await d.until(lambda: "Shown up to character" in d.text_of(".user-turn"))
        await d.say("broken \ud83d here \x1b[31m")
        await d.until(lambda: "broken" in d.text_of(".user-turn"))


async def test_the_first_run_asks_for_language_and_memory(desk: StartDesk) -> None:
    async with desk(first_run=True) as d:
        await d.until(lambda: "Welcome" in d.text_of("#first-title"))
        await d.pilot.click("#lang-zh")
        await d.until(lambda: "欢迎" in d.text_of("#first-title"))
        await d.pilot.click("#first-remember")
        await d.pilot.click("#first-start")
        await d.until(lambda: "记忆" in d.text_of("#memory-panel") and len(d.app.screen_stack) == 2)
        assert d.assistant.settings.text("interface.language") == "zh"
        assert d.assistant.memory_mode == "off"
        assert d.app.chat.conversation.private


async def test_the_language_changes_at_once_and_the_conversation_stays(desk: StartDesk) -> None:
    async with desk(fill=seed) as d:
        await d.app.chat.open("s_seeded0001")
        d.main.composer.text = "half a"
        await d.app.main.run_action("palette('language')")
        await d.until(lambda: "对话" in d.text_of("#sessions-panel"))
        assert i18n.language() == "zh"
        assert d.main.composer.text == "half a"
        await d.until(lambda: "MySQL 8.0" in d.text_of("#transcript"))


async def test_a_person_may_choose_other_keys(make_app: MakeApp, tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    file.write_text('help = "f12"\n', encoding="utf-8")
    app = make_app()
    app.custom_keys = dict(keymap.load_custom(file))
    async with app.run_test() as pilot:
        await pilot.pause()
        await pilot.press("f12")
        await pilot.pause()
        assert app.screen.has_class("help-screen")


def test_a_mistake_in_the_key_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "keys.toml"
    file.write_text('dance = "f12"\n', encoding="utf-8")
    with pytest.raises(InputError, match="dance"):
        keymap.load_custom(file)


def test_without_a_terminal_it_says_so(locations: Locations, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(locations) == InputError.exit_code
    assert "terminal" in capsys.readouterr().err
