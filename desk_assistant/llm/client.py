"""The language model as the app sees it: load it, count, ask, listen. The computing happens in a child process."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final

from desk_assistant.errors import DeskError, ModelError, WorkerError
from desk_assistant.llm.marker import LoadMarker
from desk_assistant.llm.types import (
    ChatMessage,
    Event,
    Finished,
    LlmState,
    LoadSpec,
    ModelInfo,
    Piece,
    Prefill,
    Sampling,
)
from desk_assistant.workers import WorkerCancelled, WorkerClient, WorkerStream
from desk_assistant.workers.client import State
from desk_assistant.workers.protocol import Message

MARKER_NAME: Final = "llm.loading"

DEATHS: Final = "workers.died_"
"""Beginning of the keys that tell of a child's end."""


class LlmClient:
    """One language model in a child process. Belongs to one event loop.

    A child that died is started again by the next request, and gets the model that was loaded last.

    Args:
        log: File for what llama.cpp says.
        worker: The child, when it is not to be started the ordinary way.
    """

    def __init__(self, log: Path, *, worker: WorkerClient | None = None) -> None:
        self._worker = worker or WorkerClient("llm", log=log)
        self._marker = LoadMarker(log.with_name(MARKER_NAME))
        self._spec: LoadSpec | None = None
        self._info: ModelInfo | None = None
        self._loaded_in = -1
        self._changing = asyncio.Lock()
        self._loading = False
        self._told: LlmState = "stopped"
        self._listeners: list[Callable[[LlmState], None]] = []
        self._answering: set[WorkerStream] = set()
        self._worker.on_state(self._worker_changed)

    @property
    def state(self) -> LlmState:
        """What the model is doing; see `LlmState`."""
        if self._loading and self._worker.state == "ready":
            return "loading"
        if self._worker.state == "ready":
            return "ready" if self._loaded else "empty"
        return self._worker.state

    @property
    def info(self) -> ModelInfo | None:
        """What was loaded last, None before the first time and after `unload`."""
        return self._info

    @property
    def spec(self) -> LoadSpec | None:
        """What was loaded last and is loaded again when the child has died."""
        return self._spec

    @property
    def last_death(self) -> WorkerError | None:
        """Why the child died the last time, None when it never did."""
        return self._worker.last_death

    @property
    def pid(self) -> int | None:
        """Process id of the child, None when it is not there."""
        return self._worker.pid

    def on_state(self, listener: Callable[[LlmState], None]) -> Callable[[], None]:
        """Call `listener` at every change of `state`. Returns the function that ends it."""
        self._listeners.append(listener)

        def remove() -> None:
            with contextlib.suppress(ValueError):
                self._listeners.remove(listener)

        return remove

    async def start(self) -> None:
        """Start the child without a model, so that a later `load` only has to read the file. Forgets earlier deaths.

        Raises:
            WorkerError: It could not be started.
        """
        await self._worker.start()

    async def stop(self) -> None:
        """End the child. What was loaded is remembered, and loaded again by the next request."""
        await self._worker.stop()

    async def load(
        self, spec: LoadSpec, *, force: bool = False, progress: Callable[[float], None] | None = None
    ) -> ModelInfo:
        """Load a model in place of the present one.

        Args:
            spec: What to load.
            force: Try even though the last attempt at this file ended the child or the program.
            progress: Called with the share that is read, 0 to 1.

        Raises:
            ModelError: The file is missing, damaged, has no chat template, does not fit, or crashed the child, now or
                the last time. The model that was loaded before is loaded again by the next request.
            WorkerError: The child cannot be started.
            WorkerCancelled: The waiting task was cancelled.
        """
        async with self._changing:
            if not force and self._marker.crashed(spec.path):
                raise ModelError("llm.crashed_last_time", name=spec.name, path=spec.path)
            # Asked for by the person: earlier deaths, perhaps of another model, do not count.
            await self._worker.start()
            return await self._load(spec, progress=progress)

    async def unload(self) -> None:
        """Give the model's memory back and forget what was loaded."""
        async with self._changing:
            self._spec = self._info = None
            if self._worker.state == "ready":
                await self._worker.request("unload")
            self._loaded_in = -1
            self._tell()

    async def count(self, texts: Sequence[str], *, background: bool = False) -> list[int]:
        """Return for each text how many tokens it takes as the content of a message."""
        await self._ensure()
        reply = await self._worker.request("count", background=background, texts=list(texts))
        return [int(count) for count in reply["counts"]]

    async def count_chat(self, messages: Sequence[ChatMessage], *, background: bool = False) -> int:
        """Return how many tokens the whole prompt takes, the template's own included."""
        await self._ensure()
        reply = await self._worker.request("count_chat", background=background, messages=_pairs(messages))
        return int(reply["count"])

    async def render(self, messages: Sequence[ChatMessage]) -> str:
        """Return the exact prompt as text."""
        await self._ensure()
        reply = await self._worker.request("render", messages=_pairs(messages))
        return str(reply["text"])

    async def warm(self, messages: Sequence[ChatMessage], *, progress: Callable[[Prefill], None] | None = None) -> bool:
        """Read the beginning of the conversation's next prompt ahead of time, in the background.

        Args:
            messages: The beginning: persona, profile, history.
            progress: Called as it is read.

        Returns:
            Whether it was read to the end; False when a request of the person came first. What was read stays.
        """
        await self._ensure()
        try:
            async with await self._worker.stream("warm", background=True, messages=_pairs(messages)) as stream:
                async for event in stream:
                    if progress is not None:
                        progress(Prefill(*event["prefill"]))
        except WorkerCancelled:
            return False
        return True

    async def generate(
        self,
        messages: Sequence[ChatMessage],
        sampling: Sampling,
        *,
        background: bool = False,
        schema: Mapping[str, Any] | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Answer a conversation; the last event is `Finished`.

        A last message of the assistant is continued. Closing the iterator stops the model at once; `cancel` does too,
        and lets the iterator end with a `Finished`.

        Args:
            messages: The conversation in order.
            sampling: How to choose tokens.
            background: Use a cache of its own and give way to the person's requests.
            schema: JSON schema the answer follows. The caller still has to validate: an answer can be cut off.

        Raises:
            ModelError: No model is loaded, the prompt does not fit (`llm.too_long`), or the template refuses it.
            WorkerCancelled: A background request had to give way.
            WorkerError: The child died; the next request starts it again.
        """
        await self._ensure()
        stream = await self._worker.stream(
            "generate", background=background, messages=_pairs(messages), sampling=asdict(sampling), schema=schema
        )
        self._answering.add(stream)
        try:
            async for event in stream:
                yield _event(event)
            yield Finished(**stream.result)
        finally:
            self._answering.discard(stream)
            await stream.aclose()

    def cancel(self) -> None:
        """Ask every answer that is being produced to stop; each ends with what it had."""
        for stream in tuple(self._answering):
            stream.cancel()

    @property
    def _loaded(self) -> bool:
        return self._spec is not None and self._loaded_in == self._worker.generation

    async def _ensure(self) -> None:
        if self._loaded and self._worker.state == "ready":
            return
        async with self._changing:
            await self._worker.ensure()
            if self._loaded:
                return
            if self._spec is None:
                raise ModelError("llm.not_loaded")
            if self._marker.crashed(self._spec.path):
                raise ModelError("llm.crashed_last_time", name=self._spec.name, path=self._spec.path)
            await self._load(self._spec, progress=None)

    async def _load(self, spec: LoadSpec, *, progress: Callable[[float], None] | None) -> ModelInfo:
        generation = self._worker.generation
        self._loaded_in = -1
        with self._marked(spec), self._announced():
            async with await self._worker.stream("load", spec=spec.to_json()) as stream:
                async for event in stream:
                    if progress is not None and "loading" in event:
                        progress(float(event["loading"]))
                info = ModelInfo(**stream.result)
            self._spec, self._info, self._loaded_in = spec, info, generation
        return info

    @contextlib.contextmanager
    def _marked(self, spec: LoadSpec) -> Iterator[None]:
        crashed = False
        self._marker.begin(spec.path)
        try:
            yield
        except WorkerError as error:
            if not error.key.startswith(DEATHS):
                raise
            crashed = True
            params: dict[str, Any] = {"name": spec.name, "path": spec.path, "log": self._worker.log}
            raise ModelError("llm.crashed", reason=_reason(error), cause=error.cause, **params) from error
        finally:
            proven = self._spec is not None and self._spec.path == spec.path
            self._marker.done(crashed=crashed, proven=proven)

    @contextlib.contextmanager
    def _announced(self) -> Iterator[None]:
        self._loading = True
        self._tell()
        try:
            yield
        finally:
            self._loading = False
            self._tell()

    def _worker_changed(self, _state: State) -> None:
        self._tell()

    def _tell(self) -> None:
        state = self.state
        if state != self._told:
            self._told = state
            for listener in tuple(self._listeners):
                listener(state)


def _pairs(messages: Sequence[ChatMessage]) -> list[list[str]]:
    return [[message.role, message.content] for message in messages]


def _event(message: Message) -> Event:
    if "prefill" in message:
        done, total = message["prefill"]
        return Prefill(int(done), int(total))
    return Piece(str(message["piece"]), bool(message.get("thought")))


def _reason(error: DeskError) -> str:
    return str(error.params.get("signal") or error.params.get("code") or error.cause or "?")
