"""The working layer: which part of the current conversation the model sees."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from desk_assistant.store import Message

LOW_WATER: Final = 0.6
"""When the window overflows, old turns leave it until this share of the budget is used. Leaving one turn at a time
would change the prompt's beginning with every turn, and the model would read everything again each time."""

KEPT_SHARE: Final = 0.35
"""Share of the budget for system messages and pinned turns that are older than the rest of the window."""


@dataclass(frozen=True)
class Window:
    """The messages in the window, and how many older ones are left out."""

    messages: tuple[Message, ...]
    tokens: int
    left_out: int


class WorkingWindow(Protocol):
    """What a prompt needs from a conversation's working memory; `WorkingMemory` is the one there is."""

    def window(
        self, messages: Sequence[Message], tokens: Sequence[int], budget: int, keep: Collection[str] = ()
    ) -> Window:
        """Choose the messages that the model sees; see `WorkingMemory.window`."""


class WorkingMemory:
    """A bounded window over a conversation: by messages and by tokens, oldest turns leave first.

    System messages (tool results among them) and pinned turns stay before small talk: they are left out last.

    Args:
        max_messages: Messages kept at most.
    """

    def __init__(self, max_messages: int) -> None:
        self._max_messages = max_messages
        self._start: str | None = None
        self._kept: frozenset[str] = frozenset()

    def window(
        self, messages: Sequence[Message], tokens: Sequence[int], budget: int, keep: Collection[str] = ()
    ) -> Window:
        """Choose the messages that fit.

        Args:
            messages: The conversation so far, oldest first, without the newest question.
            tokens: Token count of each message.
            budget: Tokens the window may use.
            keep: Ids of pinned messages.

        Returns:
            The window. It begins with a message of the person, a system or a pinned message, so that no answer stands
            without its question.
        """
        start = next((i for i, message in enumerate(messages) if message.id == self._start), 0)
        # What was kept of the older messages stays as it is while there is room, since any change there would make
        # the model read everything behind it again.
        older = [i for i in range(start) if messages[i].id in self._kept]
        first = self._fit(messages, tokens, start, budget - sum(tokens[i] for i in older), self._max_messages)
        if first > start:
            older = self._older(messages, tokens, first, int(budget * KEPT_SHARE), keep)
            room = int(budget * LOW_WATER) - sum(tokens[i] for i in older)
            first = self._fit(messages, tokens, first, room, max(2, int(self._max_messages * LOW_WATER)))
        while first < len(messages) and messages[first].role == "assistant":
            first += 1
        if first > start:
            older = self._older(messages, tokens, first, int(budget * KEPT_SHARE), keep)
        self._start = messages[first].id if first < len(messages) else None
        self._kept = frozenset(messages[i].id for i in older)
        chosen = [*older, *range(first, len(messages))]
        used = sum(tokens[i] for i in chosen)
        return Window(tuple(messages[i] for i in chosen), used, len(messages) - len(chosen))

    @staticmethod
    def _older(
        messages: Sequence[Message], tokens: Sequence[int], first: int, room: int, keep: Collection[str]
    ) -> list[int]:
        """Return which of the messages before `first` stay: system messages and pinned ones, the newest first."""
        older: list[int] = []
        for i in range(first - 1, -1, -1):
            if (messages[i].role == "system" or messages[i].id in keep) and tokens[i] <= room:
                older.insert(0, i)
                room -= tokens[i]
        return older

    def reset(self) -> None:
        """Forget where the window began, for instance after switching to another branch."""
        self._start = None
        self._kept = frozenset()

    @staticmethod
    def _fit(messages: Sequence[Message], tokens: Sequence[int], start: int, budget: int, most: int) -> int:
        first, used = len(messages), 0
        while first > start and len(messages) - first < most and used + tokens[first - 1] <= budget:
            first -= 1
            used += tokens[first]
        return first
