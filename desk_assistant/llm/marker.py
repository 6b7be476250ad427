"""A note on disk while a model loads, so that a model which takes the program down does so once and not at every start.

The note names the model. It is left behind only when the load ended the process or the machine. A lock beside it tells
a load that is going on in another program from one that was cut off: the system drops the lock of the dead.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from filelock import FileLock, Timeout


class LoadMarker:
    """The note of one folder. Used around a load: `begin`, then `done`, or neither when all is lost.

    Args:
        path: The note; its lock is beside it with `.lock` added.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = FileLock(path.with_name(path.name + ".lock"))
        self._mine = False

    def crashed(self, model: Path) -> bool:
        """Return whether the last load of `model` was cut off."""
        try:
            if self._path.read_bytes() != os.fsencode(model):
                return False
        except OSError:
            return False
        if self._lock.is_locked:
            return False
        try:
            with self._lock.acquire(blocking=False):
                return True
        except (Timeout, OSError):
            return False

    def begin(self, model: Path) -> None:
        """Leave the note. Where it cannot be written, or another program is loading, the load goes on without one."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock.acquire(blocking=False)
            self._mine = True
            self._path.write_bytes(os.fsencode(model))
        except (Timeout, OSError):
            self._mine = self._lock.is_locked

    def done(self, *, crashed: bool = False) -> None:
        """Take the note away, or leave it when the load ended the child."""
        if not self._mine:
            return
        self._mine = False
        if not crashed:
            with contextlib.suppress(OSError):
                self._path.unlink(missing_ok=True)
        self._lock.release()
