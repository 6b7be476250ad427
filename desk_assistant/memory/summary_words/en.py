"""English words that make a sentence worth keeping in a session summary."""

from __future__ import annotations

from typing import Final

LABELS: Final = {"goal": "Began with", "decision": "Decided", "task": "To do", "data": "Said", "state": "Last"}
DECISION: Final = (
    r"\b(?:decided?|decide on|let's go with|we(?:'ll| will) (?:use|go|take)|i(?:'ll| will) (?:use|go with|take)"
    r"|chose|chosen|settled on|agreed)\b"
)
TASK: Final = r"\b(?:to-?do|remind me|i (?:need|have) to|i must|don't forget|deadline|due (?:on|by))\b"
FIRST_PERSON: Final = r"\b(?:i|my|i'm|we|our)\b"
FILLER: Final = r"(?:hi|hey|hello|ok|okay|thanks?|thank you|lol|yes|no|great|cool|bye|wow)\b"
NAME: Final = r"(?-i:(?<![.!?]\s)(?<!^)\b[A-Z][a-z]+\b|[A-Z]{2,})"
