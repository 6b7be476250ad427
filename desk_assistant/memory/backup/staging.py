"""A folder of the profile for the time of one backup or restore, which a crash cannot leave behind for long."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

NAME: Final = ".staging-"


@contextlib.contextmanager
def staging(home: Path) -> Iterator[Path]:
    """Make a folder, readable by the owner alone, and delete it at the end; and those of programs that are gone.

    Raises:
        OSError: The profile's folder cannot be written.
    """
    sweep(home)
    folder = home / f"{NAME}{os.getpid()}-{secrets.token_hex(4)}"
    folder.mkdir(parents=True, mode=0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def sweep(home: Path) -> None:
    """Delete the folders that killed programs left."""
    for folder in home.glob(f"{NAME}*"):
        owner = folder.name.removeprefix(NAME).partition("-")[0]
        if not (owner.isdigit() and _lives(int(owner))):
            shutil.rmtree(folder, ignore_errors=True)


def _lives(process: int) -> bool:
    if sys.platform == "win32":
        return True  # there, asking for a process by `os.kill` would end it
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
