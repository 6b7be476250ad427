from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from desk_assistant.errors import InputError
from desk_assistant.tui import editor
from tests.tui.conftest import StartDesk


def program(folder: Path, body: str) -> str:
    """Write an editor that is a small shell script, and return its path."""
    path = folder / "my editor"
    path.write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
    path.chmod(stat.S_IRWXU)
    return str(path)


def test_the_persons_editor_comes_first_with_its_options(tmp_path: Path) -> None:
    own = program(tmp_path, "true")
    assert editor.find_editor({"VISUAL": f"'{own}' -w", "EDITOR": "sh"}) == (own, "-w")
    assert editor.find_editor({"VISUAL": "no-such-editor", "EDITOR": "sh"}) == ("sh",)


def test_the_text_comes_back_and_its_file_is_gone(tmp_path: Path) -> None:
    own = program(tmp_path, f'stat -c %a "$1" > "{tmp_path}/mode"; echo "$1" > "{tmp_path}/name"; echo more >> "$1"')
    assert editor.edit([own], "one\n", {"XDG_RUNTIME_DIR": str(tmp_path)}) == "one\nmore"
    assert (tmp_path / "mode").read_text().strip() == "600"
    used = Path((tmp_path / "name").read_text().strip())
    assert used.is_relative_to(tmp_path)
    assert not used.exists()


def test_an_editor_that_fails_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="did not end well"):
        editor.edit([program(tmp_path, "exit 3")], "x", {})


async def test_the_draft_is_written_in_the_editor(
    desk: StartDesk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    own = program(tmp_path, 'echo from the editor >> "$1"')
    monkeypatch.setenv("VISUAL", f"'{own}'")
    suspended: list[bool] = []

    @contextmanager
    def suspend() -> Iterator[None]:
        suspended.append(True)
        yield

    async with desk() as d:
        d.main.composer.text = "draft "
        await d.pilot.press("ctrl+g")
        await d.until(lambda: "cannot be handed to an editor" in d.notices)
        monkeypatch.setattr(d.app, "suspend", suspend)
        await d.pilot.press("ctrl+g")
        await d.until(lambda: d.main.composer.text == "draft from the editor")
        assert suspended
        monkeypatch.setattr(editor, "find_editor", lambda environment: ())
        await d.pilot.press("ctrl+g")
        await d.until(lambda: "There is no editor" in d.notices)
        await d.pilot.press("f4")
        await d.until(lambda: d.app.chat.conversation.private)
        await d.pilot.press("ctrl+g")
        await d.until(lambda: "not offered in a private conversation" in d.notices)
    assert os.environ["VISUAL"]
