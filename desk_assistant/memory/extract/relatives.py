"""Words for what somebody is to the person, in both languages."""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from desk_assistant.memory.extract.en import words as english
from desk_assistant.memory.extract.zh import words as chinese


@cache
def _pattern() -> re.Pattern[str]:
    return re.compile(f"{english.RELATION_EXTRA}{english.RELATIONS}|{chinese.RELATIONS}", re.IGNORECASE)


def is_relation(text: str) -> bool:
    """Tell whether `text` is nothing but such a word ("sister", "older brother", 室友)."""
    return _pattern().fullmatch(text) is not None


def are_one(relation: str, other: str, *, called_alike: bool = False) -> bool:
    """Tell whether two such words mean one relation ("mum", "mother", 妈妈).

    Args:
        relation: One.
        other: The other.
        called_alike: The two go by one name, so that an elder daughter is the daughter too.
    """
    one, two = (_family(word, called_alike) for word in (relation.casefold(), other.casefold()))
    return one == two


def _family(relation: str, called_alike: bool) -> str:
    found = english.FAMILIES.get(relation) or chinese.FAMILIES.get(relation) or relation
    if called_alike:
        found = _AGE.sub("", found)
    return english.FAMILIES.get(found, found)


_AGE: Final = re.compile(
    r"^(?:(?:elder|older|eldest|oldest|younger|youngest|little|big|twin|middle)[ _-]|[大小二三老](?=[女儿姑姨叔伯舅]))"
)
