"""The whole app with sockets refused, in its own process and in its children: nothing is missing, nothing is tried."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from desk_assistant.assistant import Assistant
from desk_assistant.index.client import IndexClient, IndexSetup
from desk_assistant.llm.client import LlmClient
from desk_assistant.paths import Locations
from desk_assistant.tui.app import DeskApp
from desk_assistant.tui.widgets.row_list import RowList
from desk_assistant.workers.launch import environment
from tests.scripted import ScriptedLlm
from tests.tui.conftest import Desk, models

__all__ = ["models"]

REFUSING = Path(__file__).parent / "refusing"


@pytest.fixture
def notes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Refuse sockets here and in every child; returns the file with what was tried."""
    notes = tmp_path / "notes"
    monkeypatch.setenv("NOTES_OF_REFUSALS", str(notes))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(REFUSING), os.environ.get("PYTHONPATH", ""))))
    connect = socket.socket.connect

    def tried(*about: Any, **_: Any) -> Any:
        with notes.open("a", encoding="utf-8") as file:
            file.write(f"tried {about}\n")
        raise OSError("there is no network here")

    def refusing(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            tried(address)
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", refusing)
    monkeypatch.setattr(socket.socket, "connect_ex", tried)
    monkeypatch.setattr(socket.socket, "sendto", tried)
    monkeypatch.setattr(socket, "getaddrinfo", tried)
    return notes


def tries(notes: Path) -> list[str]:
    return [line for line in notes.read_text(encoding="utf-8").splitlines() if line.startswith("tried")]


def test_a_try_is_refused_and_noted_here_and_in_a_child(notes: Path) -> None:
    with pytest.raises(OSError, match="no network"):
        socket.create_connection(("192.0.2.1", 80))
    with socket.socket() as own, pytest.raises(OSError, match="no network"):
        own.connect(("192.0.2.1", 80))
    program = "import socket, sys\ntry: socket.socket().connect(('192.0.2.1', 80))\nexcept OSError as e: print(e)"
    child = subprocess.run(
        [sys.executable, "-c", program], env=environment(), capture_output=True, text=True, check=True
    )

    assert child.stdout.strip() == "there is no network here"
    assert len(tries(notes)) == 3


async def use(d: Desk) -> None:
    """Talk, look at what is remembered, search, and walk through the screens."""
    await d.say("I keep bees in Turku.")
    await d.settled()
    await d.until(lambda: any("bees" in row.text for row in d.main.memory_panel.list_of("profile").rows))
    await d.app.chat.new()
    await d.say("Where do I keep bees?")
    await d.until(lambda: "bees" in d.text_of(".recall-cards"))
    assert "In Turku." in d.text_of(".answer-turn")
    await d.pilot.press("f7")
    await d.until(lambda: d.app.screen.query("#search-field"))
    await d.pilot.press(*"bees")
    await d.until(lambda: d.app.screen.query_one("#search-list", RowList).rows)
    await d.pilot.press("escape", "f8")
    await d.until(lambda: "Tiny Test" in d.text_of("#model-list"))
    await d.pilot.press("escape", "f9")
    await d.until(lambda: d.app.screen.query("#set-prompt-answer_tokens"))
    await d.pilot.press("escape", "f1")
    await d.until(lambda: d.app.screen.has_class("help-screen"))
    await d.pilot.press("escape", "f3")


@pytest.mark.usefixtures("models")
async def test_the_app_and_its_index_want_no_network(locations: Locations, notes: Path) -> None:
    llm = ScriptedLlm(["Noted.", "In Turku."])
    index = IndexClient(IndexSetup(locations.index, None, ""), log=locations.logs / "index.log")
    app = DeskApp(Assistant.open(locations, llm=llm, index=index), first_run=False)

    async with app.run_test(size=(120, 40)) as pilot:
        desk = Desk(app, pilot, app.assistant, llm)
        await desk.until(lambda: app.assistant.status.llm.state == app.assistant.status.index.state == "ready")
        await use(desk)
        held = await index.ids()

    assert len(held) >= 2
    assert any("began" in line for line in notes.read_text(encoding="utf-8").splitlines())
    assert tries(notes) == []


async def test_the_language_model_starts_where_there_is_no_network(locations: Locations, notes: Path) -> None:
    client = LlmClient(locations.logs / "llm.log")
    await client.start()
    try:
        assert client.state == "empty"
    finally:
        await client.stop()

    began = notes.read_text(encoding="utf-8")
    assert "began" in began
    if sys.platform == "linux" and os.geteuid() == 0:
        assert "cut off" in began
    assert tries(notes) == []
