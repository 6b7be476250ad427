"""The model as a reader in the background: what memory asks it for, and the exam that decides whether it may."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from typing import Any, Final

from desk_assistant import textkit
from desk_assistant.assistant import exam
from desk_assistant.assistant.engine import Engine
from desk_assistant.errors import DeskError, ModelError
from desk_assistant.llm.types import ChatMessage, Finished, Sampling
from desk_assistant.models import InstalledModel
from desk_assistant.models.aptitude import Aptitude, Aptitudes
from desk_assistant.workers import WorkerCancelled

log = logging.getLogger(__name__)

SURE: Final = Sampling(temperature=0.0, top_p=1.0, top_k=0, min_p=0.0, repeat_penalty=1.0, max_tokens=200)
"""The likeliest words: the same text is always read alike."""

PAUSE: Final = 2.0
"""Seconds after giving way before the exam is gone on with."""


class Reader:
    """Asks the model in use, in the background, if it is able to what it is asked for.

    Args:
        engine: The model.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._aptitudes = Aptitudes(engine.models, exam.VERSION)
        self._known: tuple[str, Aptitude | None] = ("", None)
        self._sitting: asyncio.Task[None] | None = None

    @property
    def aptitude(self) -> Aptitude | None:
        """What the model in use was found able to do; None before its exam, and when no model is in use."""
        loaded = self._engine.loaded
        if loaded != self._known[0]:
            model = self._engine.model
            self._known = (loaded, self._aptitudes.of(model) if model is not None else None)
        return self._known[1]

    def aptitude_of(self, model: InstalledModel) -> Aptitude | None:
        """Return what a model of this machine was found able to do; None before its exam."""
        return self._aptitudes.of(model)

    @property
    def able(self) -> bool:
        """Whether a model is in use that passed the exam for reading in some language."""
        return self._engine.llm.state == "ready" and self.aptitude is not None and bool(self.aptitude.reads)

    @property
    def summarises(self) -> tuple[str, ...]:
        """Languages in which the model in use may sum up."""
        ready = self._engine.llm.state == "ready" and self.aptitude is not None
        return self.aptitude.summarises if ready and self.aptitude is not None else ()

    async def complete(self, instruction: str, text: str, schema: Mapping[str, Any]) -> str:
        """Return what the model writes about a text; nothing in a language that it did not pass the exam in.

        Raises:
            WorkerCancelled: The person came first.
            DeskError: The model cannot be asked now.
        """
        able = self.aptitude
        if able is None or textkit.guess_language(text) not in (*able.reads, *able.summarises):
            return ""
        return await self.answer(instruction, text, schema)

    async def answer(self, instruction: str, text: str, schema: Mapping[str, Any]) -> str:
        """Return what the model writes, whether it is able or not. Raises like `complete`."""
        if self._engine.llm.state != "ready":
            raise ModelError("llm.not_loaded")
        messages = [ChatMessage("system", instruction), ChatMessage("user", text)]
        said = ""
        async for event in self._engine.llm.generate(messages, SURE, background=True, schema=schema):
            if isinstance(event, Finished):
                said = event.text
        return said

    # --- the exam -----------------------------------------------------------------------------------------------------

    async def examine(
        self, model: InstalledModel, told: Callable[[exam.Probe, bool, str], None] | None = None
    ) -> Aptitude:
        """Have the model in use sit the exam, and keep the result with it.

        Args:
            model: The model that is loaded.
            told: Called after each probe with the probe, whether it was passed, and the answer.

        Raises:
            WorkerCancelled: The person came first; nothing is kept.
            DeskError: The model cannot be asked now.
        """
        passed: dict[str, bool] = {}
        async for probe, good, answer in exam.sit(self):
            passed[probe.name] = good
            if told is not None:
                told(probe, good, answer)
        found = exam.result(model, passed)
        try:
            await asyncio.to_thread(self._aptitudes.keep, model, found)
        except OSError as error:
            log.warning("exam result not kept: %r", error)
        self._known = (model.id, found)
        return found

    def examine_when_idle(self) -> None:
        """Have the model in use sit the exam in the background, unless it has; every message comes first."""
        if self._sitting is None or self._sitting.done():
            self._sitting = asyncio.get_running_loop().create_task(self._sit(), name="exam")

    async def close(self) -> None:
        """Break off what is going on."""
        if self._sitting is not None:
            self._sitting.cancel()
            await asyncio.wait([self._sitting])

    async def _sit(self) -> None:
        while (model := self._engine.model) is not None and self.aptitude is None:
            try:
                found = await self.examine(model)
                log.info("exam of %s: %s of %s, reads %s", model.id, *found.score, found.reads)
            except WorkerCancelled:
                await asyncio.sleep(PAUSE)
            except DeskError as error:
                log.info("exam put off: %s", error.key)
                return
