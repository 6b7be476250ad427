"""Words that make a sentence worth keeping in a session summary, one file a language."""

from __future__ import annotations

import re
from typing import Final

from desk_assistant.memory.summary_words import en, zh

LABELS: Final = {"en": en.LABELS, "zh": zh.LABELS}
DECISION: Final = re.compile(f"(?i){en.DECISION}|{zh.DECISION}")
TASK: Final = re.compile(f"(?i){en.TASK}|{zh.TASK}")
FIRST_PERSON: Final = re.compile(f"(?i){en.FIRST_PERSON}|{zh.FIRST_PERSON}")
FILLER: Final = re.compile(rf"(?i)^\W*(?:{en.FILLER}|{zh.FILLER})\W*$")
FIGURE: Final = re.compile(rf"\d|{zh.FIGURE}")
NAME: Final = re.compile(f"{en.NAME}|{zh.NAME}")
