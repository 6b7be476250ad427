"""The two children of an assistant: launching them, and telling how they stand."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from desk_assistant import i18n
from desk_assistant.assistant.engine import Engine
from desk_assistant.assistant.status import PartStatus, Status
from desk_assistant.errors import DeskError
from desk_assistant.i18n import t
from desk_assistant.memory.ports import IndexService
from desk_assistant.memory.service import Memory

log = logging.getLogger(__name__)


class Parts:
    """Launches the language model and the memory search in the background.

    Args:
        engine: The language model.
        index: The memory search.
        memory: Begins its background pass once the index is open.
        ready: Called when the model can answer for the first time.
    """

    def __init__(self, engine: Engine, index: IndexService, memory: Memory, ready: Callable[[], None]) -> None:
        self._engine = engine
        self._index = index
        self._memory = memory
        self._ready = ready
        self._status = Status()
        self._listeners: list[Callable[[Status], None]] = []
        self._starting: list[asyncio.Task[None]] = []
        self._detach: list[Callable[[], None]] = []

    @property
    def status(self) -> Status:
        """How the parts stand."""
        return self._status

    def on_status(self, listener: Callable[[Status], None]) -> Callable[[], None]:
        """Call `listener` on the event loop at every change; returns the function that ends it."""
        self._listeners.append(listener)

        def unsubscribe() -> None:
            with contextlib.suppress(ValueError):
                self._listeners.remove(listener)

        return unsubscribe

    def start(self, *, llm: bool, index: bool) -> None:
        """Launch the parts and return at once."""
        if index:
            self._set(index=PartStatus("starting", t("assistant.index_loading")))
            self._starting.append(asyncio.create_task(self._start_index(), name="start index"))
        if llm:
            self._set(llm=PartStatus("starting"))
            self._detach = self._detach or [
                self._engine.llm.on_state(lambda state: self._llm_changed(state)),
                self._engine.on_failure(lambda error: self._set(llm=PartStatus("failed", str(error)))),
                self._engine.on_loading(
                    lambda share: self._set(llm=PartStatus("starting", self._status.llm.detail, share))
                ),
            ]
            self._starting.append(asyncio.create_task(self._start_llm(), name="start llm"))

    async def end_starting(self) -> None:
        """Give up what is still being launched."""
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)

    async def close(self) -> None:
        """End both children."""
        for detach in self._detach:
            detach()
        await asyncio.gather(self._engine.llm.stop(), self._index.close(), return_exceptions=True)

    async def _start_index(self) -> None:
        try:
            self._index.on_damage = self._index_damaged
            self._index.on_backfill = self._index_filled
            state = await self._index.open()
            if state.moved_to:
                self._index_damaged(Path(state.moved_to))
            await self._memory.reconcile()
            self._memory.start()
            if self._index.embedder in ("loading", "ready"):
                self._set(index=PartStatus("starting", t("assistant.memory_by_text")))
            embedder = await self._index.wait_embedder()
            detail = "" if embedder == "ready" else t("assistant.no_embeddings")
            self._set(index=PartStatus("ready", detail))
        except DeskError as error:
            log.warning("index did not start: %s %s", error.key, error.cause)
            self._set(index=PartStatus("failed", str(error)))
            self._memory.start()

    async def _start_llm(self) -> None:
        try:
            model = await self._engine.ready(i18n.language())
            self._set(llm=PartStatus("ready", model.name))
            self._ready()
        except DeskError as error:
            log.warning("model did not start: %s %s", error.key, error.cause)
            self._set(llm=PartStatus("failed", str(error)))

    def _index_damaged(self, moved_to: Path) -> None:
        self._set(index=PartStatus("starting", t("assistant.index_rebuilt", path=moved_to)))
        self._starting.append(asyncio.get_running_loop().create_task(self._rebuild(), name="rebuild index"))

    def _index_filled(self, done: int, left: int) -> None:
        """Records get the vectors they lack, all of them after a change of the embedding model; search goes on."""
        share = done / (done + left) if left else None
        self._set(index=replace(self._status.index, progress=share))

    async def _rebuild(self) -> None:
        with contextlib.suppress(DeskError):
            await self._memory.reconcile()

    def _llm_changed(self, state: str) -> None:
        if state == "ready":
            self._set(llm=PartStatus("ready", self._engine.name))
        elif state == "dead":
            death = self._engine.llm.last_death
            self._set(llm=PartStatus("failed", str(death) if death is not None else t("assistant.model_died")))
        elif state in ("starting", "loading", "empty"):
            self._set(llm=PartStatus("starting", t("assistant.model_loading", name=self._engine.name or "…")))

    def _set(self, **parts: PartStatus) -> None:
        status = replace(self._status, **parts)  # type: ignore[arg-type]
        if status != self._status:
            self._status = status
            for listener in tuple(self._listeners):
                listener(status)
