"""The open conversation and the turn that runs in it; outlives the screen that shows it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Protocol

from desk_assistant.assistant import Conversation
from desk_assistant.assistant.events import Answered, Saved, TurnEvent, Usage
from desk_assistant.assistant.model_notes import ModelNotes
from desk_assistant.errors import DeskError
from desk_assistant.i18n import t
from desk_assistant.tui.host import Host
from desk_assistant.tui.live_turn import LiveTurn
from desk_assistant.tui.screens.dialog import TextDialog


class ChatView(Protocol):
    """Where a conversation is shown."""

    async def show_conversation(self, message_id: str | None = None, *, keep_focus: bool = False) -> None:
        """Show the open conversation, at one of its messages; the composer takes the focus unless it is kept."""

    async def apply(self, event: TurnEvent) -> None:
        """Show the next event of the running turn."""

    async def turn_failed(self, sentence: str) -> None:
        """The running turn ended with an error."""

    async def turn_ended(self) -> None:
        """Bring titles, panels and meters up to date."""

    def restore_draft(self, text: str) -> None:
        """Put a text that was not taken back into the composer."""


class ChatFlow:
    """Opens conversations and runs their turns, one at a time: there is one model.

    Args:
        host: The app.
        view: Finds the view, which is another one after the screen was made anew.
    """

    def __init__(self, host: Host, view: Callable[[], ChatView]) -> None:
        self._host = host
        self._view = view
        self.conversation: Conversation = host.assistant.conversation()
        self.live: LiveTurn | None = None
        self.usage: Usage | None = None

    @property
    def running(self) -> LiveTurn | None:
        """The turn that is running, wherever it is."""
        return self.live if self.live is not None and not self.live.done else None

    @property
    def running_here(self) -> LiveTurn | None:
        """The turn that is running in the open conversation."""
        live = self.running
        return live if live is not None and live.conversation is self.conversation else None

    async def open(self, session_id: str, message_id: str | None = None) -> None:
        """Show a stored conversation; the one that is being answered is taken as it is.

        Raises:
            DeskError: It cannot be opened; the present one stays.
        """
        if session_id == self.conversation.session_id:
            await self._view().show_conversation(message_id)
            return
        live = self.running
        if live is not None and live.conversation.session_id == session_id:
            conversation = live.conversation
        else:
            conversation = self._host.assistant.conversation(session_id)
        await self._leave(conversation, message_id)

    async def new(self, *, private: bool = False) -> None:
        """Begin a conversation; in a private one nothing is written."""
        await self._leave(self._host.assistant.conversation(private=private), None)

    async def follow_memory_mode(self) -> None:
        """With memory off nothing is written: a conversation that would be written does not go on."""
        if self._host.assistant.memory_mode == "off" and not self.conversation.private:
            await self.new()

    async def _leave(self, conversation: Conversation, message_id: str | None) -> None:
        left, self.conversation, self.usage = self.conversation, conversation, None
        if self.live is not None:
            self.live.detach()
        await self._view().show_conversation(message_id)
        if left is not conversation and not (self.running and self.running.conversation is left):
            await self._host.assistant.end_session(left)

    async def send(self, text: str) -> None:
        """Send a message in the open conversation."""
        if self.running is not None:
            self._host.tell(t("tui.busy"))
            self._view().restore_draft(text)
            return
        await self.follow_memory_mode()
        await self._run(self._host.assistant.send(self.conversation, text), text)

    async def regenerate(self) -> None:
        """Answer the last question again."""
        if self.running is not None:
            self._host.tell(t("tui.busy"))
            return
        if not self.conversation.messages:
            self._host.tell(t("tui.nothing_to_answer"))
            return
        messages = self.conversation.messages
        while messages and messages[-1].role != "user":
            messages = messages[:-1]
        await self._run(self._host.assistant.regenerate(self.conversation), None, len(messages))

    async def go_on(self) -> None:
        """Go on with the last answer where it was stopped or cut."""
        if self.running is not None:
            self._host.tell(t("tui.busy"))
            return
        events = self._host.assistant.continue_answer(self.conversation)
        await self._run(events, None, max(0, len(self.conversation.messages) - 1))

    async def edit(self, message_id: str, text: str) -> None:
        """Ask for another wording of a message and have that answered; the old one stays as another version."""
        message = next((m for m in self.conversation.messages if m.id == message_id), None)
        if message is None or message.role != "user":
            self._host.tell(t("tui.only_own_messages"))
            return
        wording = await self._host.ask(TextDialog(t("tui.edit_message_title"), text, t("tui.edit_message_hint")))
        if wording is None or wording == text:
            return
        if self.running is not None:
            self._host.tell(t("tui.busy"))
            return
        place = self.conversation.messages.index(message)
        await self._run(self._host.assistant.edit(self.conversation, message_id, wording), wording, place)

    async def show_other(self, message_id: str) -> None:
        """Show the next version of a message, the first one after the last."""
        if self.running is not None:
            self._host.tell(t("tui.busy"))
            return
        versions = [m.id for m in await self._host.assistant.siblings(self.conversation, message_id)]
        if len(versions) < 2:
            self._host.tell(t("tui.no_other_version"))
            return
        chosen = versions[(versions.index(message_id) + 1) % len(versions)]
        await self._host.assistant.switch(self.conversation, chosen)
        await self._view().show_conversation(chosen)
        self._host.tell(t("tui.version", number=versions.index(chosen) + 1, total=len(versions)))

    def stop(self) -> bool:
        """Stop the running turn; what was streamed is kept. False when none is running."""
        live = self.running
        if live is None:
            return False
        self._host.assistant.stop(live.conversation)
        if not live.model_at_work:
            live.abandon()
        return True

    async def _run(self, events: AsyncIterator[TurnEvent], text: str | None, shown: int | None = None) -> None:
        messages = self.conversation.messages
        live = LiveTurn(self.conversation, events, tuple(messages if shown is None else messages[:shown]))
        self.live = live
        view = self._view()
        if shown is not None:
            await view.show_conversation()
        saved = text is None

        async def apply(event: TurnEvent) -> None:
            nonlocal saved
            saved = saved or isinstance(event, Saved)
            if isinstance(event, Answered):
                self.usage = event.usage
                await self._note_speed(event.usage)
            await self._view().apply(event)

        if shown is None:
            await live.attach(apply)
        try:
            await live.run()
        except DeskError as error:
            await self._failed(live, str(error), text if not saved else None)
        except asyncio.CancelledError:
            if self._closing():
                raise
            await self._failed(live, t("tui.stopped_before_answer"), None)
        finally:
            live.done = True
        if live.conversation is not self.conversation:
            await self._host.assistant.end_session(live.conversation)
        await self._view().turn_ended()

    async def _note_speed(self, usage: Usage) -> None:
        """Keep how fast the model in use answers; nothing about a private conversation is kept, not even that."""
        model = self._host.assistant.model_settings()
        if model is not None and not self.conversation.private:
            notes = ModelNotes(self._host.assistant.store.meta)
            await asyncio.to_thread(notes.saw, model[0], usage)

    @staticmethod
    def _closing() -> bool:
        """Whether it is this task that was cancelled (the app closes), and not the turn alone."""
        task = asyncio.current_task()
        return task is not None and task.cancelling() > 0

    async def _failed(self, live: LiveTurn, sentence: str, unsent: str | None) -> None:
        live.done = True
        if unsent is not None:
            self._host.warn(sentence)
            self._view().restore_draft(unsent)
        elif live.conversation is self.conversation:
            status = self._host.assistant.status.llm
            if status.state == "failed" and status.detail == sentence:
                # The notice below the conversation says why already.
                sentence = t("tui.state_failed")
            await self._view().turn_failed(sentence)
        else:
            self._host.warn(sentence)
