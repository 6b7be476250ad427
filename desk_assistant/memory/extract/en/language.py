"""English, put together for the engine."""

from __future__ import annotations

from typing import Final

from desk_assistant.memory.extract.en.attribution import attributed
from desk_assistant.memory.extract.en.dialogue import DIALOGUE
from desk_assistant.memory.extract.en.heads import clauses, lead_of
from desk_assistant.memory.extract.en.reader import read
from desk_assistant.memory.extract.en.values import tidy, to_third
from desk_assistant.memory.extract.language import Language
from desk_assistant.memory.extract.rules import load_gates

ENGLISH: Final = Language("en", load_gates(__package__), DIALOGUE, clauses, attributed, read, lead_of, tidy, to_third)
