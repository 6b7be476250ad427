"""The log of what should not have happened: where it happened, and never a word of what the person wrote."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path
from typing import Final

LOG_NAME: Final = "app.log"

_logger: Final = logging.getLogger("desk_assistant.tui")


def note(event: str, cause: str | None = None) -> None:
    """Log an event by its key and technical cause."""
    _logger.info("%s %s", event, cause or "")


def record(error: BaseException) -> None:
    """Log the type of an unexpected error and the places it passed; its message could hold what the person wrote."""
    frames = traceback.extract_tb(error.__traceback__)
    places = " <- ".join(f"{Path(frame.filename).name}:{frame.lineno} {frame.name}" for frame in reversed(frames))
    _logger.error("unexpected %s at %s", type(error).__name__, places)
    if error.__cause__ is not None:
        record(error.__cause__)
