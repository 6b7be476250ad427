"""Relative dates, resolved against the local time of the message that says them; nothing is made up.

`resolve` finds what was said in either language. The language files know the words, `calendar` the arithmetic. What a
phrase does not say stays unsaid: "in March" gives a month, "on Fridays" a rule without a date, "some day" nothing.
"""

from __future__ import annotations

import re
from datetime import datetime

from desk_assistant.memory.extract.calendar import Mention
from desk_assistant.memory.extract.en import dates as english
from desk_assistant.memory.extract.fold import fold
from desk_assistant.memory.extract.zh import dates as chinese

__all__ = ["Mention", "resolve"]

_HAN = re.compile(r"[一-鿿]")


def resolve(text: str, said_at: datetime, *, past: bool = False) -> tuple[Mention, ...]:
    """Find the dates, times and recurrences in `text`.

    Args:
        text: A sentence or message in English or Chinese.
        said_at: Local time of the message; its own calendar day is what "yesterday" counts from, never UTC's.
        past: The sentence is about something that has happened, so that a bare "on Friday" looks back.

    Returns:
        The mentions in order, without overlaps.
    """
    folded = fold(text)
    day = said_at.date()
    found = list(english.find(folded, day, past=past))
    if _HAN.search(folded):
        found += chinese.find(folded, day, past=past)
    found.sort(key=lambda mention: (mention.start, -mention.end))
    kept: list[Mention] = []
    for mention in found:
        if not kept or mention.start >= kept[-1].end:
            kept.append(mention)
    return tuple(kept)
