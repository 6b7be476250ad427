"""The working layer: which part of the current conversation the model sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from desk_assistant.store import Message

LOW_WATER: Final = 0.6
"""When the window overflows, old turns leave it until this share of the budget is used. Leaving one turn at a time
would change the prompt's beginning with every turn, and the model would read everything again each time."""


@dataclass(frozen=True)
class Window:
    """The messages in the window, and how many older ones are left out."""

    messages: tuple[Message, ...]
    tokens: int
    left_out: int


class WorkingMemory:
    """A bounded window over a conversation: by messages and by tokens, oldest turns leave first.

    System messages (tool results among them) stay before small talk: they are left out last.

    Args:
        max_messages: Messages kept at most.
    """

    def __init__(self, max_messages: int) -> None:
        self._max_messages = max_messages
        self._start: str | None = None

    def window(self, messages: Sequence[Message], tokens: Sequence[int], budget: int) -> Window:
        """Choose the messages that fit.

        Args:
            messages: The conversation so far, oldest first, without the newest question.
            tokens: Token count of each message.
            budget: Tokens the window may use.

        Returns:
            The window. It begins with a message of the person or a system message, so that no answer stands without
            its question.
        """
        start = next((i for i, message in enumerate(messages) if message.id == self._start), 0)
        first = self._fit(messages, tokens, start, budget, self._max_messages)
        if first > start:
            first = self._fit(
                messages, tokens, first, int(budget * LOW_WATER), max(2, int(self._max_messages * LOW_WATER))
            )
        while first < len(messages) and messages[first].role == "assistant":
            first += 1
        self._start = messages[first].id if first < len(messages) else None
        kept = list(range(first, len(messages)))
        used = sum(tokens[i] for i in kept)
        # Older system messages come back while there is room: results of tools outlast small talk.
        for i in range(first - 1, -1, -1):
            if messages[i].role == "system" and used + tokens[i] <= budget:
                kept.insert(0, i)
                used += tokens[i]
        kept.sort()
        return Window(tuple(messages[i] for i in kept), used, len(messages) - len(kept))

    def reset(self) -> None:
        """Forget where the window began, for instance after switching to another branch."""
        self._start = None

    @staticmethod
    def _fit(messages: Sequence[Message], tokens: Sequence[int], start: int, budget: int, most: int) -> int:
        first, used = len(messages), 0
        while first > start and len(messages) - first < most and used + tokens[first - 1] <= budget:
            first -= 1
            used += tokens[first]
        return first
