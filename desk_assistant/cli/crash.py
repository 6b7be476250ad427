"""The record of a failure that nobody foresaw: where it happened, and none of the person's words."""

from __future__ import annotations

import os
import platform
import traceback
from datetime import datetime
from pathlib import Path
from typing import Final

from desk_assistant import __version__
from desk_assistant.paths import Locations

LOG_NAME: Final = "app.log"


def record(error: BaseException, locations: Locations) -> Path | None:
    """Append the types and code places of an error and its causes to the profile's log.

    Messages of exceptions are left out, since they may quote what the person wrote.

    Returns:
        The log, or None when it cannot be written.
    """
    path = locations.logs / LOG_NAME
    moment = datetime.now().astimezone().isoformat(timespec="seconds")
    head = f"{moment} unexpected failure, version {__version__}, {platform.platform()}"
    text = "\n".join([head, *_places(error)])
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "a", encoding="utf-8") as log:
            log.write(text + "\n")
    except OSError:
        return None
    return path


def _places(error: BaseException) -> list[str]:
    lines: list[str] = []
    current: BaseException | None = error
    seen: set[int] = set()
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        kind = type(current)
        lines.append(f"  {kind.__module__}.{kind.__qualname__}")
        lines += [
            f"    {Path(frame.filename).name}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(current.__traceback__)
        ]
        current = current.__cause__ or current.__context__
    return lines
