"""The English rules, read from the TOML files beside this one."""

from __future__ import annotations

from typing import Final

from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.en.guards import GUARDS
from desk_assistant.memory.extract.rules import Rule, load

COMPLEMENTS: Final[tuple[Rule, ...]] = load(__package__, "complements.toml", words.LISTS, GUARDS)
"""What follows "I'm", "she is" …"""
VERBS: Final[tuple[Rule, ...]] = load(__package__, "verbs.toml", words.LISTS, GUARDS)
"""What follows "I", "my sister" …"""
