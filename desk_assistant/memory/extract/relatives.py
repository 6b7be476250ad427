"""Words for what somebody is to the person, in both languages."""

from __future__ import annotations

import re
from functools import cache

from desk_assistant.memory.extract.en import words as english
from desk_assistant.memory.extract.zh import words as chinese


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(f"{english.RELATION_EXTRA}{english.RELATIONS}|{chinese.RELATIONS}", re.IGNORECASE)


def is_relation(text: str) -> bool:
    """Tell whether `text` is nothing but such a word ("sister", "older brother", 室友)."""
    return _pattern().fullmatch(text) is not None
