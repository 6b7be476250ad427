"""The frames that travel between the app and a child: a length, then JSON.

A frame is four bytes, the body's length as an unsigned big-endian number, followed by the body: one JSON object written
in ASCII. Escaping everything beyond ASCII lets a lone surrogate (half a character, as a terminal or a broken file may
hand us) cross the pipe unharmed, where UTF-8 would refuse it.

From app to child:
    `{"id": 7, "op": "count", "params": {...}, "background": false}` asks for something.
    `{"cancel": 7}` gives a request up.

From child to app:
    `{"id": 7, "event": {...}}`, any number of times, then exactly one of
    `{"id": 7, "result": {...}}` or `{"id": 7, "error": {"kind", "key", "params", "cause"}}`.
    `{"notice": {...}}` at any time, belonging to no request.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Any, Final, TypeAlias

from desk_assistant import errors
from desk_assistant.errors import DeskError, WorkerError

Message: TypeAlias = dict[str, Any]

MAX_FRAME: Final = 64 * 1024 * 1024
"""Largest body in bytes. Anything above is damage (or text printed into the pipe), not a message."""

HEADER: Final = struct.Struct(">I")

CANCELLED_KEY: Final = "workers.cancelled"


class ProtocolError(Exception):
    """The bytes on the pipe are not a frame of this protocol."""


class WorkerCancelled(WorkerError):  # noqa: N818 - being cancelled is an outcome, as in asyncio
    """The request was given up: by its caller, or because the person's own request had to go first."""

    def __init__(self, key: str = CANCELLED_KEY, /, *, cause: str | None = None, **params: object) -> None:
        super().__init__(key, cause=cause, **params)


def encode(message: Mapping[str, Any]) -> bytes:
    """Return `message` as one frame.

    Paths become their text; anything else JSON does not know is a programming mistake.

    Raises:
        ProtocolError: The message is larger than `MAX_FRAME` or holds a value JSON cannot carry (NaN included).
    """
    try:
        body = json.dumps(message, ensure_ascii=True, allow_nan=False, separators=(",", ":"), default=_plain)
    except (TypeError, ValueError, RecursionError) as error:
        raise ProtocolError(f"message cannot be written as JSON: {type(error).__name__}") from error
    data = body.encode("ascii")
    if len(data) > MAX_FRAME:
        raise ProtocolError(f"message of {len(data)} bytes is over the limit of {MAX_FRAME}")
    return HEADER.pack(len(data)) + data


def body_length(header: bytes) -> int:
    """Return the length of the body that follows the four bytes of `header`.

    Raises:
        ProtocolError: The length is zero or over `MAX_FRAME`.
    """
    (length,) = HEADER.unpack(header)
    if not 2 <= length <= MAX_FRAME:
        raise ProtocolError(f"frame announces {length} bytes")
    return int(length)


def decode_body(body: bytes) -> Message:
    """Return the message in the body of a frame.

    Raises:
        ProtocolError: The body is not one JSON object in ASCII (absurd nesting included).
    """
    try:
        message = json.loads(body.decode("ascii"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise ProtocolError(f"frame is not JSON: {type(error).__name__}") from error
    if not isinstance(message, dict):
        raise ProtocolError("frame is not a JSON object")
    return message


class Decoder:
    """Cuts a stream of bytes, arriving in pieces of any size, into messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> Iterator[Message]:
        """Take `data` and yield every message it completes.

        Raises:
            ProtocolError: The stream is damaged; nothing after this point can be trusted.
        """
        self._buffer += data
        while len(self._buffer) >= HEADER.size:
            end = HEADER.size + body_length(bytes(self._buffer[: HEADER.size]))
            if len(self._buffer) < end:
                return
            body = bytes(self._buffer[HEADER.size : end])
            del self._buffer[:end]
            yield decode_body(body)


def describe_error(error: DeskError) -> Message:
    """Return what the other side needs to raise the same error."""
    return {
        "kind": type(error).__name__,
        "key": error.key,
        "params": {name: _simple(value) for name, value in error.params.items()},
        "cause": error.cause,
    }


def restore_error(data: object) -> DeskError:
    """Return the error that `describe_error` wrote on the other side, of the same class where it is a known one."""
    if not isinstance(data, dict) or not isinstance(data.get("key"), str) or "." not in data["key"]:
        return WorkerError("workers.garbled")
    params = data.get("params")
    params = {str(name): value for name, value in params.items()} if isinstance(params, dict) else {}
    params.pop("cause", None)
    cause = data.get("cause")
    kind = data.get("kind")
    family: type[DeskError] = WorkerError
    if kind == WorkerCancelled.__name__:
        family = WorkerCancelled
    elif isinstance(kind, str):
        named = getattr(errors, kind, None)
        if isinstance(named, type) and issubclass(named, DeskError):
            family = named
    return family(data["key"], cause=cause if isinstance(cause, str) else None, **params)


def _simple(value: object) -> object:
    # Numbers stay numbers, so that a message may format them; everything else becomes its text.
    return value if isinstance(value, (bool, int, str)) else str(value)


def _plain(value: object) -> object:
    if isinstance(value, PurePath):
        return str(value)
    raise TypeError(type(value).__name__)


def _no_constant(name: str) -> float:
    raise ValueError(name)
