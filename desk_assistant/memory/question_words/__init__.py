"""Words by which a question asks for something other than the present state of things, one file a language."""

from __future__ import annotations

import re
from typing import Final

from desk_assistant.memory.question_words import en, zh

_REPLY: Final = re.compile(f"(?i){en.REPLY}|{zh.REPLY}")
_PAST: Final = re.compile(f"(?i){en.PAST}|{zh.PAST}")
_SAID: Final = re.compile(f"(?i){en.SAID}|{zh.SAID}")


def asks_about_past(query: str) -> bool:
    """Tell whether a question is about how things were, so that what no longer holds may answer it."""
    return _PAST.search(query) is not None


def asks_what_was_said(query: str) -> bool:
    """Tell whether a question is about what was said, rather than about what was so."""
    return _SAID.search(query) is not None


def asks_about_reply(query: str) -> bool:
    """Tell whether a question is about what the assistant itself said."""
    return _REPLY.search(query) is not None
