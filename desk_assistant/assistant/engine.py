"""The model of the assistant: which one to use for a conversation, loading it, and asking it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from typing import Protocol

from desk_assistant.errors import DeskError, ModelError
from desk_assistant.llm.types import ChatMessage, Event, LlmState, LoadSpec, ModelInfo, Sampling
from desk_assistant.models import InstalledModel, ModelStore
from desk_assistant.models.fit import estimate
from desk_assistant.models.memory import available_memory
from desk_assistant.settings import Settings


class LlmService(Protocol):
    """What the assistant needs from a language model; `llm.client.LlmClient` is the one there is."""

    @property
    def state(self) -> LlmState:
        """What the model is doing."""

    @property
    def spec(self) -> LoadSpec | None:
        """What was loaded last."""

    def on_state(self, listener: Callable[[LlmState], None]) -> Callable[[], None]:
        """Call a listener at every change of state."""

    async def start(self) -> None:
        """Start the child."""

    async def stop(self) -> None:
        """End the child."""

    async def load(
        self, spec: LoadSpec, *, force: bool = False, progress: Callable[[float], None] | None = None
    ) -> ModelInfo:
        """Load a model."""

    async def count(self, texts: Sequence[str], *, background: bool = False) -> list[int]:
        """Count tokens of contents."""

    async def count_chat(self, messages: Sequence[ChatMessage], *, background: bool = False) -> int:
        """Count tokens of a whole prompt."""

    async def render(self, messages: Sequence[ChatMessage]) -> str:
        """Return the exact prompt."""

    async def warm(self, messages: Sequence[ChatMessage]) -> bool:
        """Read the beginning of a prompt ahead of time."""

    def generate(self, messages: Sequence[ChatMessage], sampling: Sampling) -> AsyncGenerator[Event, None]:
        """Answer."""

    def cancel(self) -> None:
        """Stop answering."""


class Engine:
    """Chooses, loads and serves the model.

    Args:
        llm: The model service.
        models: The models on this machine.
        settings: The person's settings.
        progress: Called with the share of the file that is read while a model loads.
    """

    def __init__(
        self, llm: LlmService, models: ModelStore, settings: Settings, progress: Callable[[float], None]
    ) -> None:
        self.llm = llm
        self.models = models
        self._settings = settings
        self._progress = progress
        self._changing = asyncio.Lock()
        self._model: InstalledModel | None = None
        self._info: ModelInfo | None = None

    @property
    def name(self) -> str:
        """Name of the model in use, empty before the first load."""
        return self._model.name if self._model else ""

    @property
    def loaded(self) -> str:
        """Id of the model in use, empty before the first load."""
        return self._model.id if self._model else ""

    @property
    def context(self) -> int:
        """Tokens of the window in use."""
        return self._info.context if self._info else self._settings.integer("model.context")

    def choose(self, language: str) -> InstalledModel:
        """Return the model that a conversation in `language` is answered by.

        Raises:
            ModelError: There is no model on this machine; the sentence says how to get one.
            NotFoundError: The model named in the settings is not here.
        """
        wanted = self._settings.text("model.name")
        if wanted != "auto":
            return self.models.find(wanted)
        best = self.models.preferred(language)
        if best is None:
            raise ModelError("assistant.no_model")
        return best

    async def ready(self, language: str, *, force: bool = False) -> InstalledModel:
        """Load the model for a language unless it is loaded already.

        Raises:
            DeskError: No model, or it cannot be loaded; the sentence says what to do.
        """
        async with self._changing:
            model = await asyncio.to_thread(self.choose, language)
            spec = self._spec(model)
            if self._model is not None and self._model.id == model.id and self.llm.spec == spec:
                return self._model
            if not force:
                await asyncio.to_thread(self._check, model, spec.context)
            self._info = await self.llm.load(spec, force=force, progress=self._progress)
            self._model = model
            return model

    def sampling(self, model: InstalledModel, max_tokens: int) -> Sampling:
        """Return how to sample: the catalogue's values for this model, with the person's own temperature if set."""
        base = model.sampling
        wished = self._settings.number("model.temperature")
        return Sampling(
            temperature=base.temperature if wished < 0 else wished,
            top_p=base.top_p,
            top_k=base.top_k,
            min_p=base.min_p,
            repeat_penalty=base.repeat_penalty,
            max_tokens=min(max_tokens, base.max_tokens) if model.entry else max_tokens,
        )

    def _spec(self, model: InstalledModel) -> LoadSpec:
        return LoadSpec(
            path=model.path,
            name=model.name,
            context=self._settings.integer("model.context"),
            threads=self._settings.integer("model.threads"),
            chat_template=model.chat_template,
            stop=model.stop,
        )

    def _check(self, model: InstalledModel, context: int) -> None:
        """Look at the file before llama.cpp does: whole, with a template, small enough for this machine's memory."""
        header = model.header()
        current = self._model.size if self._model else 0
        parts = estimate(header, context, available=available_memory(), releasing=current)
        if not parts.fits:
            raise ModelError(
                "assistant.does_not_fit",
                name=model.name,
                need=_gigabytes(parts.total),
                weights=_gigabytes(parts.weights),
                kv=_gigabytes(parts.kv + parts.compute),
                free=_gigabytes((parts.available or 0) + parts.releasing),
            )


def _gigabytes(size: int) -> str:
    return f"{size / 2**30:.1f} GB"


def sentence_of(error: BaseException) -> str:
    """Return what to tell a person about a failure."""
    return str(error) if isinstance(error, DeskError) else type(error).__name__
