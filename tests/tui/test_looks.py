"""No meaning by colour alone, themes for every eye, and no colours where none are wanted."""

from __future__ import annotations

import re

import pytest
from textual.color import Color
from textual.widgets import Select

from desk_assistant import i18n
from desk_assistant.models import Catalogue
from desk_assistant.tui.screens.settings import choice_label
from desk_assistant.tui.themes import HIGH_CONTRAST
from desk_assistant.tui.widgets.choices import Ticks
from tests.tui.conftest import MakeApp, StartDesk, seed


def luminance(color: Color) -> float:
    parts = [c / 255 / 12.92 if c / 255 <= 0.03928 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in color.rgb]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize("name", ["primary", "secondary", "accent", "warning", "error", "success", "foreground"])
def test_the_high_contrast_theme_deserves_its_name(name: str) -> None:
    text, ground = Color.parse(getattr(HIGH_CONTRAST, name)), Color.parse(HIGH_CONTRAST.panel or "#000000")
    assert (luminance(text) + 0.05) / (luminance(ground) + 0.05) >= 7


@pytest.mark.parametrize("theme", ["textual-light", "desk-contrast", "ansi-dark"])
async def test_a_theme_is_taken_from_the_settings(desk: StartDesk, theme: str) -> None:
    async with desk(wait=False, fill=lambda assistant: assistant.settings.set("interface.theme", theme)) as d:
        assert d.app.theme == theme


async def test_no_color_is_heard(make_app: MakeApp, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    app = make_app(fill=seed)
    async with app.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        colours = re.findall(r"fill: #([0-9a-f]{6})", app.export_screenshot())
        assert colours
        frame = {"c5c8c6"}  # what the picture of a terminal begins with, whatever is drawn in it
        assert {c for c in colours if len({c[0:2], c[2:4], c[4:6]}) > 1} <= frame


async def test_switches_and_choices_say_their_state_in_characters(desk: StartDesk) -> None:
    async with desk(first_run=True, size=(100, 40)) as d:
        await d.until(lambda: "●" in d.text_of("#lang-en"))
        assert "○" in d.text_of("#lang-zh")
        assert "on" in d.text_of(".switch-word")
        await d.pilot.click("#first-remember")
        await d.until(lambda: "off" in d.text_of(".switch-word"))


async def test_the_first_start_shows_open_terms_and_takes_them_as_accepted(
    desk: StartDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = Catalogue.load().get("gemma3-270m-base")
    monkeypatch.setattr("desk_assistant.models.registry.ModelStore._load", with_entry(entry))
    async with desk(first_run=True, size=(100, 60)) as d:
        await d.until(lambda: "Gemma Terms of Use" in d.text_of("#first-terms"))
        await d.pilot.click("#first-start")
        await d.until(lambda: d.assistant.store.meta.get(f"terms:{entry.licence}") is not None)


def with_entry(entry: object) -> object:
    """Return a loader of models that takes each for one of the catalogue."""
    from desk_assistant.models.manifest import read_manifest
    from desk_assistant.models.registry import InstalledModel

    return lambda self, folder: InstalledModel(folder, read_manifest(folder), entry)  # type: ignore[arg-type]


async def test_settings_name_their_choices_in_the_language(desk: StartDesk) -> None:
    async with desk(language="zh", size=(120, 60)) as d:
        await d.pilot.press("f9")
        await d.until(lambda: d.app.screen.query("#set-interface-theme"))
        assert "深色" in d.text_of("#set-interface-theme")
        assert "跟随系统" in d.text_of("#set-interface-language")
        assert "自动" in d.text_of("#set-model-name")
        ticks = d.app.screen.query_one("#set-privacy-allow", Ticks)
        await d.pilot.pause()
        ticks.focus()
        await d.pilot.press("down", "space")
        await d.until(lambda: len(d.assistant.settings.words("privacy.allow")) == 1)
        shown = [ticks.render_line(y).text[:4] for y in range(3)]
        assert ["X" in line for line in shown] == [False, True, False]
        select = d.app.screen.query_one("#set-model-name", Select)
        select.value = "tiny"
        await d.until(lambda: d.assistant.settings.text("model.name") == "tiny")


async def test_nothing_moves_by_itself_when_it_shall_not(desk: StartDesk) -> None:
    async with desk(wait=False, fill=lambda assistant: assistant.settings.set("interface.blink", False)) as d:
        assert not d.main.composer.cursor_blink
        assert d.app.animation_level == "none"


def test_every_choice_of_a_setting_has_a_name() -> None:
    i18n.set_language("zh")
    for value in ("auto", "en", "zh"):
        assert choice_label("interface.language", value) != value
    assert choice_label("interface.theme", "rose-pine") == "Rose Pine"
