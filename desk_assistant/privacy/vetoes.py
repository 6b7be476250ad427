"""Words around a number that say what it is when it is nobody's secret: an order, a version, a price, a hash."""

from __future__ import annotations

import re
from typing import Final

from desk_assistant.privacy.accept import counted, dated
from desk_assistant.privacy.lexicon import EN, ZH
from desk_assistant.privacy.trie import trie_pattern

_WINDOW: Final = 32
_AHEAD: Final = 80
"""Characters behind a number beyond which nothing is read."""
_BEFORE: Final = re.compile(
    rf"(?:(?<![a-z])(?:{trie_pattern(EN.harmless_before)})(?![a-z])|{trie_pattern(ZH.harmless_before)})"
    r"(?:[ ]?(?:number|num|no\.?|nr\.?|#|id|code|is|was|号码|编号|号|是|为|一直|总是|老是|都|又|[:#=(\[\"'])){0,4} ?$"
)
_MONEY: Final = re.compile(r"(?:[$€£¥]|rmb|usd|cny|eur) ?$")
_AFTER: Final = re.compile(
    rf"(?: ?(?:,|is|was|=) ?(?:(?:my|the|your|our|an?) )?(?:[a-z]{{1,12}} ){{0,2}}| ?)"
    rf"(?:{trie_pattern(EN.harmless_after)})(?![a-z])"
    rf"|[ ,]?(?:是|为)?(?:这个|那个|我|你)?的?(?:{trie_pattern(ZH.harmless_after)})"
)


def spoken_against(lower: str, start: int, end: int) -> bool:
    """Whether the words beside `lower[start:end]` say that it is an order, a version, a price, a count or a date."""
    begin = max(0, start - _WINDOW)
    return (
        _BEFORE.search(lower, begin, start) is not None
        or _MONEY.search(lower, max(0, start - 5), start) is not None
        or _AFTER.match(lower, end) is not None
        or counted(lower, end)
        or dated(lower, start)
    )


_COMMONEST: Final = frozenset(
    {"123456", "12345678", "123456789", "12345", "1234", "111111", "000000", "666666", "888888", "password", "qwerty"}
)
_EVERYBODY: Final = re.compile(
    r"(?<![a-z])(?:people|everyone|everybody|anyone|folks|users|common|commonest|popular)(?![a-z])|的人|谁|最常|很多人|大家"
)


def commonplace(lower: str, start: int, end: int) -> bool:
    """Whether `lower[start:end]` is one of the commonest passwords, spoken of as what anybody may use."""
    return (
        lower[start:end] in _COMMONEST and _EVERYBODY.search(lower, max(0, start - _WINDOW), end + _WINDOW) is not None
    )


class Said:
    """`spoken_against` over one text, asked once of what stands among the same words; holds the text, so drop it soon.

    Args:
        lower: The folded text in lower case.
    """

    def __init__(self, lower: str) -> None:
        self._lower = lower
        self._told: dict[tuple[int, int, str], bool] = {}

    def against(self, start: int, end: int) -> bool:
        """Whether the words beside `start`..`end` say that it is nobody's secret."""
        # One character more than the window, for what must not stand before its first word.
        before = min(start, _WINDOW + 1)
        key = (before, end - start, self._lower[start - before : end + _AHEAD])
        if key not in self._told:
            self._told[key] = spoken_against(self._lower, start, end)
        return self._told[key]
