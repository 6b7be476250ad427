"""One turn: filter, keep, recall, prompt, stream, commit, remember.

The person's message is on disk before the model is asked. The answer is a row of its own from its first word on and is
brought up to date while it streams, so that a crash loses at most the last half second of it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final

from desk_assistant import textkit
from desk_assistant.assistant.conversation import Conversation, title_of
from desk_assistant.assistant.engine import Engine
from desk_assistant.assistant.events import (
    Answered,
    Piece,
    Reading,
    Recalled,
    Saved,
    TurnEvent,
    TurnReport,
    Usage,
    Waiting,
)
from desk_assistant.assistant.prompt import Budgets, BuiltPrompt, PromptBuilder
from desk_assistant.errors import InputError
from desk_assistant.llm import types as llm
from desk_assistant.memory.records import RecallResult
from desk_assistant.memory.service import Memory
from desk_assistant.settings import Settings
from desk_assistant.store import Message, MessageState, Store, new_id, now_iso

CHECKPOINT_SECONDS: Final = 0.4
QUERY_CHARACTERS: Final = 2000
MIN_WORDS_FOR_LANGUAGE: Final = 3


@dataclass
class _Answer:
    """An answer while it is being written."""

    message: Message
    raw: str = ""
    written: float = 0.0


class Turns:
    """Runs turns.

    Args:
        store: The database.
        memory: Recalls before the answer, remembers after it.
        engine: The model.
        settings: Budgets and persona.
        remembers: Tells whether conversations are remembered now (not paused).
    """

    def __init__(self, store: Store, memory: Memory, engine: Engine, settings: Settings) -> None:
        self._store = store
        self._memory = memory
        self._engine = engine
        self._settings = settings
        self._prompts = PromptBuilder(engine.llm.count, engine.llm.count_chat)

    async def send(self, conversation: Conversation, text: str, *, remember: bool) -> AsyncGenerator[TurnEvent, None]:
        """Answer a new message; see `Assistant.send`.

        Raises:
            InputError: The message is empty, or an answer is still being written.
            StorageError: The message could not be kept; it was not sent.
            ModelError: The model is missing or cannot be loaded; the message is kept.
            WorkerError: The model's process died; what had been streamed is kept.
        """
        text = textkit.clean(text)
        if not text.strip():
            raise InputError("assistant.empty")
        with self._turn(conversation), self._memory.held():
            masked = conversation.gate.mask(text)
            parent = conversation.messages[-1].id if conversation.messages else None
            message = Message(new_id("message"), "", "user", masked.text, now_iso(), parent_id=parent)
            if conversation.private:
                message = replace(message, content=text)
            else:
                message = await asyncio.to_thread(self._keep, conversation, message, remember)
                conversation.keep_raw(message.id, text)
            history = [conversation.as_said(m) for m in conversation.messages]
            conversation.put(message)
            yield Saved(message, masked.spans)
            async with aclosing(self._answer(conversation, history, message, text, remember)) as events:
                async for event in events:
                    yield event

    async def regenerate(self, conversation: Conversation, *, remember: bool) -> AsyncGenerator[TurnEvent, None]:
        """Answer the newest message of the person again; the old answer stays as a sibling.

        Raises:
            InputError: There is no message yet, or an answer is still being written.
            ModelError, WorkerError: As in `send`.
        """
        place = max((i for i, m in enumerate(conversation.messages) if m.role == "user"), default=None)
        if place is None:
            raise InputError("assistant.no_answer_yet")
        with self._turn(conversation), self._memory.held():
            message = conversation.messages[place]
            history = [conversation.as_said(m) for m in conversation.messages[:place]]
            conversation.messages = conversation.messages[: place + 1]
            text = conversation.as_said(message).content
            async with aclosing(self._answer(conversation, history, message, text, remember)) as events:
                async for event in events:
                    yield event

    def _turn(self, conversation: Conversation) -> _Busy:
        if conversation.busy:
            raise InputError("assistant.busy")
        return _Busy(conversation)

    # --- the parts of a turn --------------------------------------------------------------------------------------

    def _keep(self, conversation: Conversation, message: Message, remember: bool) -> Message:
        """Write the message, its session where it is the first one, and the job to remember it: all or nothing."""
        with self._store.transaction():
            title = conversation.title or title_of(message.content)
            session = self._store.transcripts.create_session(conversation.session_id, title=title)
            if not session.title:
                self._store.transcripts.rename_session(session.id, title)
            message = self._store.transcripts.append(replace(message, session_id=session.id))
            if remember:
                self._store.outbox.put("remember", [message.id])
            self._store.audit.write("person", "written", "transcript", [message.id])
        conversation.session_id = session.id
        conversation.title = title
        return message

    async def _answer(
        self, conversation: Conversation, history: list[Message], message: Message, text: str, remember: bool
    ) -> AsyncGenerator[TurnEvent, None]:
        language = conversation_language(text, history)
        before = history[-1].content if history else ""
        recall = await self._memory.recall_for_turn(
            text[:QUERY_CHARACTERS], before=before, exclude_messages=[*(m.id for m in history), message.id]
        )
        yield Recalled(recall)
        if self._engine.loaded == "" or self._engine.choose(language).id != self._engine.loaded:
            yield Waiting(self._engine.choose(language).name)
        model = await self._engine.ready(language)
        prompt = await self._prompt(conversation, history, text, recall, language, model.persona)
        conversation.parts = prompt.parts
        conversation.set_window((*prompt.window, message))
        conversation.last_report = TurnReport(
            recall=replace(recall, items=prompt.recalled),
            profile=prompt.profile,
            prompt=await self._engine.llm.render(prompt.messages),
            parts=prompt.parts,
            fact_ids=tuple(fact.id for fact in prompt.facts),
        )
        if prompt.parts.left_out and remember and conversation.session_id and not conversation.private:
            # What leaves the window must be findable: its summary is made before it is needed.
            await asyncio.to_thread(self._store.outbox.put, "summarise", [conversation.session_id])
        answer = await asyncio.to_thread(self._begin, conversation, message, prompt)
        sampling = self._engine.sampling(model, prompt.parts.answer)
        async with aclosing(self._stream(conversation, answer, prompt, sampling)) as events:
            async for event in events:
                if isinstance(event, Answered):
                    await self._done(conversation, prompt, event.message, remember)
                yield event

    async def _done(self, conversation: Conversation, prompt: BuiltPrompt, answer: Message, remember: bool) -> None:
        """Count what was recalled and leave the answer to the background pass."""
        if conversation.private:
            return
        await self._memory.used(prompt.recalled)
        if remember and answer.content.strip():
            await asyncio.to_thread(self._store.outbox.put, "remember", [answer.id])
        self._memory.kick()

    async def _prompt(
        self,
        conversation: Conversation,
        history: list[Message],
        text: str,
        recall: RecallResult,
        language: str,
        persona: str | None,
    ) -> BuiltPrompt:
        settings = self._settings
        facts = await self._memory.profile()
        return await self._prompts.build(
            history,
            text,
            facts=facts,
            recalled=recall.items,
            budgets=Budgets.of(
                self._engine.context,
                settings.integer("prompt.profile_tokens"),
                settings.integer("prompt.episode_tokens"),
                settings.integer("prompt.answer_tokens"),
            ),
            working=conversation.working,
            language=language,
            persona=persona or settings.text("prompt.persona"),
            bare=persona is not None,
        )

    def _begin(self, conversation: Conversation, message: Message, prompt: BuiltPrompt) -> _Answer:
        """Give the answer its row before its first word."""
        report = conversation.last_report
        used = replace(report.recall, items=report.recall.items) if report else RecallResult("")
        row = Message(
            new_id("message"),
            message.session_id,
            "assistant",
            "",
            now_iso(),
            parent_id=message.id,
            state="streaming",
            recalled=used.to_json(tuple(fact.id for fact in prompt.facts)),
        )
        if not conversation.private:
            row = self._store.transcripts.append(row)
        conversation.put(row)
        return _Answer(row, written=time.monotonic())

    async def _stream(
        self, conversation: Conversation, answer: _Answer, prompt: BuiltPrompt, sampling: llm.Sampling
    ) -> AsyncGenerator[TurnEvent, None]:
        finished: llm.Finished | None = None
        outcome: MessageState = "failed"
        try:
            async with aclosing(self._engine.llm.generate(prompt.messages, sampling)) as events:
                async for event in events:
                    match event:
                        case llm.Prefill():
                            yield Reading(event.done, event.total)
                        case llm.Piece():
                            if not event.thought:
                                answer.raw += event.text
                                await self._checkpoint(conversation, answer)
                            yield Piece(event.text, event.thought)
                        case llm.Finished():
                            finished = event
            outcome = "stopped" if finished is None or finished.reason == "cancelled" else "complete"
        except (asyncio.CancelledError, GeneratorExit):
            outcome = "stopped"
            raise
        finally:
            # Also when the front end walks away: what was streamed is kept.
            message = await asyncio.shield(self._close(conversation, answer, outcome))
        reason = finished.reason if finished else "stop"
        yield Answered(message, "stopped" if reason == "cancelled" else reason, _usage(finished))

    async def _checkpoint(self, conversation: Conversation, answer: _Answer) -> None:
        now = time.monotonic()
        if conversation.private or now - answer.written < CHECKPOINT_SECONDS:
            return
        answer.written = now
        content = conversation.gate.mask_reply(answer.raw).text
        await asyncio.to_thread(self._store.transcripts.update_answer, answer.message.id, content, "streaming")

    async def _close(self, conversation: Conversation, answer: _Answer, outcome: MessageState) -> Message:
        raw = answer.raw.strip()
        content = raw if conversation.private else conversation.gate.mask_reply(raw).text
        message = replace(answer.message, content=content, state=outcome)
        if not conversation.private:
            await asyncio.to_thread(self._store.transcripts.update_answer, message.id, content, message.state)
            conversation.keep_raw(message.id, raw)
        conversation.put(message)
        return message


class _Busy:
    """Marks a conversation as being answered."""

    def __init__(self, conversation: Conversation) -> None:
        self._conversation = conversation

    def __enter__(self) -> None:
        self._conversation.busy, self._conversation.stopping = True, False

    def __exit__(self, *_: object) -> None:
        self._conversation.busy = False


def _usage(finished: llm.Finished | None) -> Usage:
    if finished is None:
        return Usage()
    return Usage(
        finished.prompt_tokens,
        finished.reused_tokens,
        finished.answer_tokens,
        finished.prompt_seconds,
        finished.answer_seconds,
    )


def conversation_language(text: str, history: list[Message]) -> str:
    """Return the language to answer in: that of the message, or for a few words ("OK") that of the talk before it."""
    if textkit.guess_language(text) == "zh":
        return "zh"
    earlier = [m.content for m in history if m.role == "user"][-3:]
    if len(text.split()) < MIN_WORDS_FOR_LANGUAGE and earlier:
        return textkit.guess_language("\n".join(earlier))
    return "en"
