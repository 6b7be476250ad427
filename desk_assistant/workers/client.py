"""The app's side of the pipe: one child, its requests, its life and death."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Literal, TypeAlias

from desk_assistant.errors import WorkerError
from desk_assistant.workers import launch, protocol
from desk_assistant.workers.death import death
from desk_assistant.workers.protocol import Message, ProtocolError

State: TypeAlias = Literal["stopped", "starting", "ready", "dead"]

RESTART_WINDOW: Final = 60.0
"""Seconds. A second death within them is not answered by another automatic start: it would likely end the same way."""

STOP_PATIENCE: Final = 2.0
"""Seconds a child gets to end by itself once its input is closed, before it is killed."""


class WorkerStream(AsyncIterator[Message]):
    """The events of one request, and its result after the last of them.

    Use it as an async context manager: leaving it early gives the request up. Ending the iteration raises what the
    child raised.
    """

    def __init__(self, client: WorkerClient, request: int) -> None:
        self._client = client
        self._id = request
        self._items: asyncio.Queue[Message | BaseException] = asyncio.Queue()
        self._finished = False
        self._result: Message | None = None

    @property
    def result(self) -> Message:
        """What the child answered; only there once the iteration has ended."""
        if self._result is None:
            raise RuntimeError("the stream has not ended")
        return self._result

    def cancel(self) -> None:
        """Ask the child to stop, and go on reading: its last words (an event, a result, an error) still come."""
        if not self._finished:
            self._client._post({"cancel": self._id})

    async def aclose(self) -> None:
        """Give the request up and forget what still comes."""
        if not self._finished:
            self.cancel()
            self._finished = True
            self._client._drop(self._id)

    async def __anext__(self) -> Message:
        if self._finished:
            raise StopAsyncIteration
        item = await self._items.get()
        if isinstance(item, BaseException):
            self._finished = True
            raise item
        if "event" in item:
            event: Message = item["event"]
            return event
        self._finished = True
        self._result = item.get("result", {})
        raise StopAsyncIteration

    async def __aenter__(self) -> WorkerStream:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def _deliver(self, item: Message | BaseException) -> None:
        self._items.put_nowait(item)


class WorkerClient:
    """Runs one child process and talks to it. Belongs to one event loop.

    A child that dies fails everything that was pending, with the cause in words, and is started again by the next
    request; when it dies twice within a minute the next requests fail too, until `start` is called again.

    Args:
        name: Which child, as the person reads it ("llm", "index").
        argv: Its command line; by default this program with the hidden sub-command for `name`.
        log: File its stderr goes to.
        env: Settings added to its environment.
    """

    def __init__(
        self, name: str, argv: Sequence[str] | None = None, *, log: Path, env: Mapping[str, str] | None = None
    ) -> None:
        self.name = name
        self.log = log
        self._argv = list(argv) if argv is not None else launch.command(name)
        self._env = dict(env or {})
        self._ids = itertools.count(1)
        self._pending: dict[int, WorkerStream] = {}
        self._state: State = "stopped"
        self._state_listeners: list[Callable[[State], None]] = []
        self._notice_listeners: list[Callable[[Message], None]] = []
        self._process: Process | None = None
        self._reader: asyncio.Task[None] | None = None
        self._ready: asyncio.Future[None] | None = None
        self._starting = asyncio.Lock()
        self._deaths: list[float] = []
        self._last_death: WorkerError | None = None
        self._generation = 0

    @property
    def state(self) -> State:
        """What the child is doing: stopped, starting, ready or dead."""
        return self._state

    @property
    def generation(self) -> int:
        """How many times the child was started. Whatever it was told before the last start, it no longer knows."""
        return self._generation

    @property
    def pid(self) -> int | None:
        """Process id of the living child, None when there is none."""
        return self._process.pid if self._process is not None and self._state in ("starting", "ready") else None

    @property
    def last_death(self) -> WorkerError | None:
        """Why the child died the last time, None when it never did."""
        return self._last_death

    def subscribe(self, listener: Callable[[Message], None]) -> Callable[[], None]:
        """Call `listener` with every notice of the child. Returns the function that ends it."""
        return _add(self._notice_listeners, listener)

    def on_state(self, listener: Callable[[State], None]) -> Callable[[], None]:
        """Call `listener` at every change of state. Returns the function that ends it."""
        return _add(self._state_listeners, listener)

    async def start(self) -> None:
        """Start the child and wait until it is ready. Does nothing when it is. Forgets earlier deaths.

        Raises:
            WorkerError: It could not be started, or died before it was ready.
        """
        self._deaths.clear()
        await self._ensure()

    async def ensure(self) -> None:
        """Have a ready child: start it when there is none, unless it has died twice within a minute.

        Raises:
            WorkerError: It could not be started, died before it was ready, or keeps dying.
        """
        if self._state == "ready":
            return
        if self._state == "dead" and self._keeps_dying():
            cause = self._last_death.cause if self._last_death is not None else None
            raise WorkerError("workers.died_again", name=self.name, log=self.log, cause=cause)
        await self._ensure()

    async def request(self, op: str, *, background: bool = False, **params: Any) -> Message:
        """Ask for one operation and wait for its result; events on the way are ignored.

        Cancelling the waiting task cancels the operation in the child.

        Args:
            op: Name of the operation.
            background: The operation may be cancelled by any request that is not in the background.
            **params: Its parameters; JSON values and paths.

        Raises:
            DeskError: What the operation raised in the child.
            WorkerCancelled: It was given up, most likely for a request of the person.
            WorkerError: The child died or cannot be started.
        """
        async with await self.stream(op, background=background, **params) as stream:
            async for _ in stream:
                continue
            return stream.result

    async def stream(self, op: str, *, background: bool = False, **params: Any) -> WorkerStream:
        """Ask for one operation and return its events as they come. Arguments and errors as in `request`."""
        await self.ensure()
        stream = WorkerStream(self, next(self._ids))
        frame = protocol.encode({"id": stream._id, "op": op, "params": params, "background": background})
        self._pending[stream._id] = stream
        try:
            await self._write(frame)
        except asyncio.CancelledError:
            await stream.aclose()
            raise
        return stream

    async def stop(self) -> None:
        """End the child: close its input, wait a moment, kill it. Pending requests fail. Safe to call at any time."""
        process, reader = self._process, self._reader
        if self._state != "dead":
            self._set_state("stopped")
        if process is None:
            return
        with contextlib.suppress(OSError):
            if process.stdin is not None:
                process.stdin.close()
        try:
            # Not `wait_for`: on Python 3.11 it swallows a cancellation that meets the end in the same moment.
            async with asyncio.timeout(STOP_PATIENCE):
                await process.wait()
        except TimeoutError:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
            await process.wait()
        if reader is not None:
            await asyncio.wait([reader])

    async def _ensure(self) -> None:
        async with self._starting:
            if self._state == "ready":
                return
            if self._reader is not None and not self._reader.done():
                await asyncio.wait([self._reader])
            await self._spawn()

    async def _spawn(self) -> None:
        self._set_state("starting")
        self._generation += 1
        log = launch.open_log(self.log)
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._argv,
                stdin=PIPE,
                stdout=PIPE,
                stderr=log,
                env=launch.environment(self._env),
                limit=protocol.MAX_FRAME,
                **launch.process_options(),
            )
        except asyncio.CancelledError:
            self._set_state("stopped")
            raise
        except OSError as error:
            self._set_state("dead")
            raise WorkerError(
                "workers.not_started", name=self.name, reason=error.strerror or type(error).__name__, cause=repr(error)
            ) from error
        finally:
            log.close()
        if self._state == "stopped":
            # `stop` was called while the process was being made, when there was nothing yet that it could end.
            self._process.kill()
        self._ready = asyncio.get_running_loop().create_future()
        self._reader = asyncio.create_task(self._read(self._process), name=f"read {self.name}")
        try:
            await asyncio.shield(self._ready)
        except asyncio.CancelledError:
            await self.stop()
            raise

    async def _read(self, process: Process) -> None:
        assert process.stdout is not None
        try:
            while True:
                length = protocol.body_length(await process.stdout.readexactly(protocol.HEADER.size))
                self._dispatch(protocol.decode_body(await process.stdout.readexactly(length)))
        except (asyncio.IncompleteReadError, ConnectionError):
            error = None
        except ProtocolError as damage:
            error = WorkerError("workers.garbled", cause=str(damage))
        if error is not None:
            with contextlib.suppress(ProcessLookupError):
                process.kill()
        status = await process.wait()
        self._ended(error or death(self.name, status, self.log))

    def _ended(self, error: WorkerError) -> None:
        stopped = self._state == "stopped"
        if stopped:
            error = WorkerError("workers.stopped", name=self.name)
        else:
            self._deaths.append(time.monotonic())
            self._last_death = error
        self._process = None
        pending, self._pending = self._pending, {}
        if not stopped:
            self._set_state("dead")
        if self._ready is not None and not self._ready.done():
            self._ready.set_exception(error)
            # Whoever started the child may have stopped waiting; then nobody is left to be told.
            self._ready.exception()
        for stream in pending.values():
            stream._deliver(error)

    def _dispatch(self, message: Message) -> None:
        if "notice" in message:
            notice = message["notice"]
            if isinstance(notice, dict) and notice.get("state") == "ready":
                self._set_state("ready")
                if self._ready is not None and not self._ready.done():
                    self._ready.set_result(None)
            _tell(self._notice_listeners, notice)
            return
        stream = self._pending.get(message.get("id", 0))
        if stream is None:
            return
        if "event" not in message:
            del self._pending[stream._id]
        stream._deliver(protocol.restore_error(message["error"]) if "error" in message else message)

    async def _write(self, frame: bytes) -> None:
        writer = self._process.stdin if self._process is not None else None
        if writer is None or writer.is_closing():
            return
        # A pipe that breaks here means a dying child: the reader will tell every pending request why.
        with contextlib.suppress(ConnectionError):
            writer.write(frame)
            await writer.drain()

    def _post(self, message: Message) -> None:
        writer = self._process.stdin if self._process is not None else None
        if writer is not None and not writer.is_closing():
            writer.write(protocol.encode(message))

    def _drop(self, request: int) -> None:
        self._pending.pop(request, None)

    def _keeps_dying(self) -> bool:
        return len(self._deaths) >= 2 and self._deaths[-1] - self._deaths[-2] < RESTART_WINDOW

    def _set_state(self, state: State) -> None:
        if state != self._state:
            self._state = state
            _tell(self._state_listeners, state)


def _tell(listeners: Sequence[Callable[[Any], None]], news: object) -> None:
    for listener in tuple(listeners):
        try:
            listener(news)
        except Exception as error:  # noqa: BLE001 - a listener's mistake must not stop the reading of frames
            context = {"message": "a worker's listener failed", "exception": error}
            asyncio.get_running_loop().call_exception_handler(context)


def _add(listeners: list[Any], listener: Any) -> Callable[[], None]:
    listeners.append(listener)

    def remove() -> None:
        with contextlib.suppress(ValueError):
            listeners.remove(listener)

    return remove
