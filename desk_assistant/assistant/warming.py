"""Read the beginning of a conversation's next prompt while nobody waits for anything.

After a start the model knows nothing of a conversation that is taken up again, and after an answer its cache holds what
was recalled for the last question. Both are put right in the background, so that the next message costs only its own
tokens. It is the text itself that is read again: no state of the model is ever written to disk.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence

from desk_assistant.assistant.conversation import Conversation
from desk_assistant.assistant.engine import Engine
from desk_assistant.errors import DeskError
from desk_assistant.llm.types import ChatMessage

log = logging.getLogger(__name__)


class Warmer:
    """Keeps the model ready for one conversation, the one that was opened or answered last.

    There is one cache. So a conversation that is opened while another is answered waits for its turn, and any turn ends
    the reading at once; what was read stays.

    Args:
        engine: The model.
        beginning: What the next prompt of a conversation begins with; empty when it cannot be told.
    """

    def __init__(self, engine: Engine, beginning: Callable[[Conversation], Awaitable[Sequence[ChatMessage]]]) -> None:
        self._engine = engine
        self._beginning = beginning
        self._turns = 0
        self._conversation: Conversation | None = None
        self._task: asyncio.Task[None] | None = None

    def want(self, conversation: Conversation | None = None) -> None:
        """Make the model ready for a conversation, or for the last one again, as soon as it has nothing else to do."""
        if conversation is not None:
            self._conversation = conversation
        self._stop()
        if self._turns or self._conversation is None:
            return
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return  # opened without an event loop, for reading
        self._task = loop.create_task(self._read(self._conversation), name="warm")

    def turn_begins(self) -> None:
        """Make way."""
        self._turns += 1
        self._stop()

    def turn_ends(self, conversation: Conversation) -> None:
        """Go on with the conversation that was answered."""
        self._turns -= 1
        self.want(conversation)

    async def settled(self) -> None:
        """Wait until what was wanted is read or was given up."""
        while (task := self._task) is not None and not task.done():
            await asyncio.wait([task])

    async def close(self) -> None:
        """Stop for good."""
        self._turns += 1
        self._stop()
        if self._task is not None:
            await asyncio.wait([self._task])

    def _stop(self) -> None:
        if self._task is not None:
            self._task.cancel()

    async def _read(self, conversation: Conversation) -> None:
        if self._engine.llm.state != "ready":
            return  # asked for again when it is
        with contextlib.suppress(asyncio.CancelledError):
            try:
                messages = await self._beginning(conversation)
                if messages:
                    await self._engine.llm.warm(messages)
            except DeskError as error:
                # The next message reads what is missing, and says so when that fails.
                log.info("not read ahead: %s", error.key)
