"""Writing a long message in an editor of the person's choice."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from desk_assistant.errors import InputError

FALLBACKS: Final = ("nano", "vim", "vi", "notepad.exe")
"""Tried in this order when neither VISUAL nor EDITOR is set."""

MEMORY_FOLDERS: Final = ("/dev/shm",)
"""Folders that lie in memory on most systems; the draft is not masked yet and should not reach a disk."""


def find_editor(environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return the command of an editor that is installed; empty when there is none."""
    for name in (environment.get("VISUAL"), environment.get("EDITOR"), *FALLBACKS):
        try:
            argv = shlex.split(name or "")
        except ValueError:
            continue
        if argv and shutil.which(argv[0]):
            return tuple(argv)
    return ()


def edit(argv: Sequence[str], text: str, environment: Mapping[str, str]) -> str:
    """Let the person change a text in an editor, and return what it was saved as.

    The terminal must be free. The file is readable by its owner alone, lies in memory where the system offers that,
    and is deleted in any case.

    Raises:
        InputError: The editor cannot be started, or ended with an error; the text is not changed.
    """
    places = (environment.get("XDG_RUNTIME_DIR", ""), *MEMORY_FOLDERS)
    folder = next((place for place in places if place and os.access(place, os.W_OK)), None)
    with tempfile.TemporaryDirectory(prefix="desk-assistant-", dir=folder) as own:
        path = Path(own) / "message.md"
        path.touch(mode=0o600)
        path.write_text(text, encoding="utf-8", errors="replace")
        try:
            code = subprocess.run([*argv, str(path)], check=False).returncode
        except OSError as error:
            raise InputError("screens.editor_failed", editor=argv[0], reason=error.strerror or error) from error
        if code != 0:
            raise InputError("screens.editor_failed", editor=argv[0], reason=code)
        return path.read_text(encoding="utf-8", errors="replace").removesuffix("\n")
