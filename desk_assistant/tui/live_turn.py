"""A turn that is running. It belongs to its conversation, not to the screen: one may leave, and find it on return."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable

from desk_assistant.assistant import Conversation
from desk_assistant.assistant.events import Piece, Reading, TurnEvent
from desk_assistant.store import Message

Listener = Callable[[TurnEvent], Awaitable[None]]


class LiveTurn:
    """Reads the events of one turn, keeps them, and hands them to the view that is attached, if any.

    Args:
        conversation: Where it happens.
        events: What `Assistant.send` or `regenerate` gave.
        shown: The messages that were there before it.
    """

    def __init__(
        self, conversation: Conversation, events: AsyncIterator[TurnEvent], shown: tuple[Message, ...]
    ) -> None:
        self.conversation = conversation
        self.shown = shown
        self.done = False
        self.model_at_work = False
        self._task: asyncio.Task[None] | None = None
        self._source = events
        self._events: list[TurnEvent] = []
        self._listener: Listener | None = None

    async def run(self) -> None:
        """Read the turn to its end.

        Raises:
            DeskError: The turn failed; what had come before was delivered.
            asyncio.CancelledError: It was given up.
        """
        self._task = asyncio.create_task(self._read())
        try:
            await self._task
        finally:
            self.done = True

    async def _read(self) -> None:
        async for event in self._source:
            self._keep(event)
            self.model_at_work = self.model_at_work or isinstance(event, Piece | Reading)
            if self._listener is not None:
                await self._listener(event)

    def abandon(self) -> None:
        """Give the turn up; for one whose model has not begun and so cannot be asked to stop."""
        if self._task is not None:
            self._task.cancel()

    async def attach(self, listener: Listener) -> None:
        """Tell a view all that has happened, and what happens from now on."""
        self._listener = None
        for event in tuple(self._events):
            await listener(event)
        self._listener = listener

    def detach(self) -> None:
        """Tell nobody; the turn goes on."""
        self._listener = None

    def _keep(self, event: TurnEvent) -> None:
        last = self._events[-1] if self._events else None
        if isinstance(event, Piece) and isinstance(last, Piece) and event.thinking == last.thinking:
            self._events[-1] = Piece(last.text + event.text, event.thinking)
        else:
            self._events.append(event)
