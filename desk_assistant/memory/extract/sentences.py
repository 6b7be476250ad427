"""Splits a masked message into sentences, with offsets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.mask import FILLER
from desk_assistant.memory.extract.model import Span

MAX_SENTENCE: Final = 600
"""Characters of one sentence that are read; what is longer is no sentence somebody typed."""

_ABBREVIATION: Final = (
    r"(?<!\bMr)(?<!\bMrs)(?<!\bMs)(?<!\bDr)(?<!\bProf)(?<!\bSt)(?<!\bvs)"
    r"(?<!\be\.g)(?<!\bi\.e)(?<!\betc)(?<!\bapprox)(?<!\b[A-Z])"
)
_SENTENCE: Final = re.compile(rf"[^.!?。…\n]*(?:(?:{_ABBREVIATION}\.(?=\s|$|{FILLER}|\"|[一-鿿])|[!?。…]|\n)+|[.]|$)")
_WORDLESS: Final = re.compile(r"^[\W_]*$")


def sentences(prose: str) -> Iterator[Span]:
    """Yield the sentences of masked prose, without those that hold no word.

    A full stop ends a sentence only before a space, so "MySQL 8.0" and "node.js" stay whole.
    """
    start = 0
    for match in _SENTENCE.finditer(prose):
        text = match[0]
        if text.endswith(".") and match.end() < len(prose) and not _ends(prose, match.start(), match.end()):
            continue  # a dot inside a word: the sentence goes on
        yield from _piece(prose, start, match.end())
        start = match.end()
    if start < len(prose):
        yield from _piece(prose, start, len(prose))


_STOPPED: Final = re.compile(rf"{_ABBREVIATION}\.[\s\"')”]*$")


def _ends(prose: str, start: int, end: int) -> bool:
    following = prose[end : end + 1]
    return (not following or following in f" \n\"')”{FILLER}" or "一" <= following <= "鿿") and bool(
        _STOPPED.search(prose, max(start, end - 24), end)
    )


def _piece(prose: str, start: int, end: int) -> Iterator[Span]:
    text = prose[start:end]
    if not text or _WORDLESS.match(text[:MAX_SENTENCE]):
        return
    lead = len(text) - len(text.lstrip(f" \t\n{FILLER},.;:"))
    text = text[lead:].rstrip()
    if text:
        yield Span(start + lead, start + lead + min(len(text), MAX_SENTENCE), text[:MAX_SENTENCE])
