"""One conversation as it is held in memory: what is shown, what the model sees, and whether anything is written."""

from __future__ import annotations

import asyncio
from dataclasses import replace

from desk_assistant.assistant.events import PromptParts, TurnReport
from desk_assistant.errors import NotFoundError
from desk_assistant.memory.working import WorkingWindow
from desk_assistant.privacy import SessionGate
from desk_assistant.store import Fact, Message, Store

TITLE_CHARACTERS = 48


class Conversation:
    """A conversation that is open in a front end.

    In a private one nothing is written by any path: it lives in this object alone.

    Attributes:
        session_id: Id of its session; None until its first message is stored, and always in a private one.
        messages: The branch that is shown, oldest first, as it is stored (in a private one: as it was said).
        last_report: What went into the last answer.
        parts: Tokens of the last prompt's parts.
        stop_wanted: Set from the person's wish to stop until the next turn begins.
        profile: The facts that its prompts begin with.
    """

    def __init__(
        self,
        gate: SessionGate,
        working: WorkingWindow,
        *,
        session_id: str | None = None,
        private: bool = False,
        title: str = "",
        messages: list[Message] | None = None,
    ) -> None:
        self.session_id = session_id
        self.private = private
        self.title = title
        self.messages: list[Message] = messages or []
        self.last_report: TurnReport | None = None
        self.parts: PromptParts | None = None
        self.gate = gate
        self.working = working
        self.busy = False
        self.stop_wanted = asyncio.Event()
        self.profile: tuple[Fact, ...] = ()
        self._tree: dict[str, Message] = {}
        self._raw: dict[str, str] = {}
        self._window: tuple[str, ...] = ()

    @property
    def left_out(self) -> int:
        """How many of the oldest messages were not given to the model in the last turn."""
        return self.parts.left_out if self.parts else 0

    def window(self) -> list[Message]:
        """Return the working memory: the messages the model saw in the last turn, with what came after."""
        if not self._window:
            return list(self.messages)
        known = set(self._window)
        newest = next((i for i in range(len(self.messages) - 1, -1, -1) if self.messages[i].id in known), -1)
        return [m for i, m in enumerate(self.messages) if m.id in known or i > newest]

    def set_window(self, messages: tuple[Message, ...]) -> None:
        """Record what the model was given."""
        self._window = tuple(message.id for message in messages)

    def keep_raw(self, message_id: str, text: str) -> None:
        """Keep what was really said while the conversation is open; it is never written."""
        self._raw[message_id] = text

    def as_said(self, message: Message) -> Message:
        """Return a message with the words as they were said, where they are still known."""
        raw = self._raw.get(message.id)
        return replace(message, content=raw) if raw is not None else message

    @property
    def tree(self) -> list[Message]:
        """All messages of a private conversation, every branch, in the order they were said."""
        return list(self._tree.values())

    def put(self, message: Message) -> None:
        """Show a message: replace the one with its id, or add it."""
        if self.private:
            self._tree[message.id] = message
        for place in range(len(self.messages) - 1, -1, -1):
            if self.messages[place].id == message.id:
                self.messages[place] = message
                return
        self.messages.append(message)

    def reload(self, messages: list[Message]) -> None:
        """Show the stored branch anew, after something in it was forgotten; raw words that changed are dropped."""
        stored = {message.id: message.content for message in messages}
        shown = {message.id: message.content for message in self.messages}
        for message_id in list(self._raw):
            if message_id not in stored or stored[message_id] != shown.get(message_id):
                del self._raw[message_id]
        self.messages = messages


def title_of(text: str) -> str:
    """Return a short title from the first words of a conversation."""
    line = " ".join(text.split())
    return line if len(line) <= TITLE_CHARACTERS else line[: TITLE_CHARACTERS - 1].rstrip() + "…"


async def catch_up(store: Store, conversation: Conversation) -> None:
    """Let a conversation go of what was forgotten since, here or by another program, and take in what was added.

    The words that are only held in memory go too: else the model would say them again, and the answer would be kept.
    """
    if conversation.session_id is None or conversation.private:
        return
    try:
        session = await asyncio.to_thread(store.transcripts.session, conversation.session_id)
        messages = await asyncio.to_thread(store.transcripts.path, session.id)
    except NotFoundError:  # forgotten as a whole: what is said next begins a new one
        conversation.session_id, conversation.title = None, ""
        conversation.reload([])
        return
    conversation.title = session.title
    conversation.reload(messages)
