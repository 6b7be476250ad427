"""Traditional Chinese characters and their simplified forms, one for one, so that offsets stay as they are.

`traditional.txt` holds pairs, traditional before simplified. A character that stands for several simplified words in
different places has the commonest of them; nothing that is shown to anybody is made from these.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources


@cache
def table() -> Mapping[int, str]:
    """Return each traditional character's code point with its simplified form, as `str.translate` takes it."""
    pairs = resources.files(__package__).joinpath("traditional.txt").read_text(encoding="utf-8").split()
    return {ord(pair[0]): pair[1] for pair in pairs}


def simplified(text: str) -> str:
    """Return `text` with simplified characters for traditional ones; its length does not change."""
    return text if text.isascii() else text.translate(table())


def as_written(text: str, original: str) -> str:
    """Return `text` with the traditional characters that `original` has for the simplified ones in it.

    Args:
        text: Words in simplified characters.
        original: Words of the person, in whichever characters.
    """
    known = table()
    return text.translate({ord(known[ord(c)]): c for c in original if ord(c) in known})
