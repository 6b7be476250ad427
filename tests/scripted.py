"""A language model and an index that do as they are told, for tests about what happens around them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from desk_assistant import textkit
from desk_assistant.errors import DeskError
from desk_assistant.index.asking import asked
from desk_assistant.index.evidence import Evidence, Part
from desk_assistant.index.records import EmbedderState, Hit, IndexRecord, IndexState
from desk_assistant.index.records import Role as IndexRole
from desk_assistant.index.sorts import SORTS, Sort
from desk_assistant.llm.types import (
    ChatMessage,
    Event,
    Finished,
    LlmState,
    LoadSpec,
    ModelInfo,
    Piece,
    Prefill,
    Reason,
    Sampling,
)


class ScriptedLlm:
    """Answers with the given texts in turn, word by word; counts a token for every four characters.

    Attributes:
        prompts: The conversations it was asked to answer, in order.
        gate: When set to an event, each answer waits for it before its first word.
        after: When set, `(words, error)`: the answer fails with the error after so many words.
        thought: What it thinks before each answer.
        warmed: The beginnings of prompts it was asked to read ahead, in order.
        loading: When set to an event, each load waits for it.
        counting: When set to an event, each count waits for it.
        samplings: How it was asked to sample, in order.
    """

    def __init__(self, answers: Iterable[str] = ("Understood.",)) -> None:
        self._answers = list(answers)
        self.prompts: list[list[ChatMessage]] = []
        self.gate: asyncio.Event | None = None
        self.pause: asyncio.Event | None = None
        self.after: tuple[int, DeskError] | None = None
        self.load_error: DeskError | None = None
        self.thought = ""
        self.warmed: list[list[ChatMessage]] = []
        self.loading: asyncio.Event | None = None
        self.counting: asyncio.Event | None = None
        self.samplings: list[Sampling] = []
        self._state: LlmState = "stopped"
        self._spec: LoadSpec | None = None
        self._listeners: list[Callable[[LlmState], None]] = []
        self._cancelled = asyncio.Event()

    @property
    def state(self) -> LlmState:
        return self._state

    @property
    def spec(self) -> LoadSpec | None:
        return self._spec

    @property
    def last_death(self) -> DeskError | None:
        return None

    def on_state(self, listener: Callable[[LlmState], None]) -> Callable[[], None]:
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def _tell(self, state: LlmState) -> None:
        self._state = state
        for listener in tuple(self._listeners):
            listener(state)

    async def start(self) -> None:
        self._tell("empty")

    async def stop(self) -> None:
        self._tell("stopped")

    async def load(
        self, spec: LoadSpec, *, force: bool = False, progress: Callable[[float], None] | None = None
    ) -> ModelInfo:
        if self.loading is not None:
            await self.loading.wait()
        if self.load_error is not None:
            raise self.load_error
        self._spec = spec
        self._tell("ready")
        return ModelInfo(spec.name, "scripted", spec.context, 8192, 2048, True, True, 1, 1, 1, 0.0)

    async def count(self, texts: Sequence[str], *, background: bool = False) -> list[int]:
        if self.counting is not None:
            await self.counting.wait()
        return [(len(text) + 3) // 4 for text in texts]

    async def count_chat(self, messages: Sequence[ChatMessage], *, background: bool = False) -> int:
        return sum((len(message.content) + 3) // 4 + 4 for message in messages)

    async def render(self, messages: Sequence[ChatMessage]) -> str:
        return "\n".join(f"<{message.role}> {message.content}" for message in messages)

    async def warm(self, messages: Sequence[ChatMessage]) -> bool:
        self.warmed.append(list(messages))
        return True

    async def generate(
        self,
        messages: Sequence[ChatMessage],
        sampling: Sampling,
        *,
        background: bool = False,
        schema: Mapping[str, Any] | None = None,
    ) -> AsyncGenerator[Event, None]:
        self.prompts.append(list(messages))
        self.samplings.append(sampling)
        self._cancelled.clear()
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        yield Prefill(10, 10)
        if self.gate is not None:
            await self.gate.wait()
        if self.thought:
            yield Piece(self.thought, thought=True)
        said = ""
        words = answer.split(" ")
        for place, word in enumerate(words):
            if self.after is not None and place == self.after[0]:
                raise self.after[1]
            if self._cancelled.is_set():
                break
            piece = word if place == 0 else f" {word}"
            said += piece
            yield Piece(piece)
            if self.pause is not None and place == 0:
                waiting = [asyncio.ensure_future(e.wait()) for e in (self.pause, self._cancelled)]
                await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                for task in waiting:
                    task.cancel()
        reason: Reason = "cancelled" if self._cancelled.is_set() else "stop"
        yield Finished(reason, 20, 10, 10, len(words), 0.1, 0.1, said)

    def cancel(self) -> None:
        self._cancelled.set()


class WordIndex:
    """An index that finds records by shared words, in memory.

    Attributes:
        sorts: Sort of the sentences that hold some words, for a classifier that does as it is told.
        state: State of the embedding model.
    """

    def __init__(self) -> None:
        self.records: dict[str, IndexRecord] = {}
        self.erased: list[str] = []
        self.on_damage: Callable[[Path], None] | None = None
        self.on_backfill: Callable[[int, int], None] | None = None
        self.error: DeskError | None = None
        self.sorts: dict[str, Sort] = {}
        self.state: EmbedderState = "absent"

    @property
    def embedder(self) -> EmbedderState:
        return self.state

    def _check(self) -> None:
        if self.error is not None:
            raise self.error

    async def open(self) -> IndexState:
        self._check()
        return IndexState(len(self.records), 0, "absent")

    async def close(self) -> None:
        return None

    async def wait_embedder(self) -> EmbedderState:
        return self.state

    async def add(self, records: Iterable[IndexRecord], *, background: bool = False) -> None:
        self._check()
        self.records.update((record.id, record) for record in records)

    async def delete(self, ids: Sequence[str]) -> None:
        for record_id in ids:
            self.records.pop(record_id, None)

    async def erase(self, ids: Sequence[str]) -> None:
        await self.delete(ids)
        self.erased += ids

    async def explore(
        self,
        question: str,
        *,
        lexical: str | None = None,
        kinds: Sequence[str] = (),
        sessions: Sequence[str] = (),
    ) -> Evidence:
        self._check()
        questions = asked(question)
        records = [
            record
            for record in self.records.values()
            if (not kinds or record.kind in kinds) and (not sessions or record.session in sessions)
        ]
        parts = tuple(Part(text, _found(records, text)) for text in questions.parts)
        parts = parts or (Part(question, _found(records, lexical or question)),)
        return Evidence(question, parts, questions=questions.questions, degraded=True)

    async def embed(self, texts: Sequence[str], role: IndexRole) -> Sequence[Sequence[float]]:
        raise AssertionError("there is no embedding model here")

    async def classify(self, texts: Sequence[str], *, background: bool = False) -> Sequence[Mapping[Sort, float]]:
        found = []
        for text in texts:
            sort = next((sort for part, sort in self.sorts.items() if part in text), None)
            found.append({known: (1.0 if known == sort else 0.0) for known in SORTS})
        return found

    async def ids(self) -> tuple[str, ...]:
        return tuple(self.records)

    async def reset(self) -> None:
        self.records.clear()

    async def backfill(self) -> None:
        return None


def _found(records: Iterable[IndexRecord], text: str) -> tuple[Hit, ...]:
    wanted = _grams(text)
    shared = ((record, len(wanted & _grams(record.lexical or record.text))) for record in records)
    return tuple(Hit(r.id, r.kind, r.session, None, float(count) * 3) for r, count in shared if count)


def _grams(text: str) -> set[str]:
    found: set[str] = set()
    for word in textkit.content_words(text):
        if word.isascii():
            found.add(word.removesuffix("s"))
        else:
            found.update(word[i : i + 2] for i in range(max(1, len(word) - 1)))
    return found
