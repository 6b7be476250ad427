"""The language model: a child process with llama.cpp, and the client the app uses."""

from desk_assistant.llm.client import LlmClient
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

__all__ = [
    "ChatMessage",
    "Event",
    "Finished",
    "LlmClient",
    "LlmState",
    "LoadSpec",
    "ModelInfo",
    "Piece",
    "Prefill",
    "Sampling",
]
