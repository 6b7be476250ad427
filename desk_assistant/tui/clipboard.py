"""Copying: the system's own tool first, then the terminal's escape sequence, a file as the last resort."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Final

from desk_assistant import atomic
from desk_assistant.errors import StorageError
from desk_assistant.i18n import t
from desk_assistant.tui.export import free_path

PATIENCE: Final = 2.0
"""Seconds a tool gets; `xclip` without a display can hang."""

TERMINAL_LIMIT: Final = 70_000
"""Characters above which terminals drop the escape sequence."""


@dataclass(frozen=True)
class Tool:
    """A program that takes the clipboard's new content on its standard input.

    Attributes:
        needs: Environment variable without which it cannot work; empty when none.
    """

    argv: tuple[str, ...]
    needs: str = ""


TOOLS: Final[tuple[Tool, ...]] = (
    Tool(("wl-copy",), "WAYLAND_DISPLAY"),
    Tool(("xclip", "-selection", "clipboard"), "DISPLAY"),
    Tool(("xsel", "--clipboard", "--input"), "DISPLAY"),
    Tool(("pbcopy",)),
    Tool(("clip.exe",)),
)


def find_tool(environment: Mapping[str, str]) -> Tool | None:
    """Return the first tool that is installed and can work here. Over ssh none can: they would fill another desk's."""
    if environment.get("SSH_CONNECTION") and sys.platform != "darwin":
        return None
    for tool in TOOLS:
        if (not tool.needs or environment.get(tool.needs)) and shutil.which(tool.argv[0]):
            return tool
    return None


async def copy(text: str, by_terminal: Callable[[str], None]) -> str | None:
    """Copy `text` and return the sentence that says which way was used; None when there was none for its length.

    Args:
        text: What to copy.
        by_terminal: Sends the terminal's escape sequence (OSC 52).
    """
    tool = find_tool(os.environ)
    if tool is not None and await _run(tool, text):
        return t("tui.copied", count=len(text))
    if len(text) > TERMINAL_LIMIT:
        return None
    by_terminal(text)
    return t("tui.copied_terminal", count=len(text))


def write_out(text: str, folder: Path, day: date) -> Path:
    """Write what no clipboard took to a new file, readable by its owner alone, and return the file.

    Raises:
        StorageError: It cannot be written.
    """
    path = free_path(folder / f"desk-assistant-{day.isoformat()}.md")
    try:
        atomic.write_text(path, text.encode("utf-8", "replace").decode("utf-8"))
    except OSError as error:
        raise StorageError("tui.export_failed", path=path, reason=error.strerror or error) from error
    return path


async def _run(tool: Tool, text: str) -> bool:
    null = asyncio.subprocess.DEVNULL
    try:
        process = await asyncio.create_subprocess_exec(
            *tool.argv, stdin=asyncio.subprocess.PIPE, stdout=null, stderr=null
        )
    except OSError:
        return False
    try:
        await asyncio.wait_for(process.communicate(text.encode("utf-8", "replace")), PATIENCE)
    except TimeoutError:
        process.kill()
        await process.wait()
        return False
    return process.returncode == 0
