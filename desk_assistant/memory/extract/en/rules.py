"""The English rules, read from the TOML files beside this one."""

from __future__ import annotations

from typing import Final

from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.en.guards import GUARDS
from desk_assistant.memory.extract.rules import Rule, load

_LISTS: Final = {
    "ADVERBS": words.ADVERBS,
    "CONDITIONS": words.CONDITIONS,
    "DIETS": words.DIETS,
    "MONTHS": "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    "PETS": words.PETS,
    "RELATIONS": words.RELATIONS,
    "RELATION_EXTRA": words.RELATION_EXTRA,
}

COMPLEMENTS: Final[tuple[Rule, ...]] = load(__package__, "complements.toml", _LISTS, GUARDS)
"""What follows "I'm", "she is" …"""
VERBS: Final[tuple[Rule, ...]] = load(__package__, "verbs.toml", _LISTS, GUARDS)
"""What follows "I", "my sister" …"""
