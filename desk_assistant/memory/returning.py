"""Whether what comes in from elsewhere would bring back what was forgotten, in the same words or among others."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from desk_assistant.memory import traces
from desk_assistant.memory.extract import Statement, normal_form, predicates, statement_key
from desk_assistant.store import Store

LOOSE: Final = frozenset({"about", "note", "schedule", "task", "decision"})
"""Predicates whose values are free text: what they say may be any other statement in other words."""

MOST_WORDS: Final = 4
"""Words of a value that is looked for inside a longer one."""


def brings_back(statement: Statement, store: Store) -> bool:
    """Tell whether a statement, or a shorter one inside it about the same person, was forgotten.

    "I use Thrumbase" is forgotten; "I'm using Thrumbase daily" from an import says it again. Somebody else who uses it
    is another matter, and so is a value of one's own under another predicate.

    Args:
        statement: What an import or another program states.
        store: Holds the marks of what was forgotten.
    """
    marks = store.tombstones
    if not marks:
        return False  # nothing was ever forgotten
    if statement_key(statement.subject, statement.predicate, statement.object) in marks:
        return True
    known = marks.since()
    names = [statement.predicate]
    if predicates.base(statement.predicate) in LOOSE:
        names += predicates.registry()
    return any(
        marks.mark_of(statement_key(statement.subject, name, value)) in known
        for value in _values_within(statement.object)
        for name in names
    )


def _values_within(text: str) -> Iterator[str]:
    words = normal_form(text).split()
    for first in range(len(words)):
        for end in range(first + 1, min(len(words), first + MOST_WORDS) + 1):
            value = " ".join(words[first:end])
            if traces.tells(value) and traces.telling(value):
                yield value
