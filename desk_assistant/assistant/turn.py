"""One turn: filter, keep, recall, prompt, stream, commit, remember.

The person's message is on disk before the model is asked. The answer is a row of its own from its first word on and is
brought up to date while it streams, so that a crash loses at most the last half second of it.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Final

from desk_assistant import i18n, textkit
from desk_assistant.assistant.answering import Answer, Answering
from desk_assistant.assistant.conversation import Conversation, catch_up, title_of
from desk_assistant.assistant.engine import Engine
from desk_assistant.assistant.events import Answered, Recalled, Saved, TurnEvent, TurnReport, Usage, Waiting
from desk_assistant.assistant.profile import steady_profile
from desk_assistant.assistant.prompt import Budgets, BuiltPrompt, PromptBuilder
from desk_assistant.assistant.stopping import StopWanted, unless_stopped
from desk_assistant.errors import InputError
from desk_assistant.llm.types import ChatMessage
from desk_assistant.memory.records import RecallResult
from desk_assistant.memory.service import Memory
from desk_assistant.memory.withdrawn import Given, erases
from desk_assistant.models import InstalledModel
from desk_assistant.privacy.aside import Masking
from desk_assistant.settings import Settings
from desk_assistant.store import Fact, Message, Store, new_id, now_iso

QUERY_CHARACTERS: Final = 2000
MIN_WORDS_FOR_LANGUAGE: Final = 3
MIN_CHARACTERS_FOR_LANGUAGE: Final = 4
"""Chinese characters; as many as three English words say about as much."""


class Turns:
    """Runs turns.

    Args:
        store: The database.
        memory: Recalls before the answer, remembers after it.
        engine: The model.
        settings: Budgets and persona.
        masking: Masks what the person says.
        begins: Called when a turn begins: work that may wait gives way.
        ends: Called when it has ended, with its conversation.
    """

    def __init__(
        self,
        store: Store,
        memory: Memory,
        engine: Engine,
        settings: Settings,
        masking: Masking,
        begins: Callable[[], None],
        ends: Callable[[Conversation], None],
    ) -> None:
        self._store = store
        self._memory = memory
        self._engine = engine
        self._settings = settings
        self._masking = masking
        self._begins = begins
        self._ends = ends
        self._answers = Answering(store, engine.llm)
        self._prompts = PromptBuilder(engine.llm.count, engine.llm.count_chat)
        self._ahead = PromptBuilder(
            partial(engine.llm.count, background=True), partial(engine.llm.count_chat, background=True)
        )

    # --- what a person can ask for --------------------------------------------------------------------------------

    async def send(self, conversation: Conversation, text: str, *, remember: bool) -> AsyncGenerator[TurnEvent, None]:
        """Answer a new message; see `Assistant.send`."""
        text = _checked(text)
        with self._turn(conversation), self._memory.held():
            await catch_up(self._store, conversation)
            async with aclosing(self._say(conversation, conversation.messages, text, remember)) as events:
                async for event in events:
                    yield event

    async def edit(
        self, conversation: Conversation, message_id: str, text: str, *, remember: bool
    ) -> AsyncGenerator[TurnEvent, None]:
        """Answer another wording of an earlier message; see `Assistant.edit`."""
        text = _checked(text)
        with self._turn(conversation), self._memory.held():
            await catch_up(self._store, conversation)
            place = next((i for i, m in enumerate(conversation.messages) if m.id == message_id), None)
            if place is None or conversation.messages[place].role != "user":
                raise InputError("assistant.not_a_question")
            async with aclosing(self._say(conversation, conversation.messages[:place], text, remember)) as events:
                async for event in events:
                    yield event

    async def regenerate(self, conversation: Conversation, *, remember: bool) -> AsyncGenerator[TurnEvent, None]:
        """Answer the newest message of the person again; see `Assistant.regenerate`."""
        with self._turn(conversation), self._memory.held():
            await catch_up(self._store, conversation)
            place = _last_question(conversation)
            conversation.messages = conversation.messages[: place + 1]
            async with aclosing(self._answer(conversation, place, remember)) as events:
                async for event in events:
                    yield event

    async def go_on(self, conversation: Conversation, *, remember: bool) -> AsyncGenerator[TurnEvent, None]:
        """Go on with the newest answer; see `Assistant.continue_answer`."""
        with self._turn(conversation), self._memory.held():
            await catch_up(self._store, conversation)
            place = _last_question(conversation)
            if place + 2 != len(conversation.messages):
                raise InputError("assistant.nothing_to_continue")
            async with aclosing(self._answer(conversation, place, remember, goes_on=True)) as events:
                async for event in events:
                    yield event

    async def beginning(self, conversation: Conversation) -> tuple[ChatMessage, ...]:
        """Return what the next prompt of a conversation will begin with, to be read ahead of time; may give way.

        Raises:
            DeskError: It cannot be told now.
        """
        history = [conversation.as_said(m) for m in conversation.messages]
        language = conversation_language("", history) if history else i18n.language()
        model = await asyncio.to_thread(self._engine.choose, language)
        if model.id != self._engine.loaded:
            return ()
        prompt = await self._prompt(conversation, history, "", RecallResult(""), language, model, ahead=True)
        return prompt.messages[:-1]

    def _turn(self, conversation: Conversation) -> _Busy:
        if conversation.busy:
            raise InputError("assistant.busy")
        self._begins()
        return _Busy(conversation, self._ends)

    # --- the parts of a turn --------------------------------------------------------------------------------------

    async def _say(
        self, conversation: Conversation, before: Sequence[Message], text: str, remember: bool
    ) -> AsyncGenerator[TurnEvent, None]:
        """Keep a new message after `before`, and answer it."""
        masked = await self._masking.mask(conversation.gate, text)
        parent = before[-1].id if before else None
        message = Message(new_id("message"), "", "user", masked.text, now_iso(), parent_id=parent)
        if conversation.private:
            message = replace(message, content=text)
        else:
            message = await asyncio.to_thread(self._keep, conversation, message, remember)
            conversation.keep_raw(message.id, text)
        conversation.messages = list(before)
        conversation.put(message)
        yield Saved(message, masked.spans)
        async with aclosing(self._answer(conversation, len(before), remember)) as events:
            async for event in events:
                yield event

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
        self, conversation: Conversation, place: int, remember: bool, *, goes_on: bool = False
    ) -> AsyncGenerator[TurnEvent, None]:
        """Answer the message at `place` of the shown branch, or go on with the answer behind it."""
        question = conversation.messages[place]
        begun = conversation.messages[place + 1] if goes_on else None
        stored = tuple(conversation.messages[:place])
        history = [conversation.as_said(m) for m in stored]
        text = conversation.as_said(question).content
        stop = conversation.stop_wanted
        answer: Answer | None = None
        erased = await asyncio.to_thread(erases, self._store)
        try:
            language = conversation_language(text[:QUERY_CHARACTERS], history)
            recall = await unless_stopped(stop, self._recall(history, question, text))
            yield Recalled(recall)
            wanted = await asyncio.to_thread(self._engine.choose, language)
            if not self._engine.serves(wanted):
                yield Waiting(wanted.name)
            model = await unless_stopped(stop, self._engine.ready(language), finish=True)
            said = conversation.as_said(begun).content if begun is not None else ""
            prompt = await unless_stopped(
                stop, self._prompt(conversation, history, text, recall, language, model, said=said)
            )
            rendered = await unless_stopped(stop, self._engine.llm.render(prompt.messages))
            await self._sum_up(conversation, prompt, remember)
            self._note(conversation, question, recall, prompt, rendered)
            if begun is not None:
                answer = self._answers.resume(conversation, begun)
            else:
                used = replace(recall, items=prompt.recalled).to_json(tuple(fact.id for fact in prompt.facts))
                answer = await asyncio.to_thread(self._answers.begin, conversation, question, used)
        except StopWanted:
            if begun is not None:
                yield Answered(begun, "stopped", Usage())
                return
            answer = await asyncio.to_thread(self._answers.begin, conversation, question)
            yield Answered(await self._answers.close(conversation, answer, "stopped"), "stopped", Usage())
            return
        answer.given = Given(erased, question, stored, prompt.facts, prompt.recalled)
        sampling = self._engine.sampling(model, prompt.parts.answer)
        async with aclosing(self._answers.stream(conversation, answer, prompt.messages, sampling)) as events:
            async for event in events:
                if isinstance(event, Answered):
                    await self._done(conversation, prompt, event.message, remember)
                yield event

    async def _recall(self, history: Sequence[Message], question: Message, text: str) -> RecallResult:
        before = history[-1].content if history else ""
        seen = [*(m.id for m in history), question.id]
        return await self._memory.recall_for_turn(text[:QUERY_CHARACTERS], before=before, exclude_messages=seen)

    def _note(
        self,
        conversation: Conversation,
        question: Message,
        recall: RecallResult,
        prompt: BuiltPrompt,
        rendered: str,
    ) -> None:
        """Write down in the conversation what the model is given."""
        conversation.parts = prompt.parts
        conversation.set_window((*prompt.window, question))
        conversation.last_report = TurnReport(
            recall=replace(recall, items=prompt.recalled),
            profile=prompt.profile,
            prompt=rendered,
            parts=prompt.parts,
            fact_ids=tuple(fact.id for fact in prompt.facts),
        )

    async def _sum_up(self, conversation: Conversation, prompt: BuiltPrompt, remember: bool) -> None:
        """Before older messages leave the window, see that their summary is in memory: what leaves must be findable."""
        leaving = prompt.parts.left_out > conversation.left_out
        if leaving and remember and conversation.session_id and not conversation.private:
            await self._memory.sum_up(conversation.session_id)

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
        history: Sequence[Message],
        text: str,
        recall: RecallResult,
        language: str,
        model: InstalledModel,
        *,
        said: str = "",
        ahead: bool = False,
    ) -> BuiltPrompt:
        settings = self._settings
        present = await self._memory.profile()
        facts = steady_profile(conversation.profile, present, {m.id for m in conversation.window()})
        prompt = await (self._ahead if ahead else self._prompts).build(
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
            persona=model.persona or settings.text("prompt.persona"),
            bare=model.persona is not None,
            said=said,
            keep=_pinned_words(present),
        )
        conversation.profile = tuple(facts)
        return prompt


class _Busy:
    """Marks a conversation as being answered."""

    def __init__(self, conversation: Conversation, ends: Callable[[Conversation], None]) -> None:
        self._conversation = conversation
        self._ends = ends

    def __enter__(self) -> None:
        self._conversation.busy = True
        self._conversation.stop_wanted.clear()

    def __exit__(self, *_: object) -> None:
        self._conversation.busy = False
        self._ends(self._conversation)


def _checked(text: str) -> str:
    text = textkit.clean(text)
    if not text.strip():
        raise InputError("assistant.empty")
    return text


def _last_question(conversation: Conversation) -> int:
    place = max((i for i, m in enumerate(conversation.messages) if m.role == "user"), default=None)
    if place is None:
        raise InputError("assistant.no_answer_yet")
    return place


def _pinned_words(facts: Sequence[Fact]) -> frozenset[str]:
    """Return the ids of the messages that pinned facts rest on: such turns leave the window last."""
    return frozenset(source.message_id for fact in facts if fact.pinned for source in fact.sources)


def conversation_language(text: str, history: Sequence[Message]) -> str:
    """Return the language to answer in: that of the message, or for a few words ("OK", 谢谢) that of the talk so far.

    The words of the prompt and, where no model speaks both languages, the model itself follow the language. So an aside
    must not change it: the whole conversation would be read once more for it, and again for the next message.
    """
    own = textkit.guess_language(text)
    letters = sum(character.isalnum() for character in text)
    short = letters < MIN_CHARACTERS_FOR_LANGUAGE if own == "zh" else len(text.split()) < MIN_WORDS_FOR_LANGUAGE
    earlier = [m.content[:QUERY_CHARACTERS] for m in history if m.role == "user"][-3:]
    return textkit.guess_language("\n".join(earlier), own) if short and earlier else own
