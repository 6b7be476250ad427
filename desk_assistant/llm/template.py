"""Render a model's chat template without ever letting it see what people wrote.

The template is a program that comes with the model file. It gets marks in place of the contents; the result is cut at
the marks into template text, in which control tokens are meant, and contents, in which nothing is. So a stored
`<|im_end|>` can be tokenised as the text it is.
"""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn

from jinja2 import BaseLoader, TemplateError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from desk_assistant.errors import ModelError
from desk_assistant.llm.types import ChatMessage

MARK: Final = "\ue0f0{}\ue0f1"
"""Stands for a content. Private-use characters: no template says them, and no filter that trims takes them away."""

_MARKS: Final = re.compile("\ue0f0([0-9]+)\ue0f1")

_PROBE: Final = (ChatMessage("system", "s"), ChatMessage("user", "u"), ChatMessage("assistant", "a"))


@dataclass(frozen=True)
class Segment:
    """A part of a prompt: text of the template, or the content of a message.

    Attributes:
        text: The part itself.
        content: Whether it was written by a person or the model rather than by the template.
        sampled: Whether it is a whole answer of the model, whose tokens may be remembered.
    """

    text: str
    content: bool = False
    sampled: bool = False


class ChatTemplate:
    """A compiled chat template.

    Args:
        source: Jinja source, as found in the model file or the catalogue.
        bos: Text of the token that begins a sequence, empty when the model has none.
        eos: Text of the token that ends one.
        thinking: Value of `enable_thinking`, which some templates read.

    Raises:
        ModelError: It cannot be compiled, or fails on the simplest conversation.
    """

    def __init__(self, source: str, *, bos: str = "", eos: str = "", thinking: bool = False) -> None:
        environment = ImmutableSandboxedEnvironment(
            loader=BaseLoader(), trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols"]
        )
        environment.filters["tojson"] = _to_json
        try:
            self._template = environment.from_string(source)
        except TemplateError as error:
            raise ModelError("llm.bad_template", cause=f"{type(error).__name__}: {error}") from error
        self._values = {
            "bos_token": bos,
            "eos_token": eos,
            "enable_thinking": thinking,
            "raise_exception": _refuse,
            "strftime_now": _strftime_now,
            "tools": None,
            "documents": None,
        }
        self.takes_system = self._try(_PROBE)
        """Whether a system message comes out where it was put in; otherwise its words go before the next user's."""
        self._needs_turns = not self._try((ChatMessage("user", "u"), ChatMessage("user", "u")))
        self._render(self._normal(_PROBE[:2]), answer=True)

    def render(self, messages: Sequence[ChatMessage], *, answer: bool = True) -> list[Segment]:
        """Return the prompt in parts, in order, none of them empty.

        Args:
            messages: The conversation. A last message of the assistant is an answer to go on with: the prompt then
                ends with its words.
            answer: End with the text that has the assistant speak. False renders the beginning of a prompt.

        Raises:
            ModelError: The template refuses this conversation.
        """
        messages = self._normal(messages)
        if answer and messages and messages[-1].role == "assistant":
            opening = self._render(messages[:-1], answer=True)
            return [*opening, *_contents(messages[-1])]
        return self._render(messages, answer=answer)

    def _normal(self, messages: Sequence[ChatMessage]) -> list[ChatMessage]:
        if not self.takes_system:
            messages = _fold_system(messages)
        return _take_turns(messages) if self._needs_turns else list(messages)

    def _render(self, messages: Sequence[ChatMessage], *, answer: bool) -> list[Segment]:
        marked = [{"role": m.role, "content": MARK.format(i)} for i, m in enumerate(messages)]
        try:
            text = self._template.render(**self._values, messages=marked, add_generation_prompt=answer)
        except (
            TemplateError,
            ArithmeticError,
            LookupError,
            TypeError,
            ValueError,
            AttributeError,
            RecursionError,
        ) as error:
            raise ModelError("llm.bad_template", cause=f"{type(error).__name__}: {error}") from error
        segments: list[Segment] = []
        end = 0
        for found in _MARKS.finditer(text):
            segments.append(Segment(text[end : found.start()]))
            segments += _contents(messages[int(found[1])])
            end = found.end()
        segments.append(Segment(text[end:]))
        return [segment for segment in segments if segment.text]

    def _try(self, messages: Sequence[ChatMessage]) -> bool:
        try:
            segments = self._render(messages, answer=False)
        except ModelError:
            return False
        return [s.text for s in segments if s.content] == [m.content for m in messages]


def _contents(message: ChatMessage) -> list[Segment]:
    if not message.content:
        return []
    return [Segment(message.content, content=True, sampled=message.role == "assistant")]


def _fold_system(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    folded: list[ChatMessage] = []
    waiting: list[str] = []
    for message in messages:
        if message.role == "system":
            waiting.append(message.content)
        elif message.role == "user" and waiting:
            folded.append(replace(message, content="\n\n".join((*waiting, message.content))))
            waiting = []
        else:
            folded.append(message)
    if waiting:
        folded.append(ChatMessage("user", "\n\n".join(waiting)))
    return folded


def _take_turns(messages: Sequence[ChatMessage]) -> list[ChatMessage]:
    turns: list[ChatMessage] = []
    for message in messages:
        if turns and turns[-1].role == message.role:
            turns[-1] = replace(message, content=f"{turns[-1].content}\n\n{message.content}")
        elif message.role == "assistant" and not any(turn.role == "user" for turn in turns):
            # A conversation cut at its beginning may start with an answer; such templates want a question first.
            turns += [ChatMessage("user", "…"), message]
        else:
            turns.append(message)
    return turns


def _refuse(message: str = "") -> NoReturn:
    raise TemplateError(message)


def _strftime_now(form: str) -> str:
    return datetime.datetime.now().astimezone().strftime(form)


def _to_json(value: object, indent: int | None = None, **_options: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=indent)
