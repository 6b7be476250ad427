"""How a person's manner shows in their words, and how it is said: one file a language, parallel."""

from __future__ import annotations

import re
from typing import Final

from desk_assistant.memory.manner_words import en, zh

SIGNS: Final = {
    trait: {value: re.compile(f"{en.SIGNS[trait][value]}|{zh.SIGNS[trait][value]}", re.IGNORECASE) for value in values}
    for trait, values in en.SIGNS.items()
}
"""For each trait that shows in single words: what marks each of its values."""

SENTENCES: Final = {"en": en.SENTENCES, "zh": zh.SENTENCES}
"""For each trait and value: the fact, as the profile and the prompt say it."""

TOPICS: Final = {"en": en.TOPICS, "zh": zh.TOPICS}
AND: Final = {"en": en.AND, "zh": zh.AND}
