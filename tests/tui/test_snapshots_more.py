"""Pictures of what lies over the chat or below a message, compared with the ones that were looked at."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from desk_assistant.assistant import Assistant
from desk_assistant.tui.widgets.row_list import RowList
from tests.tui.conftest import MakeApp, seed
from tests.tui.test_snapshots import LARGE, SMALL, Compare, _calm, _opened, _pressed


def _fill(assistant: Assistant, chinese: bool) -> None:
    seed(assistant, chinese=chinese)


async def _focused(pilot: Pilot[int]) -> None:
    await _opened(pilot, "shift+tab")


async def _picked(pilot: Pilot[int], row: str) -> None:
    await _pressed(pilot, "f8")
    pilot.app.screen.query_one(RowList).focus_row(row)
    await _calm(pilot)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_under_a_message(make_app: MakeApp, snap_compare: Compare, language: str) -> None:
    app = make_app(fill=partial(_fill, chinese=language == "zh"), language=language)
    assert snap_compare(app, terminal_size=SMALL, run_before=_focused)


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
def test_models(
    make_app: MakeApp,
    snap_compare: Compare,
    models: Path,
    monkeypatch: pytest.MonkeyPatch,
    language: str,
    size: tuple[int, int],
) -> None:
    # What is free on this machine, and where its files are, is another thing on the next one.
    monkeypatch.setattr("desk_assistant.assistant.engine.available_memory", lambda: 8 << 30)
    monkeypatch.setattr("desk_assistant.tui.model_rows.available_memory", lambda: 8 << 30)
    monkeypatch.chdir(models.parent)
    monkeypatch.setenv("DESK_ASSISTANT_MODELS", "models")
    app = make_app(language=language)
    assert snap_compare(app, terminal_size=size, run_before=partial(_picked, row="tiny"))
