"""The child's side of the pipe: read requests, run them one after the other, send what comes of them.

Two threads share the work. The reader takes frames from stdin; it acts at once on a cancellation and on the end of the
stream, so a long computation never makes the child deaf. The main thread computes, one request at a time, requests of
the person before background ones.

File descriptor 1 carries frames, and any library may print to it. Before a handler is built, the descriptor is moved
to a private number and 1 is pointed at the log, so that stray text cannot damage the stream.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Final, TypeAlias

from desk_assistant.errors import DeskError, WorkerError
from desk_assistant.workers import protocol
from desk_assistant.workers.protocol import Message, ProtocolError, WorkerCancelled

EXIT_PARENT_GONE: Final = 0
EXIT_GARBLED: Final = 70
READ_SIZE: Final = 1 << 16


@dataclass(eq=False)
class Call:
    """One request as its handler sees it: where to send events, and whether to go on.

    Attributes:
        background: The request yields to the person's requests; it may be cancelled at any moment.
    """

    id: int
    op: str
    params: Message
    background: bool
    _send: Callable[[Mapping[str, Any]], None]
    _cancelled: threading.Event = field(default_factory=threading.Event)

    @property
    def cancelled(self) -> bool:
        """Whether the request was given up. Cheap enough to be asked thousands of times a second."""
        return self._cancelled.is_set()

    def check(self) -> None:
        """Return when the request is still wanted.

        Raises:
            WorkerCancelled: It was given up.
        """
        if self.cancelled:
            raise WorkerCancelled

    def cancel(self) -> None:
        """Mark the request as given up; the handler notices at its next look."""
        self._cancelled.set()

    def emit(self, event: Mapping[str, Any]) -> None:
        """Send an event to whoever made the request."""
        self._send({"id": self.id, "event": event})


Params: TypeAlias = Message
Handler: TypeAlias = Callable[[Params, Call], Mapping[str, Any] | None]
"""Computes one operation, alone on the main thread. What it returns is the result, what it raises the error."""

Notify: TypeAlias = Callable[[Mapping[str, Any]], None]
"""Sends a notice that belongs to no request. May be called from any thread."""

Build: TypeAlias = Callable[[Notify], Mapping[str, Handler]]
"""Makes the handlers. Slow imports belong in here: the streams are already safe, and the app sees `starting`."""


class Queue:
    """Requests that wait, in two lines: the person's, then background ones. One of them is running."""

    def __init__(self) -> None:
        self._condition = threading.Condition()
        self._foreground: deque[Call] = deque()
        self._background: deque[Call] = deque()
        self._running: Call | None = None

    def put(self, call: Call) -> None:
        """Add a request. One of the person's cancels the background request that is running."""
        with self._condition:
            (self._background if call.background else self._foreground).append(call)
            if not call.background and self._running is not None and self._running.background:
                self._running.cancel()
            self._condition.notify()

    def take(self) -> Call:
        """Wait for the next request and mark it as the running one."""
        with self._condition:
            self._running = None
            while not (self._foreground or self._background):
                self._condition.wait()
            self._running = (self._foreground or self._background).popleft()
            return self._running

    def cancel(self, request: int) -> None:
        """Give up the request with this id, running or waiting. An id that is already done is no mistake."""
        with self._condition:
            running = [self._running] if self._running is not None else []
            for call in (*running, *self._foreground, *self._background):
                if call.id == request:
                    call.cancel()


class Streams:
    """The two private descriptors that carry frames, taken away from everything else in the process."""

    def __init__(self) -> None:
        sys.stdout.flush()
        self._in = os.dup(0)
        self._out = os.dup(1)
        self._lock = threading.Lock()
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.close(null)
        os.dup2(2, 1)
        sys.stdout = sys.stderr
        if sys.platform == "win32":
            import msvcrt

            msvcrt.setmode(self._in, os.O_BINARY)
            msvcrt.setmode(self._out, os.O_BINARY)

    def read(self) -> bytes:
        """Return the next bytes from the app, empty at the end of the stream."""
        return os.read(self._in, READ_SIZE)

    def send(self, message: Mapping[str, Any]) -> None:
        """Send one frame, whole, from any thread.

        Raises:
            ProtocolError: The message cannot be written as a frame.
        """
        self.write(protocol.encode(message))

    def write(self, frame: bytes) -> None:
        """Send an encoded frame, whole, from any thread. Ends the process when the app is gone."""
        rest = memoryview(frame)
        try:
            with self._lock:
                while rest:
                    rest = rest[os.write(self._out, rest) :]
        except OSError:
            # The app is gone; what is computed here interests nobody any more.
            os._exit(EXIT_PARENT_GONE)


def serve(build: Build) -> int:
    """Serve requests until the app closes the pipe, which ends the process at once, from whatever it is doing.

    Args:
        build: Called once with the notice function; returns the handlers by operation name.

    Returns:
        Never in practice. The return type lets callers pass it on as an exit code.
    """
    # Ctrl+C in the terminal reaches every process of the group; the app alone decides what it means.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    streams = Streams()
    queue = Queue()
    reader = threading.Thread(target=_read, args=(streams, queue), name="reader", daemon=True)
    reader.start()

    def notify(notice: Mapping[str, Any]) -> None:
        streams.send({"notice": notice})

    handlers = build(notify)
    notify({"state": "ready"})
    while True:
        call = queue.take()
        streams.write(_answer(handlers, call))


def log(text: str) -> None:
    """Write one line to the child's log. Never pass anything a person wrote."""
    with contextlib.suppress(OSError, ValueError):
        print(text, file=sys.stderr, flush=True)


def _answer(handlers: Mapping[str, Handler], call: Call) -> bytes:
    try:
        call.check()
        handler = handlers.get(call.op)
        if handler is None:
            raise WorkerError("workers.unknown_operation", op=call.op)
        return protocol.encode({"id": call.id, "result": handler(call.params, call) or {}})
    except DeskError as error:
        failure = error
    except MemoryError:
        failure = WorkerError("workers.out_of_memory", op=call.op)
    except Exception as error:  # noqa: BLE001 - one bad request must not end the child
        where = _where(error.__traceback__)
        log(f"{call.op} failed: {type(error).__name__}\n" + "\n".join(where))
        cause = f"{type(error).__name__} at {where[-1] if where else 'unknown place'}"
        failure = WorkerError("workers.failed", op=call.op, cause=cause)
    return protocol.encode({"id": call.id, "error": protocol.describe_error(failure)})


def _where(trace: TracebackType | None) -> list[str]:
    # File, line and function of each step. Neither the exception's text nor source lines: the text of a ValueError
    # or UnicodeError quotes the value, and that may be what the person wrote.
    frames = traceback.extract_tb(trace)
    return [f"{frame.filename}:{frame.lineno} in {frame.name}" for frame in frames]


def _read(streams: Streams, queue: Queue) -> None:
    decoder = protocol.Decoder()
    while True:
        try:
            data = streams.read()
        except OSError:
            data = b""
        if not data:
            os._exit(EXIT_PARENT_GONE)
        try:
            for message in decoder.feed(data):
                _accept(message, streams, queue)
        except ProtocolError as error:
            log(f"damaged request stream: {error}")
            os._exit(EXIT_GARBLED)


def _accept(message: Message, streams: Streams, queue: Queue) -> None:
    if "cancel" in message:
        queue.cancel(message["cancel"])
        return
    request, op, params = message.get("id"), message.get("op"), message.get("params", {})
    if not isinstance(request, int) or not isinstance(op, str) or not isinstance(params, dict):
        raise ProtocolError("request lacks id, op or params")
    queue.put(Call(request, op, params, message.get("background") is True, streams.send))
