"""Conversation, prompt and turn: what every front end is built on. `Assistant` is its face."""

from desk_assistant.assistant.conversation import Conversation
from desk_assistant.assistant.engine import REFUSALS
from desk_assistant.assistant.events import (
    Answered,
    Piece,
    PromptParts,
    Reading,
    Recalled,
    Saved,
    TurnEvent,
    TurnReport,
    Usage,
    Waiting,
)
from desk_assistant.assistant.importer import ImportReport
from desk_assistant.assistant.imports import ImportPreview
from desk_assistant.assistant.service import Assistant
from desk_assistant.assistant.status import PartStatus, Status

__all__ = [
    "REFUSALS",
    "Answered",
    "Assistant",
    "Conversation",
    "ImportPreview",
    "ImportReport",
    "PartStatus",
    "Piece",
    "PromptParts",
    "Reading",
    "Recalled",
    "Saved",
    "Status",
    "TurnEvent",
    "TurnReport",
    "Usage",
    "Waiting",
]
