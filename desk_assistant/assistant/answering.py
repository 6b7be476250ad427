"""An answer while it is written: a row of its own from its first word on, brought up to date while it streams."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Final

from desk_assistant.assistant.conversation import Conversation
from desk_assistant.assistant.engine import LlmService
from desk_assistant.assistant.events import Answered, Piece, Reading, TurnEvent, Usage
from desk_assistant.llm import types as llm
from desk_assistant.memory import traces
from desk_assistant.memory.withdrawn import Given
from desk_assistant.store import Message, MessageState, Store, new_id, now_iso

CHECKPOINT_SECONDS: Final = 0.4


@dataclass
class Answer:
    """An answer while it is being written.

    Attributes:
        message: Its row.
        raw: What was written so far, private values included; never written to disk.
        written: Time of the last checkpoint.
        given: What the model was given for it; None when it never came to that.
    """

    message: Message
    raw: str = ""
    written: float = 0.0
    given: Given | None = None


class Answering:
    """Streams answers and keeps them, whatever ends them.

    Args:
        store: The database.
        model: The language model.
    """

    def __init__(self, store: Store, model: LlmService) -> None:
        self._store = store
        self._model = model

    def begin(self, conversation: Conversation, question: Message, recalled: str | None = None) -> Answer:
        """Give the answer its row before its first word.

        Args:
            conversation: Where it belongs.
            question: What it answers.
            recalled: What was recalled for it, as JSON.
        """
        row = Message(
            new_id("message"),
            question.session_id,
            "assistant",
            "",
            now_iso(),
            parent_id=question.id,
            state="streaming",
            recalled=recalled,
        )
        if not conversation.private:
            with self._store.transaction():
                row = self._store.transcripts.append(row)
                self._store.audit.write("assistant", "written", "transcript", [row.id])
        conversation.put(row)
        return Answer(row, written=time.monotonic())

    def resume(self, conversation: Conversation, message: Message) -> Answer:
        """Take up an answer that was stopped or cut; what comes is added to it."""
        return Answer(replace(message, state="streaming"), conversation.as_said(message).content, time.monotonic())

    async def stream(
        self,
        conversation: Conversation,
        answer: Answer,
        prompt: Sequence[llm.ChatMessage],
        sampling: llm.Sampling,
    ) -> AsyncGenerator[TurnEvent, None]:
        """Ask the model and yield what comes; the last event is `Answered`. What was said before comes first.

        Raises:
            ModelError: The model refuses the prompt.
            WorkerError: The model's process died. What had been streamed is kept in both cases.
        """
        finished: llm.Finished | None = None
        outcome: MessageState = "failed"
        try:
            if answer.raw:
                yield Piece(answer.raw)
            async with aclosing(self._model.generate(prompt, sampling)) as events:
                async for event in events:
                    if conversation.stop_wanted.is_set():
                        # Said before the request was on its way, it did not reach the model; said twice, it is no harm.
                        self._model.cancel()
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
            message = await asyncio.shield(self.close(conversation, answer, outcome))
        reason = finished.reason if finished else "stop"
        yield Answered(message, "stopped" if reason == "cancelled" else reason, _usage(finished))

    async def close(self, conversation: Conversation, answer: Answer, outcome: MessageState) -> Message:
        """Write the end of an answer and return it as it is stored."""
        content = answer.raw.strip()
        if not conversation.private:
            content = await asyncio.to_thread(self._write, conversation, answer, content, outcome)
        message = replace(answer.message, content=content, state=outcome)
        if traces.BLACK in content and traces.BLACK not in answer.raw:
            conversation.keep_raw(message.id, content)  # what was erased meanwhile is not to be said again
        else:
            # With the space at its end, after which a continued answer goes on.
            conversation.keep_raw(message.id, answer.raw.lstrip())
        conversation.put(message)
        return message

    async def _checkpoint(self, conversation: Conversation, answer: Answer) -> None:
        now = time.monotonic()
        if conversation.private or now - answer.written < CHECKPOINT_SECONDS:
            return
        answer.written = now
        await asyncio.to_thread(self._write, conversation, answer, answer.raw, "streaming")

    def _write(self, conversation: Conversation, answer: Answer, raw: str, state: MessageState) -> str:
        """Write what an answer says, without what is private in it or was erased since, and return that."""
        content = conversation.gate.mask_reply(raw).text
        with self._store.transaction():  # an erase comes before it or after it, never in between
            if answer.given is not None:
                content = answer.given.withdraw(content, self._store)
            self._store.transcripts.update_answer(answer.message.id, content, state)
        return content


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
