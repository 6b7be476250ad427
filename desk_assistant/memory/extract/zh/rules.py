"""The Chinese rules, read from the TOML file beside this one."""

from __future__ import annotations

from typing import Final

from desk_assistant.memory.extract.rules import Rule, load
from desk_assistant.memory.extract.zh import words
from desk_assistant.memory.extract.zh.guards import GUARDS

VERBS: Final[tuple[Rule, ...]] = load(__package__, "verbs.toml", words.LISTS, GUARDS)
"""What follows 我, 我妹妹 … without adverbs and negation."""
