"""English ways to ask one more thing, and to come to what one wants to ask."""

from __future__ import annotations

from typing import Final

ALSO: Final = (
    r"(?:[,;] )?\band also\b,?|\bbesides that\b,?|(?<=[.?!] )also,|\banother (?:thing|question)\b[:,]?"
    r"|\bone more (?:thing|question)\b[:,]?|(?<=[.?!] )(?:by the way|oh and),"
)

ANNOUNCED: Final = (
    r"\b(?:what|the thing) i (?:really |actually )?(?:want(?:ed)?|meant|came|need(?:ed)?) to (?:ask|know)(?: you)?"
    r"(?: (?:is|was)(?: this)?)?[:,]?"
    r"|\bmy (?:real |actual )?question (?:is|was)(?: this)?[:,]?"
    r"|\bi (?:really |actually |just )?(?:want(?:ed)?|meant|was going|was about) to ask(?: you)?(?: this)?[:,]?"
    r"|\bi was (?:really |actually |just )?wondering(?: about)?[:,]?"
)
