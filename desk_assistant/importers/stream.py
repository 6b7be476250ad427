"""JSON objects one at a time out of a file that may be larger than the memory."""

from __future__ import annotations

import codecs
import json
from collections.abc import Callable, Iterator
from typing import IO, Any, Final

CHUNK: Final = 1 << 20
MAX_OBJECT: Final = 128 << 20
"""Characters that one conversation may have. What is longer is no conversation, and must not fill the memory."""

_SPACE: Final = " \t\r\n"


class BrokenJsonError(Exception):
    """The text is not JSON from some place on, or ends in the middle of an object.

    Attributes:
        truncated: The file ends before the object does.
    """

    def __init__(self, *, truncated: bool) -> None:
        super().__init__("truncated" if truncated else "not JSON")
        self.truncated = truncated


def objects(file: IO[bytes], told: Callable[[int], None]) -> Iterator[Any]:
    """Yield the elements of a top-level array, or the values that stand one after another where there is none.

    Args:
        file: UTF-8; bytes that are none are replaced.
        told: Called with the number of bytes as they are read.

    Raises:
        BrokenJsonError: The rest cannot be read; what came before has been yielded.
    """
    text = _Text(file, told)
    first = text.next_character()
    inside = first == "["
    if inside:
        text.at += 1
    while True:
        character = text.next_character()
        if character == "" and not inside:
            return
        if character in ("", ","):
            if character == "":
                raise BrokenJsonError(truncated=True)
            text.at += 1
            continue
        if character == "]" and inside:
            return
        yield text.value()


class _Text:
    def __init__(self, file: IO[bytes], told: Callable[[int], None]) -> None:
        self._file = file
        self._told = told
        self._decoder = codecs.getincrementaldecoder("utf-8-sig")(errors="replace")
        self._json = json.JSONDecoder()
        self._ended = False
        self._buffer = ""
        self.at = 0

    def _fill(self, size: int) -> None:
        raw = self._file.read(size)
        self._told(len(raw))
        self._ended = not raw
        self._buffer = self._buffer[self.at :] + self._decoder.decode(raw, final=self._ended)
        self.at = 0

    def next_character(self) -> str:
        """Move to the next character that is no space and return it; empty at the end."""
        while True:
            while self.at < len(self._buffer):
                if self._buffer[self.at] not in _SPACE:
                    return self._buffer[self.at]
                self.at += 1
            if self._ended:
                return ""
            self._fill(CHUNK)

    def value(self) -> Any:
        """Read one value, taking in twice as much of the file each time it turns out to be longer."""
        while True:
            try:
                found, self.at = self._json.raw_decode(self._buffer, self.at)
            except (ValueError, RecursionError) as error:
                waiting = len(self._buffer) - self.at
                if self._ended or waiting > MAX_OBJECT or isinstance(error, RecursionError):
                    raise BrokenJsonError(truncated=self._ended) from error
                self._fill(max(CHUNK, waiting))
            else:
                return found
