"""The prompt of one turn: stable part first, volatile part last, every part within its token budget.

    [ persona + profile ]              stable: changes only when the profile does
    [ history turns ]                  append-only
    [ recalled block + new message ]   the volatile part

llama.cpp evaluates only what follows the longest identical token prefix, so this order makes a turn cost what is new.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Final

from desk_assistant import i18n
from desk_assistant.assistant.events import PromptParts
from desk_assistant.llm.types import ChatMessage
from desk_assistant.memory.extract import predicates
from desk_assistant.memory.records import RecalledItem
from desk_assistant.memory.wording import with_time
from desk_assistant.memory.working import WorkingWindow
from desk_assistant.store import Fact, Message

TEMPLATE_TOKENS: Final = 10
"""Tokens a chat template puts around one message; the exact count of the whole prompt is checked afterwards."""

CHARACTERS_PER_TOKEN: Final = 8
"""A message with more characters than this for each token of the window is cut before it is counted at all."""

PROFILE_SHARE: Final = 0.25
EPISODE_SHARE: Final = 0.3
ANSWER_SHARE: Final = 0.4
"""A part never takes more than this share of the window, however small the window is."""

Counter = Callable[[Sequence[str]], Awaitable[list[int]]]
ChatCounter = Callable[[Sequence[ChatMessage]], Awaitable[int]]


@dataclass(frozen=True)
class Budgets:
    """Tokens for each part of the prompt.

    Attributes:
        context: Tokens of the model's window.
        profile: For what is known about the person.
        episodes: For the recalled block.
        answer: Kept free for the answer.
    """

    context: int
    profile: int
    episodes: int
    answer: int

    @classmethod
    def of(cls, context: int, profile: int, episodes: int, answer: int) -> Budgets:
        """Return the wished budgets, cut to their share of a small window."""
        return cls(
            context,
            min(profile, int(context * PROFILE_SHARE)),
            min(episodes, int(context * EPISODE_SHARE)),
            min(answer, int(context * ANSWER_SHARE)),
        )


@dataclass(frozen=True)
class BuiltPrompt:
    """A prompt ready for the model, with what went into it."""

    messages: tuple[ChatMessage, ...]
    parts: PromptParts
    profile: tuple[str, ...]
    facts: tuple[Fact, ...]
    recalled: tuple[RecalledItem, ...]
    window: tuple[Message, ...]


class PromptBuilder:
    """Builds prompts, counting with the tokens of the model in use.

    Args:
        count: Exact token counts of several texts.
        count_chat: Exact token count of a rendered conversation.
    """

    def __init__(self, count: Counter, count_chat: ChatCounter) -> None:
        self._count = count
        self._count_chat = count_chat

    async def build(
        self,
        history: Sequence[Message],
        text: str,
        *,
        facts: Sequence[Fact],
        recalled: Sequence[RecalledItem],
        budgets: Budgets,
        working: WorkingWindow,
        language: str,
        persona: str = "",
        bare: bool = False,
        said: str = "",
        keep: Collection[str] = (),
    ) -> BuiltPrompt:
        """Build the prompt for a new message.

        Args:
            history: The conversation before it, oldest first.
            text: The new message.
            facts: The profile, most important first.
            recalled: What was recalled, best first.
            budgets: Tokens for each part.
            working: The conversation's working memory, which remembers where its window began.
            language: Language the fixed words of the prompt are in.
            persona: Replaces the standard persona.
            bare: The persona is also the heading over the facts, as some models' templates want it.
            said: The beginning of the answer, when one is to be continued.
            keep: Ids of messages that leave the window last.
        """
        say = persona or i18n.t_in(language, "prompt.persona")
        kept_facts, lines, profile_tokens = await self._profile(facts, budgets.profile, language)
        heading = [] if bare or not lines else [i18n.t_in(language, "prompt.profile_title")]
        system = "\n".join([say, *heading, *lines])
        block, kept_items, recalled_tokens = await self._recalled(recalled, budgets.episodes, language)
        persona_tokens = (await self._count([say]))[0] + TEMPLATE_TOKENS

        room = budgets.context - budgets.answer - persona_tokens - profile_tokens - recalled_tokens - TEMPLATE_TOKENS
        if said:
            room -= (await self._count([said]))[0]
        text, message_tokens, cut = await self._message(text, max(32, room), language)
        room -= message_tokens
        counts = [tokens + TEMPLATE_TOKENS for tokens in await self._count([m.content for m in history])]
        newest = f"{block}\n\n{text}" if block else text
        while True:
            window = working.window(history, counts, max(0, room), keep)
            messages = (
                ChatMessage("system", system),
                *(ChatMessage(m.role, m.content) for m in window.messages if m.content.strip()),
                ChatMessage("user", newest),
                *([ChatMessage("assistant", said)] if said else ()),
            )
            total = await self._count_chat(messages)
            over = total - (budgets.context - budgets.answer)
            if over <= 0 or not window.messages:
                break
            room = window.tokens - over
        counted = profile_tokens + window.tokens + recalled_tokens + message_tokens
        parts = PromptParts(
            context=budgets.context,
            # With what the template itself writes: some prime the model with examples that are longer than a talk.
            persona=max(persona_tokens, total - counted),
            profile=profile_tokens,
            history=window.tokens,
            recalled=recalled_tokens,
            message=message_tokens,
            answer=budgets.answer,
            left_out=window.left_out,
            cut=cut,
        )
        return BuiltPrompt(messages, parts, tuple(lines), tuple(kept_facts), tuple(kept_items), window.messages)

    async def _profile(self, facts: Sequence[Fact], budget: int, language: str) -> tuple[list[Fact], list[str], int]:
        # A line takes two tokens at the very least: of a profile of thousands, no more than these can have a place.
        facts = facts[: budget // 2]
        lines = [fact_line(fact, language) for fact in facts]
        title = i18n.t_in(language, "prompt.profile_title")
        counts = await self._count([title, *lines]) if lines else [0]
        kept: list[tuple[Fact, str]] = []
        used = counts[0]
        for fact, line, tokens in zip(facts, lines, counts[1:], strict=True):
            if used + tokens + 1 > budget:
                continue  # a shorter one further down may still fit
            used += tokens + 1
            kept.append((fact, line))
        return [f for f, _ in kept], [line for _, line in kept], used if kept else 0

    async def _recalled(
        self, items: Sequence[RecalledItem], budget: int, language: str
    ) -> tuple[str, list[RecalledItem], int]:
        if not items:
            return "", [], 0
        title, end = i18n.t_in(language, "prompt.recalled_title"), i18n.t_in(language, "prompt.recalled_end")
        lines = [item_line(item, language) for item in items]
        counts = await self._count([title, end, *lines])
        used = counts[0] + counts[1] + 4
        kept: list[tuple[RecalledItem, str]] = []
        for item, line, tokens in zip(items, lines, counts[2:], strict=True):
            if used + tokens + 1 <= budget:
                used += tokens + 1
                kept.append((item, line))
        if not kept:
            return "", [], 0
        items = [item for item, _ in kept]
        return recalled_block(items, language), items, used

    async def _message(self, text: str, budget: int, language: str) -> tuple[str, int, bool]:
        """Return the message with its tokens, its middle left out when it alone is larger than the window."""
        cut = False
        most = budget * CHARACTERS_PER_TOKEN
        shown = text
        while True:
            if len(shown) > most:
                shown, cut = cut_middle(text, most, language), True
            tokens = (await self._count([shown]))[0]
            if tokens <= budget or most < 64:
                return shown, tokens, cut
            most = min(len(shown) - 1, int(len(shown) * budget / tokens * 0.95))


def cut_middle(text: str, keep: int, language: str) -> str:
    """Leave out the middle of a text so that about `keep` characters remain, two thirds of them from its beginning."""
    head, tail = keep * 2 // 3, keep - keep * 2 // 3
    note = i18n.t_in(language, "prompt.cut", count=len(text) - head - tail)
    return f"{text[:head]}\n{note}\n{text[len(text) - tail :]}"


def recalled_block(items: Sequence[RecalledItem], language: str) -> str:
    """Return what is put before the question, empty for no items. The most relevant one stands next to the question."""
    if not items:
        return ""
    title, end = i18n.t_in(language, "prompt.recalled_title"), i18n.t_in(language, "prompt.recalled_end")
    return "\n".join([title, *(item_line(item, language) for item in reversed(items)), end])


def fact_line(fact: Fact, language: str) -> str:
    """Return a fact as a line of the profile."""
    text = one_line(with_time(fact, fact.text))
    if fact.language == "en" and (sentence := _sentence(fact, text)):
        return i18n.t_in("en", "prompt.profile_line", text=sentence)
    text = _labelled(fact, text)
    if fact.subject == "user":
        return i18n.t_in(language, "prompt.profile_line", text=text)
    return i18n.t_in(language, "prompt.profile_line_other", subject=one_line(fact.subject), text=text)


def _sentence(fact: Fact, text: str) -> str | None:
    """Return an English fact as a whole sentence ("The user uses MySQL 8.0."), which small models read best.

    Facts are kept without a subject and begin with a verb in the third person; what does not is left as it is.
    """
    verb, _, rest = text.partition(" ")
    if not rest or not verb.isascii() or not verb.lower().endswith("s") or verb.lower().endswith("ss"):
        return None
    who = i18n.t_in("en", "prompt.the_user") if fact.subject == "user" else one_line(fact.subject)
    return f"{who} {verb.lower()} {rest.rstrip('.')}."


def _labelled(fact: Fact, text: str) -> str:
    """Return a fact's text with what it is in brackets ("MySQL 8.0 (database)"): small models look for that word."""
    base = predicates.base(fact.predicate)
    label = predicates.qualifier_label(fact.predicate, fact.language)
    if not label and i18n.has(f"prompt.label_{base}"):
        label = i18n.t_in(fact.language, f"prompt.label_{base}")
    if not label or label.lower() in text.lower():
        return text
    return i18n.t_in(fact.language, "prompt.labelled", text=text, label=label)


def item_line(item: RecalledItem, language: str) -> str:
    """Return a recalled item as a quoted line."""
    text = one_line(item.text)
    if item.layer == "semantic":
        return i18n.t_in(language, "prompt.recalled_fact", text=text)
    who = i18n.t_in(language, f"prompt.who_{item.role}")
    return i18n.t_in(language, "prompt.recalled_line", date=item.created_at[:10], who=who, text=text)


def one_line(text: str, most: int = 600) -> str:
    """Return text on one line and without quotation marks of the block, so that it cannot look like its end."""
    flat = " ".join(text.replace("“", '"').replace("”", '"').split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
