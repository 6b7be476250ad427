"""What the engine asks of a language. A third language is a third package that makes one of these."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from desk_assistant.memory.extract.context import Context
from desk_assistant.memory.extract.model import Draft, Span
from desk_assistant.memory.extract.rules import Gates


@dataclass(frozen=True, slots=True)
class Dialogue:
    """Patterns of messages that point back to what was said before.

    Attributes:
        reattribute: "That was not me, that was my cousin Ruben"; the groups `name` and `relation` say whose it is.
        reject: "That's not true about me", "forget what I just said".
        confirm: "Yes, remember that".
        meant: "I meant Porto"; the group `o` replaces the value of the statement before.
        relation_text: Label of the relation of a person named while reattributing, with `{relation}`.
    """

    reattribute: re.Pattern[str]
    reject: re.Pattern[str]
    confirm: re.Pattern[str]
    meant: re.Pattern[str]


@dataclass(frozen=True, slots=True)
class Language:
    """One language's knowledge.

    Attributes:
        code: `"en"` or `"zh"`.
        gates: What keeps a sentence out.
        dialogue: What points back.
        clauses: Splits a sentence.
        attributed: What a sentence takes from the person and gives to somebody else.
        read: Turns a clause into drafts.
        lead_of: Length of the discourse markers a clause begins with.
        tidy: Trims a value.
        to_third: Writes a verb phrase as a statement without a subject.
    """

    code: str
    gates: Gates
    dialogue: Dialogue
    clauses: Callable[[Span], Iterator[Span]]
    attributed: Callable[[Span, Context], Iterator[Draft]]
    read: Callable[[Span, Context], Iterator[Draft]]
    lead_of: Callable[[str], int]
    tidy: Callable[..., tuple[int, int]]
    to_third: Callable[..., str]
