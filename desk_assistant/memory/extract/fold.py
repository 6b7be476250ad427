"""A folded copy of a message, character for character, on which all patterns run.

Full-width forms, curly quotes and exotic spaces become their plain ASCII relatives and everything that is not text
(control characters, lone surrogates, private-use) becomes a space. The length never changes, so that an offset in the
copy is an offset in the message.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

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
    return _ODD.sub(lambda match: _fold_character(match[0]), message)


def guess_language(text: str) -> str:
    """Tell whether a stretch of text is Chinese (`"zh"`) or English (`"en"`).

    A sentence with technical names is still Chinese: one Chinese character counts as much as a Latin word.
    """
    chinese = len(_HAN.findall(text))
    return "zh" if chinese and chinese * 2 >= len(_WORD.findall(text)) else "en"


_HAN: Final = re.compile(r"[㐀-鿿]")
_WORD: Final = re.compile(r"[A-Za-z][A-Za-z0-9'.+#-]*")
