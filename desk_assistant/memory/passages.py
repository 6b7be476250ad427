"""Cutting long messages into passages."""

from __future__ import annotations

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
