"""The shape of a rule: a pattern over what is said of somebody, and the statement it makes."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

Cut = Literal["phrase", "clause", "none"]
"""Where a value ends: at the first preposition or conjunction, at a subordinate clause, or with the pattern."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One way of saying something.

    Attributes:
        predicate: What it says; a `{q}` is filled from the pattern's group `q`.
        pattern: Matched at the start of the verb phrase; the group `o` is the value.
        text: The short statement, with `{o}` for the value (and `{q}`).
        negated_as: Predicate of the negation where that is a statement of its own (likes, dislikes).
        negated_text: The short statement when negated; empty when a negated form says nothing worth keeping.
        confidence: How sure the rule is of itself, 0 to 1.
        many: The value may be a list ("Polish, Welsh and Dutch").
        cut: Where the value ends.
        guard: Refuses values that do not fit.
        slot: The date field that a date in the clause fills.
        others: Also holds for somebody other than the person.
        verbatim: The short statement is the clause itself, not `text`.
    """

    predicate: str
    pattern: re.Pattern[str]
    text: str
    negated_as: str = ""
    negated_text: str = ""
    confidence: float = 0.85
    many: bool = False
    cut: Cut = "clause"
    guard: Callable[[str], bool] | None = None
    slot: Literal["valid_from", "valid_to", "due", ""] = ""
    others: bool = True
    verbatim: bool = False


@dataclass(frozen=True, slots=True)
class Gates:
    """Patterns that keep a sentence or message out of memory, in one language.

    Attributes:
        question: The clause asks.
        hypothetical: The sentence is about what is not so.
        fiction: The whole message is a story, a game or a part played.
        role_play_on, role_play_off: Open and close a game that lasts over several messages.
        one_off: For this answer only.
        request: An order to do something now.
        small_talk: A sentence that says nothing.
        reported: Somebody else's words about the person.
        hedge: The person is not sure.
        material: The text that follows is to be worked on; the group `before` matches when it is the text above.
    """

    question: re.Pattern[str]
    hypothetical: re.Pattern[str]
    fiction: re.Pattern[str]
    role_play_on: re.Pattern[str]
    role_play_off: re.Pattern[str]
    one_off: re.Pattern[str]
    request: re.Pattern[str]
    small_talk: re.Pattern[str]
    reported: re.Pattern[str]
    hedge: re.Pattern[str]
    material: re.Pattern[str]
    material_before: re.Pattern[str]
