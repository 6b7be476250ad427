"""A loaded model at work: prompts, answers, and which cache serves which request."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from desk_assistant.errors import ModelError
from desk_assistant.llm.child_context import Context
from desk_assistant.llm.child_model import Weights
from desk_assistant.llm.child_sampler import Sampler
from desk_assistant.llm.cores import physical_cores
from desk_assistant.llm.sampled import SampledAnswers
from desk_assistant.llm.streaming import THINK_OPEN, AnswerStream
from desk_assistant.llm.template import ChatTemplate, Segment
from desk_assistant.llm.types import ChatMessage, Finished, LoadSpec, ModelInfo, Piece, Reason, Sampling
from desk_assistant.workers.child import Call

MIN_CONTEXT: Final = 256
MIN_ANSWER: Final = 16
"""Tokens that must be left for an answer; a prompt that leaves fewer is too long."""

MAGIC: Final = b"GGUF"

PIECE_SECONDS: Final = 0.025
"""Text is sent this often at most: each piece wakes the app, which takes a core from the threads that compute."""


class Engine:
    """One model, its conversation's cache and, once needed, a second cache for background work.

    Args:
        lib: The bindings.
        spec: What to load.
        call: The request it is loaded for.

    Raises:
        ModelError: It cannot be loaded or used for a conversation.
    """

    def __init__(self, lib: Any, spec: LoadSpec, call: Call) -> None:
        began = time.perf_counter()
        check_file(spec)
        self._lib = lib
        self._spec = spec
        self._threads = spec.threads or physical_cores()
        self._background: Context | None = None
        self._answers = SampledAnswers()
        self._weights = Weights(lib, spec.path, spec.name, call)
        self._front: Context | None = None
        try:
            self._vocabulary = self._weights.vocabulary
            self._template = self._compile()
            size = max(MIN_CONTEXT, min(spec.context, self._weights.trained_context or spec.context))
            self._front = Context(lib, self._weights, size=size, threads=self._threads, name=spec.name)
        except BaseException:
            self.close()
            raise
        self._seconds = time.perf_counter() - began

    @property
    def info(self) -> ModelInfo:
        """What was loaded."""
        return ModelInfo(
            name=self._spec.name,
            description=self._weights.description,
            context=self._conversation.size,
            trained_context=self._weights.trained_context,
            background_context=min(self._spec.background_context, self._conversation.size),
            template=self._weights.template is not None,
            takes_system=self._template.takes_system,
            size=self._weights.size,
            parameters=self._weights.parameters,
            threads=self._threads,
            load_seconds=round(self._seconds, 3),
        )

    def count(self, text: str) -> int:
        """Return how many tokens `text` takes as the content of a message."""
        return len(self._vocabulary.tokenize(text))

    def prompt(self, messages: Sequence[ChatMessage], *, answer: bool = True) -> list[int]:
        """Return the tokens of a whole prompt. Arguments as in `ChatTemplate.render`."""
        tokens: list[int] = []
        for index, segment in enumerate(self._template.render(messages, answer=answer)):
            tokens += self._tokens(segment, first=index == 0)
        bos = self._vocabulary.bos
        if self._vocabulary.adds_bos and tokens[:1] != [bos]:
            tokens.insert(0, bos)
        return tokens

    def text(self, messages: Sequence[ChatMessage]) -> str:
        """Return the whole prompt as text, control tokens written out."""
        return "".join(segment.text for segment in self._template.render(messages))

    def warm(self, messages: Sequence[ChatMessage], call: Call) -> Mapping[str, Any]:
        """Read the beginning of a prompt into the conversation's cache.

        Raises:
            WorkerCancelled: The person's request came; what was read by then stays.
        """
        tokens = self.prompt(messages, answer=False)[: self._conversation.size - MIN_ANSWER]
        if not tokens:
            return {"reused": 0, "read": 0}
        context = self._conversation
        if context.tokens[: len(tokens)] == tokens:
            return {"reused": len(tokens), "read": 0}
        reused, read = context.read(tokens, call, _progress(call))
        call.check()
        return {"reused": reused, "read": read}

    def generate(
        self,
        messages: Sequence[ChatMessage],
        sampling: Sampling,
        call: Call,
        schema: Mapping[str, Any] | None = None,
    ) -> Finished:
        """Answer a conversation, or go on with its last message when that is the assistant's.

        Sends `prefill` and `piece` events. A background request uses a cache of its own.

        Raises:
            ModelError: The prompt does not fit; nothing was computed then.
        """
        tokens = self.prompt(messages)
        context = self._context_for(call)
        if len(tokens) + MIN_ANSWER > context.size:
            raise ModelError(
                "llm.too_long", tokens=len(tokens), context=context.size, over=len(tokens) + MIN_ANSWER - context.size
            )
        continued = messages[-1].content if messages and messages[-1].role == "assistant" else ""
        said = self._tokens(Segment(continued, content=True, sampled=True)) if continued else []
        sampler = Sampler(self._lib, self._vocabulary, sampling, said=said, schema=schema)
        try:
            return self._answer(tokens, said, continued, sampling, sampler, context, call)
        finally:
            sampler.close()

    def close(self) -> None:
        """Give all memory back."""
        for context in (self._background, self._front):
            if context is not None:
                context.close()
        self._background = self._front = None
        self._weights.close()

    def _answer(
        self,
        tokens: list[int],
        said: Sequence[int],
        continued: str,
        sampling: Sampling,
        sampler: Sampler,
        context: Context,
        call: Call,
    ) -> Finished:
        began = time.perf_counter()
        reused, read = context.read(tokens, call, _progress(call))
        middle = time.perf_counter()
        thinking = not continued and self._opens_thinking(tokens)
        stream = AnswerStream(self._spec.stop, thinking=thinking)
        outlet = Outlet(call)
        answer: list[int] = []
        sizes: list[int] = []
        reason: Reason = "length"
        limit = min(sampling.max_tokens, context.size - len(tokens))
        while len(answer) < limit:
            if call.cancelled:
                reason = "cancelled"
                break
            token = sampler.next(context)
            if self._vocabulary.ends(token):
                reason = "stop"
                break
            data = self._vocabulary.piece(token)
            answer.append(token)
            sizes.append(len(data))
            outlet.send(stream.feed(data))
            if stream.stopped:
                reason = "stop"
                break
            if len(answer) < limit and not context.append(token, call):
                reason = "cancelled"
                break
        outlet.send(stream.finish())
        outlet.flush()
        self._remember(stream, continued, said, answer, sizes)
        return Finished(
            reason=reason,
            prompt_tokens=len(tokens),
            reused_tokens=reused,
            evaluated_tokens=read,
            answer_tokens=len(answer),
            prompt_seconds=round(middle - began, 4),
            answer_seconds=round(time.perf_counter() - middle, 4),
            text=stream.text,
        )

    def _remember(
        self, stream: AnswerStream, continued: str, said: Sequence[int], answer: Sequence[int], sizes: Sequence[int]
    ) -> None:
        # Thinking is left out of the history, so its tokens never come back; the text alone is tokenised then.
        if stream.thought:
            return
        shown = len(stream.text.encode("utf-8", "replace"))
        kept = total = 0
        for size in sizes:
            if total + size > shown:
                break
            total += size
            kept += 1
        if total == shown:
            self._answers.remember(continued + stream.text, [*said, *answer[:kept]])

    def _tokens(self, segment: Segment, *, first: bool = False) -> Sequence[int]:
        if segment.sampled and (known := self._answers.recall(segment.text)) is not None:
            return known
        return self._vocabulary.tokenize(segment.text, special=not segment.content, first=first)

    def _opens_thinking(self, tokens: Sequence[int]) -> bool:
        tail = b"".join(self._vocabulary.piece(token, special=True) for token in tokens[-4:])
        return tail.decode("utf-8", "replace").rstrip().endswith(THINK_OPEN)

    def _compile(self) -> ChatTemplate:
        source = self._spec.chat_template or self._weights.template
        if source is None or not self._weights.decodes:
            raise ModelError("llm.no_template", name=self._spec.name, path=self._spec.path)
        vocabulary = self._vocabulary
        return ChatTemplate(
            source,
            bos=vocabulary.text_of(vocabulary.bos),
            eos=vocabulary.text_of(vocabulary.eos),
            thinking=self._spec.thinking,
        )

    @property
    def _conversation(self) -> Context:
        if self._front is None:
            raise ModelError("llm.not_loaded")
        return self._front

    def _context_for(self, call: Call) -> Context:
        if not call.background:
            return self._conversation
        if self._background is None:
            size = max(MIN_CONTEXT, self.info.background_context)
            self._background = Context(self._lib, self._weights, size=size, threads=self._threads, name=self._spec.name)
        return self._background


class Outlet:
    """Sends the text of an answer, what comes in quick succession as one piece.

    Args:
        call: The request it belongs to.
        clock: Seconds, ever rising.
    """

    def __init__(self, call: Call, clock: Callable[[], float] = time.perf_counter) -> None:
        self._call = call
        self._clock = clock
        self._held: list[Piece] = []
        self._last = float("-inf")

    def send(self, pieces: Iterable[Piece]) -> None:
        """Send pieces now or, soon after others, with those that follow."""
        for piece in pieces:
            if self._held and self._held[-1].thought == piece.thought:
                self._held[-1] = Piece(self._held[-1].text + piece.text, piece.thought)
            else:
                self._held.append(piece)
        if self._held and self._clock() - self._last >= PIECE_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Send what is held."""
        for piece in self._held:
            self._call.emit({"piece": piece.text, "thought": piece.thought})
        self._held.clear()
        self._last = self._clock()


def check_file(spec: LoadSpec) -> None:
    """Refuse, before anything is given up for it, a path that cannot be a model.

    Raises:
        ModelError: There is no such file, it cannot be read, or it is no GGUF.
    """
    path: Path = spec.path
    try:
        with path.open("rb") as file:
            magic = file.read(len(MAGIC))
    except FileNotFoundError as error:
        raise ModelError("llm.missing", name=spec.name, path=path, cause=repr(error)) from error
    except OSError as error:
        why = error.strerror or type(error).__name__
        raise ModelError("llm.unreadable", name=spec.name, path=path, reason=why, cause=repr(error)) from error
    if magic != MAGIC:
        raise ModelError("llm.not_gguf", name=spec.name, path=path)


def _progress(call: Call) -> Any:
    return lambda done, total: call.emit({"prefill": [done, total]})
