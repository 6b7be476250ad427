"""A folded copy of a text on which patterns are simple, with the way back to the original offsets.

People type `１３８…` in full-width digits, paste no-break spaces, and hide zero-width characters between digits.
Compatibility normalisation (NFKC) would change lengths unpredictably; this folding maps one character to one, drops
the invisible ones, and remembers where each character came from. Traditional Chinese characters become simplified
ones, so that every word list needs one spelling.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from desk_assistant.textkit import hanzi

_FULL_WIDTH: Final = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_SPACES: Final = dict.fromkeys((0x00A0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000, 0x09, 0x0B, 0x0C), 0x20)
_DASHES: Final = dict.fromkeys((0x2010, 0x2011, 0x2012, 0x2013, 0x2212, 0xFE58, 0xFE63), 0x2D)
_QUOTES: Final = {
    **dict.fromkeys((0x201C, 0x201D, 0x300C, 0x300D, 0x300E, 0x300F, 0x00AB, 0x00BB), 0x22),
    **dict.fromkeys((0x2018, 0x2019), 0x27),
}
_BRACKETS: Final = {0x3010: 0x5B, 0x3011: 0x5D, 0x3014: 0x28, 0x3015: 0x29, 0x3001: 0x2C, 0x3002: 0x3B}
# Digits that look like ordinary ones: circled, Arabic-Indic and mathematical ones appear in attempts to hide a number.
_DIGITS: Final = {
    base + digit: 0x30 + digit
    for base in (0x0660, 0x06F0, 0x0966, 0x1D7CE, 0x1D7D8, 0x1D7E2, 0x1D7EC, 0x1D7F6)
    for digit in range(10)
} | {0x245F + digit: 0x30 + digit for digit in range(1, 10)}
_FOLD: Final[dict[int, int | str]] = {
    **hanzi.table(),
    **_FULL_WIDTH,
    **_SPACES,
    **_DASHES,
    **_QUOTES,
    **_BRACKETS,
    **_DIGITS,
}
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufe00-\ufe0f\ufeff]"
)
_DIGIT: Final = re.compile("[0-9]")
BLANK: Final = "\ue000"
"""Stands for every character of a placeholder; in private use, so in no text."""


@dataclass(frozen=True, slots=True)
class Shadow:
    """The folded text.

    Attributes:
        text: Folded characters: half-width, plain spaces, dashes and quotes, simplified Chinese, nothing invisible.
        lower: The same in lower case, of the same length.
        offsets: For each folded character its offset in the original; `None` when nothing was dropped.
        length: Length of the original text.
        has_digit: Whether any figure 0-9 is in it; without one, most kinds cannot be.
    """

    text: str
    lower: str
    offsets: tuple[int, ...] | None
    length: int
    has_digit: bool

    def original(self, start: int, end: int) -> tuple[int, int]:
        """Return the range of the original text that the folded range `start`..`end` (not empty) came from."""
        if self.offsets is None:
            return start, end
        return self.offsets[start], self.offsets[end - 1] + 1


def fold(text: str, hidden: re.Pattern[str] | None = None) -> Shadow:
    """Fold `text`.

    Args:
        text: Any text; lone surrogates and control characters are kept as they are.
        hidden: Stretches to blank out (placeholders of an earlier pass), so that nothing is found in or across them.
    """
    blank = hidden.sub(lambda match: BLANK * len(match[0]), text) if hidden and "[" in text else text
    if blank.isascii():
        folded = blank.translate(_SPACES) if "\t" in blank else blank
        return Shadow(folded, folded.lower(), None, len(text), _DIGIT.search(folded) is not None)
    offsets: tuple[int, ...] | None = None
    if _INVISIBLE.search(blank):
        offsets = tuple(index for index, char in enumerate(blank) if not _INVISIBLE.match(char))
        blank = _INVISIBLE.sub("", blank)
    folded = blank.translate(_FOLD)
    lower = folded.lower()
    if len(lower) != len(folded):  # a few letters, such as the dotted capital I, grow when lowered
        lower = "".join(low if len(low := char.lower()) == 1 else char for char in folded)
    return Shadow(folded, lower, offsets, len(text), _DIGIT.search(folded) is not None)
