"""Chinese messages that point back to an earlier one."""

from __future__ import annotations

from typing import Final

from desk_assistant.memory.extract.language import Dialogue
from desk_assistant.memory.extract.rules import load_patterns
from desk_assistant.memory.extract.zh import words

DIALOGUE: Final = Dialogue(**load_patterns(__package__, "dialogue", words.LISTS))
