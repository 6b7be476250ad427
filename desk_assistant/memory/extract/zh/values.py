"""Where a Chinese value begins and ends, and lists of values."""

from __future__ import annotations

import re
from typing import Final

from desk_assistant.memory.extract.rules import load_patterns
from desk_assistant.memory.extract.zh import words

_PATTERNS: Final = load_patterns(__package__, "values", words.LISTS)

Pair = tuple[int, int]

_HEAD: Final = re.compile(r"(?:[\s,.:;、。\"“'《(（]+|了\s*(?=\S)|的(?!士)(?=\S)|(?:是|叫)(?=[“\"《]))")
_TAIL: Final = _PATTERNS["tail"]
_EMOJI_TAIL: Final = re.compile(r"[^\w\s)\"'”》+#.!?%€$£¥°℃]+$")
_SEPARATOR: Final = re.compile(
    r"\s*(?:、|,|/|以及|还有|&)\s*|\s+和\s*|\s*和\s+|(?<=[一-鿿A-Za-z0-9+#.》”])(?:和|跟|与|及|或)(?=[一-鿿A-Za-z0-9《“])"
)
_AND_INSIDE: Final = re.compile(
    r"和平|和谐|和尚|温和|和面|和牛|和服|柔和|共和|附和|暖和|总和|和弦|和田|和歌|呼和|缓和|饱和|及格|及时|及其|普及|埃及|涉及|提及|以及|与其|参与|给与|赋与|或者|跟踪|跟随|跟进|高跟"
)
_STOP: Final = re.compile(r"[,;:。!?(（\ufffc]|因为|所以|但是|不过|而且|而不是|然后")


def tidy(text: str, start: int, end: int, *, head: bool = True) -> Pair:
    """Trim particles and punctuation from both ends of `text[start:end]`."""
    while start < end:
        match = _TAIL.search(text[start:end]) or _EMOJI_TAIL.search(text[start:end])
        if not match or match.start() == end - start:
            break
        end = start + match.start()
    while head and (match := _HEAD.match(text, start, end)):
        if match.end() >= end:
            break
        start = match.end()
    return start, end


def cut_value(text: str, start: int, end: int) -> int:
    """Return where a value ends at the latest: at punctuation or a conjunction."""
    match = _STOP.search(text, start + 1, end)
    return match.start() if match else end


def list_values(text: str, start: int, end: int) -> list[Pair]:
    """Split "粤语、日语和法语" into its items; what does not look like a list stays whole."""
    inside = {position for match in _AND_INSIDE.finditer(text, start, end) for position in range(*match.span())}
    items: list[Pair] = []
    at = start
    for match in _SEPARATOR.finditer(text, start, end):
        if match[0].strip() and match.start() in inside:
            continue
        items.append((at, match.start()))
        at = match.end()
    items.append((at, end))
    whole = tidy(text, start, end)
    pairs = [tidy(text, first, last) for first, last in items]
    if len(pairs) < 2 or not all(1 <= last - first <= 14 for first, last in pairs):
        return [whole]
    return pairs


def to_statement(phrase: str, _is_user: bool = True) -> str:
    """Write a verb phrase as a statement without a subject: "我的" and "自己" need nobody named."""
    return re.sub(r"我们?的|(?<![你他她])我们?(?=[一-鿿])", "", phrase).strip(" ,、")
