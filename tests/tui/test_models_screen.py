"""The model picker: what it says about a model, and all that can be done with one, by keys and by clicks."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.widgets import Button, Input

from desk_assistant.assistant.model_notes import ModelNotes
from desk_assistant.models import InstalledModel, ModelStore, Progress, ProgressCallback, import_model
from desk_assistant.tui.screens.import_model import ImportDialog
from desk_assistant.tui.screens.models import ModelList, ModelsScreen
from tests.models.gguf_builder import Plan
from tests.tui.conftest import Desk, StartDesk


class SlowInstaller:
    """Installs a tiny file under the wanted name, in two steps; the second waits for the test."""

    go_on = threading.Event()

    def __init__(self, store: ModelStore) -> None:
        self._store = store

    def install(self, model_id: str, progress: ProgressCallback) -> InstalledModel:
        progress(Progress("fetch", model_id, 25_000_000, 100_000_000))
        while not self.go_on.wait(0.02):
            progress(Progress("fetch", model_id, 25_000_000, 100_000_000))
        source = Plan().write(self._store.install_to / f"{model_id}.gguf")
        return import_model(self._store, source, name=model_id)


@pytest.fixture
def installer(monkeypatch: pytest.MonkeyPatch) -> type[SlowInstaller]:
    SlowInstaller.go_on = threading.Event()
    monkeypatch.setattr("desk_assistant.tui.flows.models.Installer", SlowInstaller)
    return SlowInstaller


async def open_picker(d: Desk, row: str = "tiny") -> ModelList:
    await d.pilot.press("f8")
    await d.until(lambda: isinstance(d.app.screen, ModelsScreen) and d.app.screen.query_one(ModelList).rows)
    rows = d.app.screen.query_one(ModelList)
    rows.focus_row(row)
    await d.until(lambda: f"({row})" in d.text_of("#model-name") and "context = " in d.text_of("#model-card"))
    return rows


def dialog(d: Desk) -> Callable[[], bool]:
    return lambda: bool(d.app.screen.query("#accept"))


async def test_a_model_shows_its_memory_by_part_its_speed_and_its_settings(desk: StartDesk) -> None:
    async with desk(size=(120, 60)) as d:
        ModelNotes(d.assistant.store.meta)._meta.set("speed:tiny", "12.50")
        await open_picker(d)
        card = d.text_of("#model-card")
        parts = d.assistant.model_fit(d.assistant.models.find("tiny"))
        assert "weights" in card
        assert f"needs {parts.total / 2**30:.2f} GB" in card
        assert f"needs {parts.total / 2**30:.2f} GB" in d.text_of("#model-list")
        assert "12.5 tokens a second" in card
        assert "temperature = 0.7" in card


async def test_a_model_is_installed_with_progress_and_can_be_stopped(
    desk: StartDesk, installer: type[SlowInstaller]
) -> None:
    async with desk() as d:
        await open_picker(d, "qwen3-1.7b")
        await d.pilot.press("i")
        await d.until(lambda: "25 / 100 MB" in d.text_of("#job-line") and "25 %" in d.text_of("#job-line"))
        await d.pilot.press("escape", "f8")  # it goes on without its screen
        await d.until(lambda: "25 %" in d.text_of("#job-line"))
        await d.pilot.press("x")
        await d.until(lambda: "stopped" in d.notices and not d.app.model_jobs.model_id)
        installer.go_on.set()
        d.app.screen.query_one(ModelList).focus_row("qwen3-1.7b")
        await d.until(lambda: "(qwen3-1.7b)" in d.text_of("#model-name"))
        await d.pilot.click("#do-install")
        await d.until(lambda: "is installed" in d.notices)
        await d.until(lambda: not d.app.screen.query_one("#do-remove", Button).disabled)


async def test_terms_are_asked_for_once(desk: StartDesk, installer: type[SlowInstaller]) -> None:
    installer.go_on.set()
    async with desk() as d:
        await open_picker(d, "llama-3.2-3b-instruct")
        await d.pilot.press("enter")
        await d.until(dialog(d))
        assert "Community License" in d.text_of(".dialog")
        await d.pilot.press("escape")
        await d.until(lambda: d.app.screen.query(ModelList) and d.app.screen.query_one(ModelList).has_focus)
        assert not d.app.model_jobs.model_id
        await d.pilot.press("enter")
        await d.until(dialog(d))
        await d.pilot.click("#accept")
        await d.until(lambda: "is installed" in d.notices)
        entry = d.assistant.models.catalogue.get("llama-3.2-3b-instruct")
        assert ModelNotes(d.assistant.store.meta).accepted(entry)


async def test_a_file_is_imported_checked_and_removed(desk: StartDesk, tmp_path: Path) -> None:
    (tmp_path / "bring").mkdir()
    Plan().write(tmp_path / "bring" / "My Own.gguf")
    async with desk() as d:
        await open_picker(d)
        await d.pilot.press("a")
        await d.until(lambda: isinstance(d.app.screen, ImportDialog))
        field = d.app.screen.query_one("#import-path", Input)
        field.value = f"{tmp_path}/bring/My"
        await d.until(lambda: field._suggestion.endswith("My Own.gguf"))
        await d.pilot.press("end", "right")
        await d.pilot.click("#mode-leave")
        await d.pilot.click("#accept")
        await d.until(lambda: "my-own is imported" in d.notices)
        assert d.assistant.models.find("my-own").path == tmp_path / "bring" / "My Own.gguf"
        await d.until(lambda: "my-own" in {row.id for row in d.app.screen.query_one(ModelList).rows})
        d.app.screen.query_one(ModelList).focus_row("my-own")
        await d.until(lambda: "(my-own)" in d.text_of("#model-name"))
        await d.pilot.press("v")
        await d.until(lambda: "my-own: every file" in d.notices)
        await d.pilot.press("d")
        await d.until(dialog(d))
        assert "stays where it is" in d.text_of(".dialog")
        await d.pilot.click("#accept")
        await d.until(lambda: not d.assistant.models.has("my-own"))
        assert (tmp_path / "bring" / "My Own.gguf").exists()


async def test_a_damaged_file_is_a_sentence(desk: StartDesk, tmp_path: Path) -> None:
    bad = tmp_path / "bad.gguf"
    bad.write_bytes(Plan().bytes()[:-200])
    async with desk() as d:
        await open_picker(d)
        await d.pilot.click("#do-import")
        await d.until(lambda: isinstance(d.app.screen, ImportDialog))
        d.app.screen.query_one("#import-path", Input).value = str(bad)
        d.app.screen.query_one("#import-path", Input).focus()
        await d.pilot.press("enter")
        await d.until(lambda: "bad.gguf" in d.notices)
        assert not d.app.model_jobs.model_id


async def test_the_model_that_answers_is_not_removed(desk: StartDesk) -> None:
    async with desk() as d:
        await open_picker(d)
        await d.pilot.click("#do-remove")
        await d.until(lambda: "is the model that answers now" in d.notices)
        assert d.assistant.models.has("tiny")


async def test_a_model_is_set_by_itself_from_its_row(desk: StartDesk) -> None:
    async with desk() as d:
        await open_picker(d)
        await d.pilot.press("s")
        await d.until(lambda: d.app.screen.query("#set-models-tiny-temperature"))
        assert not d.app.screen.query("#set-interface-language")
        await d.pilot.pause()
        field = d.app.screen.query_one("#set-models-tiny-temperature", Input)
        field.focus()
        field.value = "0.3"
        await d.pilot.press("enter", "escape")
        await d.until(lambda: "temperature = 0.3 (set" in d.text_of("#model-card"))


async def test_one_click_chooses_a_row_and_two_use_it(desk: StartDesk) -> None:
    async with desk() as d:
        rows = await open_picker(d, "qwen3-1.7b")
        line = next(n for n, row in enumerate(rows.rows) if row.id == "tiny")
        top = rows._ends[line - 1]
        await d.pilot.click("#model-list", offset=(6, top))
        await d.until(lambda: "(tiny)" in d.text_of("#model-name"))
        assert isinstance(d.app.screen, ModelsScreen)
        await d.pilot.click("#model-list", offset=(6, top), times=2)
        await d.until(lambda: d.assistant.settings.text("model.name") == "tiny")
