"""Extraction: from a person's message to small statements that cite their words.

`extract` is pure: no I/O, no model, the same result for the same message. See `engine` for the stages.
"""

from __future__ import annotations

from desk_assistant.memory.extract import predicates, times
from desk_assistant.memory.extract.engine import extract
from desk_assistant.memory.extract.keys import normal_form, statement_key
from desk_assistant.memory.extract.model import ANY, USER, Action, Kind, KnownPeople, Person, Statement, Turn

__all__ = [
    "ANY",
    "USER",
    "Action",
    "Kind",
    "KnownPeople",
    "Person",
    "Statement",
    "Turn",
    "extract",
    "normal_form",
    "predicates",
    "statement_key",
    "times",
]
