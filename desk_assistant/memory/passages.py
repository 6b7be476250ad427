"""Cutting long messages into passages, and finding words in them again."""

from __future__ import annotations

import re

from desk_assistant import textkit


def chunks(text: str, size: int) -> list[str]:
    """Cut `text` at sentence ends into passages of at most `size` characters; a longer sentence is cut where it must.

    Args:
        text: Any text.
        size: Characters of a passage, at most.

    Returns:
        The passages in order; white space between them is dropped.
    """
    if len(text) <= size:
        return [text]
    passages: list[str] = []
    begin = end = 0
    for start, stop in textkit.sentence_spans(text):
        if end > begin and stop - begin > size:
            passages.append(text[begin:end])
            begin = start
        if end <= begin:
            begin = start
        while stop - begin > size:
            passages.append(text[begin : begin + size])
            begin += size
        end = stop
    if end > begin:
        passages.append(text[begin:end])
    return [passage for passage in passages if passage.strip()]


def occurrences(text: str, words: str) -> list[tuple[int, int]]:
    """Return the spans of `text` that hold `words`, whatever their case, with runs of white space alike.

    Latin words are matched whole, so that `tea` is not found in `team`.
    """
    parts = [re.escape(part) for part in words.split()]
    if not parts:
        return []
    pattern = r"\s+".join(parts)
    before = r"(?<![A-Za-z0-9])" if words.strip()[0].isascii() and words.strip()[0].isalnum() else ""
    after = r"(?![A-Za-z0-9])" if words.strip()[-1].isascii() and words.strip()[-1].isalnum() else ""
    return [match.span() for match in re.finditer(before + pattern + after, text, re.IGNORECASE)]
