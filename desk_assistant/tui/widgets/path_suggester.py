"""Completes a path while it is typed, so that a model file can be named without leaving the keyboard."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Final

from textual.suggester import Suggester

ENTRIES_READ: Final = 2_000
"""Entries of a folder looked through; a download folder with more is not worth the wait."""


class PathSuggester(Suggester):
    """Offers the first folder, or file of one ending, whose name begins as typed.

    Args:
        suffix: Ending of the files that are offered, such as `.gguf`.
    """

    def __init__(self, suffix: str) -> None:
        # What lies in a folder changes; nothing is kept.
        super().__init__(use_cache=False, case_sensitive=True)
        self._suffix = suffix

    async def get_suggestion(self, value: str) -> str | None:
        """Return the whole completed path, or None when nothing fits."""
        return await asyncio.to_thread(self._complete, value)

    def _complete(self, value: str) -> str | None:
        head, _, begun = value.rpartition("/")
        if not value or (not head and not value.startswith("/")):
            return None
        folder = Path(f"{head}/").expanduser()
        best: str | None = None
        try:
            with os.scandir(folder) as entries:
                for _, entry in zip(range(ENTRIES_READ), entries, strict=False):
                    if not entry.name.startswith(begun) or (entry.name.startswith(".") and not begun):
                        continue
                    is_folder = entry.is_dir()
                    if is_folder or entry.name.lower().endswith(self._suffix):
                        name = f"{entry.name}/" if is_folder else entry.name
                        best = name if best is None else min(best, name)
        except OSError:
            return None
        return f"{head}/{best}" if best is not None else None
