"""Chinese, put together for the engine."""

from __future__ import annotations

from typing import Final

from desk_assistant.memory.extract.language import Language
from desk_assistant.memory.extract.rules import load_gates
from desk_assistant.memory.extract.zh.attribution import attributed
from desk_assistant.memory.extract.zh.dialogue import DIALOGUE
from desk_assistant.memory.extract.zh.heads import clauses, lead_of
from desk_assistant.memory.extract.zh.reader import read
from desk_assistant.memory.extract.zh.values import tidy, to_statement

CHINESE: Final = Language(
    "zh", load_gates(__package__), DIALOGUE, clauses, attributed, read, lead_of, tidy, to_statement
)
