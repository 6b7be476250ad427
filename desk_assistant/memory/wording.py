"""How a fact reads on its own: with its subject where that is somebody else, and with its time where one is known."""

from __future__ import annotations

from typing import Final

from desk_assistant.i18n import t_in
from desk_assistant.store import Fact

EVENTS: Final = frozenset({"did", "plan", "task", "schedule", "decision"})
"""Predicates whose date says when it happens, not since when it holds."""


def full_text(fact: Fact) -> str:
    """Return the text of a fact with its subject and its time, in the language it was said in."""
    text = fact.text if fact.subject == "user" else f"{fact.subject}: {fact.text}"
    return with_time(fact, text)


def with_time(fact: Fact, text: str) -> str:
    """Return `text` with the time of a fact behind it, unless the text names it already."""
    start, end = fact.due or fact.valid_from, fact.valid_to
    if start and start[:10] in text:
        return text
    lang = fact.language
    if fact.status in ("superseded", "retracted") and end:
        if start:
            return t_in(lang, "memory.between", text=text, start=start[:10], end=end[:10])
        return t_in(lang, "memory.until", text=text, date=end[:10])
    if not start:
        return text
    if fact.predicate.partition(".")[0] in EVENTS:
        return t_in(lang, "memory.on", text=text, date=start.replace("T", " "))
    return t_in(lang, "memory.since", text=text, date=start[:10])
