"""Chinese ways to say what else somebody is called: 大家都叫他老王, 林悦小名叫豆豆."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.context import Context, Who
from desk_assistant.memory.extract.model import Draft, Span
from desk_assistant.memory.extract.rules import load_patterns
from desk_assistant.memory.extract.zh import words

_PATTERNS: Final = load_patterns(__package__, "aliases", words.LISTS)


def other_name(clause: Span, at: int, context: Context) -> Iterator[Draft]:
    """Yield the other name of somebody who is known, or was spoken of before."""
    for pattern in _PATTERNS.values():
        match = pattern.match(clause.text, at)
        if match is None:
            continue
        if match["r"]:
            who: Who | None = Who("", "", match["r"])
        elif match["who"] in {"他", "她"}:
            who = context.other
        else:
            who = context.person(match["who"])
        if who is not None and match["o"] != who.name:
            start, end = match.span("o")
            context.speak_of(who)
            yield Draft("alias", clause.start + start, clause.start + end, "又叫{o}", 0.9, "", who.name, who.relation)
        return
