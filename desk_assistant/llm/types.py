"""What the app and the llm child say to each other, as frozen data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal, TypeAlias

Role: TypeAlias = Literal["system", "user", "assistant"]
Reason: TypeAlias = Literal["stop", "length", "cancelled"]


@dataclass(frozen=True)
class ChatMessage:
    """One message of a prompt.

    Attributes:
        role: Who speaks. How a model sees it is its chat template's affair.
        content: The words, always taken as text: control tokens written in them stay harmless.
    """

    role: Role
    content: str


@dataclass(frozen=True)
class LoadSpec:
    """Which model to load, and how.

    Attributes:
        path: The GGUF file.
        name: How the person knows the model; used in messages.
        context: Tokens the conversation may hold; limited to what the model was trained for.
        threads: Threads to compute with; 0 takes one for each physical core that is ours.
        chat_template: Jinja source that replaces the one in the file. Only ever from a catalogue entry for exactly this
            file: a guessed template makes a model ramble.
        stop: Strings that end an answer and are not part of it.
        background_context: Tokens a background request may hold. The memory is taken at the first such request.
        thinking: Let the template open a thinking block, where it knows how to.
    """

    path: Path
    name: str
    context: int = 4096
    threads: int = 0
    chat_template: str | None = None
    stop: tuple[str, ...] = ()
    background_context: int = 2048
    thinking: bool = False

    def to_json(self) -> dict[str, Any]:
        """Return the values as they go over the pipe."""
        return {**asdict(self), "path": str(self.path), "stop": list(self.stop)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> LoadSpec:
        """Return what `to_json` wrote."""
        return cls(**{**data, "path": Path(data["path"]), "stop": tuple(data["stop"])})


@dataclass(frozen=True)
class Sampling:
    """How tokens are chosen. Every value is set; nothing is left to a library's default.

    Attributes:
        temperature: Spread of the choice; 0 always takes the likeliest token.
        top_p: Keep the likeliest tokens that together reach this probability; 1 keeps all.
        top_k: Keep this many of the likeliest tokens; 0 keeps all.
        min_p: Drop tokens less likely than this share of the likeliest one; 0 drops none.
        repeat_penalty: Divides the score of tokens already in this answer; 1 does nothing. The prompt is not counted:
            an answer is meant to repeat the facts it was given.
        max_tokens: Longest answer in tokens.
        seed: Makes the choice repeatable; None takes a fresh one.
    """

    temperature: float = 0.7
    top_p: float = 0.9
    top_k: int = 40
    min_p: float = 0.05
    repeat_penalty: float = 1.1
    max_tokens: int = 512
    seed: int | None = None


@dataclass(frozen=True)
class ModelInfo:
    """What was loaded.

    Attributes:
        name: As given in the `LoadSpec`.
        description: llama.cpp's own short description: architecture, size, quantisation.
        context: Tokens the conversation may hold.
        trained_context: Tokens the model was trained for.
        background_context: Tokens a background request may hold.
        template: Whether the file carries a chat template of its own.
        takes_system: Whether the template accepts a system message; when not, its words go before the first user's.
        size: Bytes of the weights.
        parameters: Number of weights.
        threads: Threads in use.
        load_seconds: How long it took.
    """

    name: str
    description: str
    context: int
    trained_context: int
    background_context: int
    template: bool
    takes_system: bool
    size: int
    parameters: int
    threads: int
    load_seconds: float


@dataclass(frozen=True)
class Prefill:
    """Reading the prompt: `done` of `total` tokens that were not in the cache yet."""

    done: int
    total: int


@dataclass(frozen=True)
class Piece:
    """Some more text of the answer; `thought` when it belongs to a thinking block, which is not part of the answer."""

    text: str
    thought: bool = False


@dataclass(frozen=True)
class Finished:
    """The end of an answer.

    Attributes:
        reason: `stop` (the model ended it), `length` (a limit did), `cancelled` (somebody did).
        prompt_tokens: Tokens of the whole prompt.
        reused_tokens: Those of them that were still in the cache.
        evaluated_tokens: Those that had to be read; the two add up to `prompt_tokens` unless reading was cancelled.
        answer_tokens: Tokens the model produced, thinking included.
        prompt_seconds: Time to read the prompt.
        answer_seconds: Time to produce the answer.
        text: The answer, exactly the `Piece`s that were no thought. When an answer is continued, only what is new.
    """

    reason: Reason
    prompt_tokens: int
    reused_tokens: int
    evaluated_tokens: int
    answer_tokens: int
    prompt_seconds: float
    answer_seconds: float
    text: str


Event: TypeAlias = Prefill | Piece | Finished

LlmState: TypeAlias = Literal["stopped", "starting", "empty", "loading", "ready", "dead"]
"""The child is not there, comes up, has no model, loads one, can answer, has died."""
