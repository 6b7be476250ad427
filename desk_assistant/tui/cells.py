"""Text measured in terminal cells: a Chinese character takes two, a combining mark none."""

from __future__ import annotations

import re
from typing import Final

from rich.cells import cell_len, chop_cells, set_cell_size

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_WIDE: Final = r"\u1100-\u11ff\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef"
_UNIT: Final = rf"\s+|[{_WIDE}]|[^\s{_WIDE}]+"
ELLIPSIS: Final = "…"
JOINER: Final = "\u200d"


def clean(text: str) -> str:
    """Return `text` fit for a terminal: no control or direction characters, lone surrogates as U+FFFD."""
    safe = text.encode("utf-8", "replace").decode("utf-8") if not text.isascii() else text
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", safe.replace("\r\n", "\n").replace("\r", "\n"))


def one_line(text: str) -> str:
    """Return `text` with every run of white space as one blank."""
    return " ".join(clean(text).split())


def fit(text: str, width: int) -> str:
    """Return `text` in exactly `width` cells: cut with an ellipsis, or filled with blanks."""
    if width <= 0:
        return ""
    short = text if cell_len(text) <= width else set_cell_size(text, width - 1).rstrip() + ELLIPSIS
    filled = set_cell_size(short, width)
    if cell_len(filled) == width:
        return filled
    # A joiner left without its emoji swallows the blank after it.
    return fit(text.replace(JOINER, ""), width)


def wrap(text: str, width: int, lines: int) -> list[str]:
    """Break `text` into at most `lines` lines of `width` cells; Chinese breaks anywhere, the last line is cut."""
    if width <= 0 or lines <= 0:
        return []
    result: list[str] = []
    current = ""
    units = [unit for unit in re.findall(_UNIT, one_line(text)) if unit]
    for index, unit in enumerate(units):
        if not current and unit.isspace():
            continue
        if cell_len(current) + cell_len(unit) <= width:
            current += unit
            continue
        if len(result) == lines - 1:
            return [*result, fit(current + "".join(units[index:]), width)]
        if current.strip():
            result.append(current.rstrip())
        pieces = chop_cells(unit, width) if not unit.isspace() else [""]
        room = lines - 1 - len(result)
        if len(pieces) - 1 > room:
            return [*result, *pieces[:room], fit("".join(pieces[room:]), width)]
        result.extend(pieces[:-1])
        current = pieces[-1]
    if current.strip():
        result.append(current.rstrip())
    return result
