"""A note on disk while a model loads, so that a model which takes the program down does not do so at every start.

The note names the model. When the child dies of a load, the app is there to write that down, and the model is not tried
again unasked. When the note is merely left behind, the whole program was cut off: the model may be to blame (a machine
out of memory), or somebody ended the program at that moment. That is excused once.

A lock beside the note tells a load that is going on in another program from one that was cut off: the system drops the
lock of the dead.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

CRASHED: Final = b"crashed"
EXCUSED: Final = 1
"""Loads of one model that may be cut off in a row before it is suspected."""


class LoadMarker:
    """The note of one folder. Used around a load: `begin`, then `done`, or neither when all is lost.

    Args:
        path: The note; its lock is beside it with `.lock` added.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = FileLock(path.with_name(path.name + ".lock"))
        self._model: Path | None = None

    def crashed(self, model: Path) -> bool:
        """Return whether the last load of `model` ended the child, or loads of it were cut off again and again."""
        verdict = self._verdict(model)
        if verdict == CRASHED:
            return True
        return _count(verdict) > EXCUSED and self._free()

    def begin(self, model: Path) -> None:
        """Leave the note. Where it cannot be written, or another program is loading, the load goes on without one."""
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._lock.acquire(blocking=False)
            self._model = model
            self._write(b"%d" % (_count(self._verdict(model)) + 1))
        except (Timeout, OSError):
            return

    def done(self, *, crashed: bool = False, proven: bool = False) -> None:
        """Take the note away, or write down that the load ended the child.

        Args:
            crashed: The child died of it, or while it was at it.
            proven: This model has been loaded well before: then the death may have come from outside, and the note is
                left as if the program had been cut off.
        """
        if self._model is None:
            return
        with contextlib.suppress(OSError):
            if crashed and not proven:
                self._write(CRASHED)
            elif not crashed:
                self._path.unlink(missing_ok=True)
        self._model = None
        self._lock.release()

    def _write(self, verdict: bytes) -> None:
        assert self._model is not None
        self._path.write_bytes(verdict + b"\n" + os.fsencode(self._model))

    def _verdict(self, model: Path) -> bytes:
        try:
            verdict, _, name = self._path.read_bytes().partition(b"\n")
        except OSError:
            return b""
        return verdict if name == os.fsencode(model) else b""

    def _free(self) -> bool:
        try:
            with self._lock.acquire(blocking=False):
                return True
        except (Timeout, OSError):
            return False


def _count(verdict: bytes) -> int:
    return int(verdict) if verdict.isdigit() else 0
