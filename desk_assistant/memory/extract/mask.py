"""What of a message is not the person's own words: code, quotations, links, pasted text, text to be worked on.

Those stretches are overwritten with a filler in the folded copy, at the same length, before any rule reads it. A
filler is never matched by a pattern for a value, so nothing in them can become a memory.
"""

from __future__ import annotations

import re
from bisect import bisect
from itertools import islice
from typing import Final

from desk_assistant import textkit

FILLER: Final = "\ufffc"
"""Stands for each character that is not the person's own (the Unicode object replacement character)."""

PASTE_FROM: Final = 3000
"""A message longer than this many characters is taken for pasted text: only its ends and its asides count."""
PASTE_EDGE: Final = 400
"""Characters at each end of a pasted message that may be the person's own words."""
ASIDE_LENGTH: Final = 240
"""Characters after "by the way" in a pasted message that are taken for an aside."""
MOST_ASIDES: Final = 100
"""Asides that are read of one pasted message."""
LONGEST_TYPED: Final = 20_000
"""Characters of the longest message that somebody may have typed at one go."""
TYPED_CHUNK: Final = 2400
"""Characters of a long typed message that are read at once."""
OWN_SHARE: Final = 0.4
"""Share of the sentences of a typed message that speak of its writer."""
KEPT_QUOTE: Final = 24
"""A quotation up to this length that speaks of nobody is a name or a title, and stays."""

_CODE: Final = re.compile(
    r"```.*?(?:```|\Z)|~~~.*?(?:~~~|\Z)|`[^`\n]{1,400}`|^[ \t]*>[^\n]*"  # fences, inline code, quoted lines
    r"|^[ \t]*(?:import |from \w+ import|def |class \w+[:(]|#include|\$ |SELECT |INSERT |CREATE )[^\n]*"
    r"|^[ \t]*(?:Traceback |at [\w.$]+\()[^\n]*"
    r"|^[ \t]*(?:[\w.$\[\]'\"]{1,80}[ \t]*(?:[=(;{.\[]|\+\+|--)|[{}()\[\]<])[^\n]*[;{}][ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_BRACES: Final = re.compile(r"\{[^{}]{0,4000}\}|\[[^\[\]\n]{0,4000}\]")
_LINK: Final = re.compile(
    r"\b(?:https?|ftp|file)://[^\s一-鿿]+|\bwww\.[^\s一-鿿]+|[\w.+-]{1,64}@[\w-]{1,64}(?:\.[\w-]{1,64}){1,4}"
)
_MARKUP: Final = re.compile(r"<(\w{1,20})(?: [^<>]{0,80})?>[^<]{0,3000}</\1>|<[|/!]?\w[^<>\n]{0,200}>|</?\w{1,40}>")
_TURN: Final = re.compile(
    r"<\|(?:im_start|start_header_id|system|user|assistant|start)\|>.*?(?:<\|(?:im_end|eot_id|end|end_of_text)\|>|\Z)"
    r"|<start_of_turn>.*?(?:<end_of_turn>|\Z)|<<SYS>>.*?(?:<</SYS>>|\Z)|\[INST\].*?(?:\[/INST\]|\Z)",
    re.DOTALL | re.IGNORECASE,
)
"""A turn in the control tokens of a model's template. Nobody writes so of themselves: it was copied, or made to pass
for somebody else's words."""
_INJECTED: Final = re.compile(
    r"(?:^|(?<=[\s'\"“>\ufffc]))(?:system|assistant|developer|系统|助手)(?: prompt| message|提示|消息)?\s*:[^\n]*"
    r"|\b(?:ignore|disregard|forget) (?:all |any )?(?:the )?(?:previous|prior|above|earlier) "
    r"(?:instructions|rules|messages)[^\n]*"
    r"|(?:忽略|无视)(?:之前|以上|上面|前面)(?:的)?(?:所有)?(?:指令|规则|提示)[^\n]*",
    re.IGNORECASE | re.MULTILINE,
)
_QUOTED: Final = re.compile(
    r"“[^”]{1,4000}”|\"[^\"\n]{1,4000}\"|(?:(?<=[\s:(,])|^)'(?=\S)[^'\n]{1,4000}(?:(?<=[a-z])'[a-z][^'\n]{0,4000}){0,20}'(?=[\s.,;:!?)]|$)",
    re.MULTILINE,
)
_SPOKEN: Final = re.compile(
    r"\b(?:i|i'm|i've|me|my|we|you|your|he|she|always|never|must|is|are|was)\b|[我你他她咱您]|[.!?。]\S", re.IGNORECASE
)
_DIALOGUE: Final = re.compile(r"^[ \t]*(?:\[[^\]\n]{1,20}\][ \t]*)?[A-Za-z一-鿿][\w .]{0,18}:[ \t][^\n]*", re.MULTILINE)

_FENCE: Final = re.compile(r"```|~~~")
_ASIDE: Final = re.compile(
    r"\b(?:by the way|btw|oh and|one more thing|side note|on a side note|incidentally|for the record|fyi)\b"
    r"|顺便(?:说一下|说一句|说|提一下|一提|讲一下)?|对了|另外说一句|题外话",
    re.IGNORECASE,
)


def _blank(match: re.Match[str]) -> str:
    return FILLER * (match.end() - match.start())


_TERM: Final = re.compile(r"[\w'-]{1,16}|[一-鿿]{1,2}")
"""A single word in quotation marks is mentioned, not quoted: 请一直用“您”, write "colour"."""


def _blank_quote(match: re.Match[str]) -> str:
    inner = match[0][1:-1]
    if _TERM.fullmatch(inner):
        return match[0]
    if len(inner) <= KEPT_QUOTE and len(inner.split()) <= 4 and not _SPOKEN.search(inner):
        return match[0]
    return FILLER * len(match[0])


_OWN: Final = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|my|me|we|we're|our|us)\b|[我咱]", re.IGNORECASE)
_TYPED_SENTENCE: Final = re.compile(r"[^.!?。！？\n]{1,2000}[.!?。！？\n]*")
_NOT_TYPED: Final = re.compile(
    r"^[ \t]*(?:>|\$ |#{1,6} |\d{4}-\d\d-\d\d[ T]\d\d:|(?:[A-Z][\w ]{1,24}|[一-鿿]{1,6})[:：] ?\S)|https?://|[{};]\s*$",
    re.MULTILINE,
)


def typed_chunks(message: str) -> list[tuple[int, int]]:
    """Return the stretches of a long message that its writer typed, each short enough to be read; none when pasted.

    Somebody who tells a long story speaks of themselves in every other sentence, and uses no code, no quoted lines, no
    addresses and no list of messages. A log, an article or a program does not.
    """
    if len(message) > LONGEST_TYPED or _FENCE.search(message) or _NOT_TYPED.search(message):
        return []
    sentences = [match for match in _TYPED_SENTENCE.finditer(message) if match[0].strip()]
    own = sum(_OWN.search(match[0]) is not None for match in sentences)
    if not sentences or own < OWN_SHARE * len(sentences) or not _OWN.search(message[:PASTE_EDGE]):
        return []
    chunks: list[tuple[int, int]] = []
    start = 0
    for match in sentences:
        if match.end() - start > TYPED_CHUNK and match.start() > start:
            chunks.append((start, match.start()))
            start = match.start()
    return [*chunks, (start, len(message))]


def windows(message: str) -> list[tuple[int, int]]:
    """Return the stretches of a pasted message that may be the person's own words: both ends and the asides.

    Asides inside a code fence are no asides. The work is one pass for the fences and one for the asides.
    """
    fences = [match.start() for match in textkit.matches(_FENCE, message)]
    wanted = [(0, PASTE_EDGE)]
    starts = (match.start() for match in islice(textkit.matches(_ASIDE, message), MOST_ASIDES))
    wanted += [(start, start + ASIDE_LENGTH) for start in starts if bisect(fences, start) % 2 == 0]
    if len(fences) % 2 == 0:
        wanted.append((len(message) - PASTE_EDGE, len(message)))
    kept: list[tuple[int, int]] = []
    for start, end in wanted:
        start = max(start, kept[-1][1] if kept else 0)
        if start < end:
            kept.append((start, min(end, len(message))))
    return kept


def mask(folded: str) -> str:
    """Return `folded` with everything that is not the person's own prose overwritten by `FILLER`.

    Meant for a message, or a window of one, of at most `PASTE_FROM` characters.
    """
    prose = folded
    if "<" in prose or "[" in prose:
        prose = _TURN.sub(_blank, prose)
    if "`" in prose or "~~~" in prose or "\n" in prose or ";" in prose or "}" in prose:
        prose = _CODE.sub(_blank, prose)
    if "{" in prose or "[" in prose:
        for _ in range(4):  # nested JSON, from the inside out
            prose, count = _BRACES.subn(_blank, prose)
            if not count:
                break
    prose = _LINK.sub(_blank, prose)
    if "<" in prose:
        prose = _MARKUP.sub(_blank, prose)
    prose = _QUOTED.sub(_blank_quote, prose)
    prose = _INJECTED.sub(_blank, prose)
    if "\n" in prose and len(_DIALOGUE.findall(prose)) >= 2:
        prose = _DIALOGUE.sub(_blank, prose)
    return prose
