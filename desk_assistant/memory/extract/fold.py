"""A folded copy of a message, character for character, on which all patterns run.

Full-width forms, curly quotes and exotic spaces become their plain ASCII relatives, traditional Chinese characters
their simplified forms, and everything that is not text (control characters, lone surrogates, private-use) becomes a
space. The length never changes, so that an offset in the copy is an offset in the message.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from desk_assistant.textkit import Language, guess_language
from desk_assistant.textkit.hanzi import simplified

_ODD: Final = re.compile(r"[^\x20-\x7e\n一-鿿。、…]")
_QUOTES: Final = {
    "‘": "'", "’": "'", "ʼ": "'", "′": "'", "“": "“", "”": "”", "「": "“", "」": "”", "『": "“", "』": "”",
    "《": "《", "》": "》", "–": "-", "—": "—", "―": "—", "•": "\n", "\r": "\n", "\u2028": "\n", "\u2029": "\n",
    "｡": "。", "﹐": ",",
}  # fmt: skip


@lru_cache(maxsize=4096)
def _fold_character(character: str) -> str:
    plain = _QUOTES.get(character)
    if plain is not None:
        return plain
    wide = unicodedata.normalize("NFKC", character)
    if len(wide) != 1:
        return character if character.isprintable() else " "
    if unicodedata.category(wide)[0] in "CZ":
        return " "
    return wide


def fold(message: str) -> str:
    """Return the folded copy of `message`; `len(fold(message)) == len(message)`."""
    return simplified(_ODD.sub(lambda match: _fold_character(match[0]), message))


NAMES_WEIGHT: Final = 2.0
"""Latin words that one Chinese character outweighs in a single sentence: they are names of things there."""


def sentence_language(text: str) -> Language:
    """Tell which language's rules read a sentence: one with technical names in it is Chinese all the same."""
    return guess_language(text, weight=NAMES_WEIGHT)
