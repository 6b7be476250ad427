"""What goes wrong with the table's native library, told apart: unreadable, unwritable, or no failure of it at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from desk_assistant.errors import StorageError

_KNOWN: Final = ("No space left on device", "Permission denied", "Read-only file system", "File too large")


class TableDamagedError(Exception):
    """Something of the table cannot be read any more."""


@contextmanager
def reading() -> Iterator[None]:
    """Turn every failure inside into `TableDamagedError`."""
    try:
        yield
    except BaseException as error:
        if not is_failure(error):
            raise
        raise TableDamagedError(type(error).__name__) from error


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turn every failure inside into a sentence about the table at `path` that cannot be written."""
    try:
        yield
    except (StorageError, TableDamagedError):
        raise
    except BaseException as error:
        if not is_failure(error):
            raise
        raise StorageError(
            "index.write_failed", path=path, reason=_reason(error), cause=type(error).__name__
        ) from error


def is_failure(error: BaseException) -> bool:
    """Tell a failure from a request to stop: a panic in the native code is of a class that is no `Exception`."""
    return isinstance(error, Exception) or type(error).__name__ == "PanicException"


def _reason(error: BaseException) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    text = str(error)
    for known in _KNOWN:
        if known.casefold() in text.casefold():
            return known
    return type(error).__name__
