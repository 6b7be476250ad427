"""English ways to say what else somebody is called: "we call her Lexi", "Noor's nickname is Nono"."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.context import Context, Who
from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.model import Draft, Span
from desk_assistant.memory.extract.rules import load_patterns

_PATTERNS: Final = load_patterns(__package__, "aliases", words.LISTS)
_PRONOUNS: Final = frozenset({"he", "she", "they", "him", "her", "them", "his", "their"})


def other_name(clause: Span, at: int, context: Context) -> Iterator[Draft]:
    """Yield the other name of somebody who is known, or was spoken of before."""
    for pattern in _PATTERNS.values():
        match = pattern.match(clause.text, at)
        if match is None:
            continue
        if match["r"]:
            who: Who | None = Who("", "", match["r"].casefold())
        elif match["who"].casefold() in _PRONOUNS:
            who = context.other
        else:
            who = context.person(match["who"])
        if who is not None and match["o"] != who.name:
            start, end = match.span("o")
            context.speak_of(who)
            yield Draft(
                "alias", clause.start + start, clause.start + end, "Also called {o}", 0.9, "", who.name, who.relation
            )
        return
