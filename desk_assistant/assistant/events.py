"""What happens during one turn, told to the front end as it happens."""

from __future__ import annotations

from dataclasses import dataclass

from desk_assistant.memory.records import RecallResult
from desk_assistant.privacy import Span
from desk_assistant.store import Message


@dataclass(frozen=True)
class Saved:
    """The person's message is on disk (in private mode: in memory). `spans` are the parts that were masked there."""

    message: Message
    spans: tuple[Span, ...]


@dataclass(frozen=True)
class Recalled:
    """What memory holds about it; known long before the model answers."""

    result: RecallResult


@dataclass(frozen=True)
class Waiting:
    """The model is still loading; the turn goes on by itself."""

    model: str


@dataclass(frozen=True)
class Reading:
    """The model reads the prompt: `done` of `total` tokens."""

    done: int
    total: int


@dataclass(frozen=True)
class Piece:
    """The next words of the answer. `thinking` words are shown folded and never remembered."""

    text: str
    thinking: bool = False


@dataclass(frozen=True)
class PromptParts:
    """Tokens of each part of the prompt, for the context meter."""

    context: int
    persona: int = 0
    profile: int = 0
    history: int = 0
    recalled: int = 0
    message: int = 0
    answer: int = 0
    left_out: int = 0
    """How many of the oldest messages no longer fit."""
    cut: bool = False
    """The newest message alone was too long and was given to the model in part."""


@dataclass(frozen=True)
class Usage:
    """What a turn cost."""

    prompt_tokens: int = 0
    reused_tokens: int = 0
    answer_tokens: int = 0
    prompt_seconds: float = 0.0
    answer_seconds: float = 0.0

    @property
    def tokens_per_second(self) -> float:
        """Speed of the answer."""
        return self.answer_tokens / self.answer_seconds if self.answer_seconds > 0 else 0.0


@dataclass(frozen=True)
class Answered:
    """The answer is complete (`stop`), cut at its token budget (`length`) or was stopped by the person (`stopped`)."""

    message: Message
    reason: str
    usage: Usage


TurnEvent = Saved | Recalled | Waiting | Reading | Piece | Answered


@dataclass(frozen=True)
class TurnReport:
    """All that went into one answer, for the Recall view: what was recalled, the profile lines and the exact prompt."""

    recall: RecallResult
    profile: tuple[str, ...]
    prompt: str
    parts: PromptParts
    fact_ids: tuple[str, ...] = ()
