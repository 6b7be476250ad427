"""What full-text search looks at for a turn of a conversation: more than the turn itself."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from desk_assistant import textkit

CONTEXT: Final = 600
"""Characters taken from the end of the turn before."""

MONTHS: Final = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)


def lexical_text(text: str, *, speaker: str = "", said_at: datetime | None = None, before: str = "") -> str:
    """Return the words a turn is to be found by.

    Args:
        text: The turn.
        speaker: Who said it, where that is a name.
        said_at: When; its date is written out in the language of the text, as people ask for it.
        before: The turn it answers, said by somebody else. "Yes, since March" is found by the words of the question. A
            turn of the same speaker is no such context: it lowers what is found.
    """
    spoken = f"{speaker}: {text}" if speaker else text
    return "\n".join(part for part in (_date(text, said_at), spoken, before[-CONTEXT:]) if part)


def _date(text: str, said_at: datetime | None) -> str:
    if said_at is None:
        return ""
    if textkit.guess_language(text) == "zh":
        return f"{said_at.year}年{said_at.month}月{said_at.day}日"
    return f"{said_at.day} {MONTHS[said_at.month - 1]} {said_at.year}"
