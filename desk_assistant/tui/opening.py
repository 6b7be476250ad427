"""Opens a profile while the first frame is already on the screen.

Most of what the app is made of is imported here, in a thread: it takes longer than everything that comes before the
first frame together.
"""

from __future__ import annotations

import gc
import importlib
from typing import TYPE_CHECKING, Final

from desk_assistant.paths import Locations

if TYPE_CHECKING:
    from desk_assistant.assistant import Assistant

PARTS: Final = (
    "desk_assistant.assistant",
    "desk_assistant.tui.screens.main",
    "desk_assistant.tui.screens.record",
    "desk_assistant.tui.screens.first_run",
    "desk_assistant.tui.commands",
    "desk_assistant.tui.clipboard",
)
"""Modules that are needed as soon as the chat is there; importing them bit by bit later would be felt as stalls."""


def open_profile(locations: Locations) -> Assistant:
    """Import what the chat needs and open a profile. Takes about half a second, so it belongs in a thread.

    Raises:
        StorageError: The data folder cannot be used, or the database is damaged or newer than the program.
        InputError: The settings file has a mistake.
    """
    for name in PARTS:
        importlib.import_module(name)
    from desk_assistant.assistant import Assistant

    assistant = Assistant.open(locations)
    # The first look for private values makes all patterns; better here than at the first key.
    assistant.masked_preview("1")
    # What exists by now stays to the end: the garbage collector need not walk through all of it again and again, which
    # stops the screen for up to a tenth of a second each time.
    gc.freeze()
    gc.enable()
    return assistant
