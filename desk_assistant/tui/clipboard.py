"""Copying: the system's own tool first, then the terminal's escape sequence, a file as the last resort."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from desk_assistant.i18n import t

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


async def copy(text: str, by_terminal: Callable[[str], None]) -> str:
    """Copy `text` and return the sentence that says which way was used.

    Args:
        text: What to copy.
        by_terminal: Sends the terminal's escape sequence (OSC 52).
    """
    tool = find_tool(os.environ)
    if tool is not None and await _run(tool, text):
        return t("tui.copied", count=len(text))
    if len(text) > TERMINAL_LIMIT:
        return t("tui.copy_too_long")
    by_terminal(text)
    return t("tui.copied_terminal", count=len(text))


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
