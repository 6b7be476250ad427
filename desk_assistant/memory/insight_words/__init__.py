"""Sentences of insights, one file a language."""

from __future__ import annotations

from typing import Final

from desk_assistant.memory.insight_words import en, zh

SENTENCES: Final = {"en": en.SENTENCES, "zh": zh.SENTENCES}
"""Text of each kind of insight: what it is about, a list of values, a number of conversations."""

AND: Final = {"en": en.AND, "zh": zh.AND}
THEN: Final = " → "
