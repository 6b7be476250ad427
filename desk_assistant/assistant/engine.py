"""The model of the assistant: which one to use for a conversation, loading it, and asking it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from desk_assistant.assistant.model_choices import gigabytes, load_spec, sampling_for
from desk_assistant.errors import DeskError, ModelError
from desk_assistant.llm.types import ChatMessage, Event, LlmState, LoadSpec, ModelInfo, Sampling
from desk_assistant.models import InstalledModel, ModelStore
from desk_assistant.models.fit import MemoryParts, estimate, largest_context
from desk_assistant.models.memory import available_memory
from desk_assistant.settings import Settings

REFUSALS: Final = frozenset(
    {"assistant.does_not_fit", "assistant.does_not_fit_context", "llm.crashed", "llm.crashed_last_time"}
)
"""Keys of the errors after which a model can be loaded anyway."""


class LlmService(Protocol):
    """What the assistant needs from a language model; `llm.client.LlmClient` is the one there is."""

    @property
    def state(self) -> LlmState:
        """What the model is doing."""

    @property
    def spec(self) -> LoadSpec | None:
        """What was loaded last."""

    @property
    def last_death(self) -> DeskError | None:
        """Why its process ended the last time, None when it never did."""

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

    def generate(
        self,
        messages: Sequence[ChatMessage],
        sampling: Sampling,
        *,
        background: bool = False,
        schema: Mapping[str, Any] | None = None,
    ) -> AsyncGenerator[Event, None]:
        """Answer; in the background with a cache of its own, giving way to the person."""

    def cancel(self) -> None:
        """Stop answering."""


class Engine:
    """Chooses, loads and serves the model.

    Args:
        llm: The model service.
        models: The models on this machine.
        settings: The person's settings.

    Attributes:
        insist: Load models anyway: although they seem too large, or their last load ended badly.
    """

    def __init__(self, llm: LlmService, models: ModelStore, settings: Settings) -> None:
        self.llm = llm
        self.models = models
        self._settings = settings
        self._loading: list[Callable[[float], None]] = []
        self._failures: list[Callable[[DeskError], None]] = []
        self.insist = False
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
    def model(self) -> InstalledModel | None:
        """The model in use, None before the first load."""
        return self._model

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

    def serves(self, model: InstalledModel) -> bool:
        """Tell whether a model is loaded as the settings want it, by a process that lives."""
        return self.loaded == model.id and self.llm.spec == self._spec(model) and self.llm.state == "ready"

    async def ready(self, language: str) -> InstalledModel:
        """Load the model for a language unless it is loaded already.

        Raises:
            DeskError: No model, or it cannot be loaded; the sentence says what to do.
        """
        async with self._changing:
            return await self._use(await asyncio.to_thread(self.choose, language), force=False)

    async def load(self, model: InstalledModel, *, force: bool = False) -> InstalledModel:
        """Load one model. Arguments and errors as in `Assistant.load_model`."""
        async with self._changing:
            return await self._use(model, force=force)

    def sampling(self, model: InstalledModel, max_tokens: int) -> Sampling:
        """Return how to sample; see `sampling_for`."""
        return sampling_for(model, self._settings, max_tokens)

    def fit(self, model: InstalledModel) -> MemoryParts:
        """Return what a model needs of this machine's memory, by part, in place of the one that is loaded.

        Raises:
            ModelError: The file is missing, damaged, not a language model or has no chat template.
        """
        return estimate(
            model.header(),
            self._spec(model).context,
            available=available_memory(),
            releasing=self._model.size if self._model else 0,
        )

    def on_loading(self, listener: Callable[[float], None]) -> Callable[[], None]:
        """Call `listener` with the share of the file that is read while a model loads. Returns what ends it."""
        self._loading.append(listener)
        return lambda: self._loading.remove(listener)

    def on_failure(self, listener: Callable[[DeskError], None]) -> Callable[[], None]:
        """Call `listener` when a model cannot be loaded. Returns what ends it."""
        self._failures.append(listener)
        return lambda: self._failures.remove(listener)

    async def _use(self, model: InstalledModel, *, force: bool) -> InstalledModel:
        if self.serves(model):
            return model
        spec = self._spec(model)
        force = force or self.insist
        former = self._model
        try:
            if not force:
                await asyncio.to_thread(self._check, model)
            self._model = model
            self._info = await self.llm.load(spec, force=force, progress=self._told)
        except BaseException as error:
            self._model = former
            if not isinstance(error, DeskError):
                raise
            for listener in tuple(self._failures):
                listener(error)
            raise
        return model

    def _told(self, share: float) -> None:
        for listener in tuple(self._loading):
            listener(share)

    def _spec(self, model: InstalledModel) -> LoadSpec:
        return load_spec(model, self._settings)

    def _check(self, model: InstalledModel) -> None:
        """Look at the file before llama.cpp does: whole, with a template, small enough for this machine's memory."""
        parts = self.fit(model)
        if parts.fits:
            return
        smaller = largest_context(model.header(), parts.context, available=parts.available, releasing=parts.releasing)
        raise ModelError(
            "assistant.does_not_fit_context" if smaller else "assistant.does_not_fit",
            name=model.name,
            need=gigabytes(parts.total),
            weights=gigabytes(parts.weights),
            kv=gigabytes(parts.kv + parts.compute),
            free=gigabytes((parts.available or 0) + parts.releasing),
            context=parts.context,
            smaller=smaller,
        )
