"""One program at a time works on a model; the others wait and then find it done."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout

from desk_assistant.errors import ModelError

WAIT_STEP: Final = 1.0
"""Seconds between two reports while another program holds the lock."""
_ID: Final = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]{0,80}$")


def valid_id(model_id: str) -> bool:
    """Return whether a text can be the id of a model and the name of its folder."""
    return bool(_ID.match(model_id))


@contextmanager
def model_lock(root: Path, model_id: str, waiting: Callable[[], None] | None = None) -> Iterator[None]:
    """Hold the lock of one model in a model folder.

    Args:
        root: The model folder; created when it is missing.
        model_id: Id of the model.
        waiting: Called about once a second while another program holds the lock; it may raise to give up.

    Raises:
        ModelError: The folder cannot be written.
    """
    folder = root / ".locks"
    lock = FileLock(folder / f"{model_id}.lock")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            try:
                lock.acquire(timeout=WAIT_STEP)
                break
            except Timeout:
                if waiting is not None:
                    waiting()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ModelError("models.folder_unwritable", path=root, reason=reason, cause=repr(error)) from error
    try:
        yield
    finally:
        lock.release()
