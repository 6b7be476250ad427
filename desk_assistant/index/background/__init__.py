"""Everyday sentences in both languages. Their mean embedding is what all of a language share, whatever they are about.

Broad rather than many: statements, questions, requests and small talk from all corners of life, one a line.
"""

from __future__ import annotations

from importlib import resources
from typing import Final

from desk_assistant.textkit import Language

VERSION: Final = 2
"""Raised with every change of the sentences, as vectors centred on others cannot be compared."""


def _read(name: str) -> tuple[str, ...]:
    text = resources.files(__package__).joinpath(name).read_text(encoding="utf-8")
    return tuple(line for line in text.splitlines() if line)


LINES: Final[dict[Language, tuple[str, ...]]] = {"en": _read("en.txt"), "zh": _read("zh.txt")}
