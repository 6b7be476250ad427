"""Where an English value begins and ends, lists of values, and the third-person form of a verb phrase."""

from __future__ import annotations

import re
from typing import Final

from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.rules import Cut, load_patterns

_PATTERNS: Final = load_patterns(__package__, "values", words.LISTS)

Pair = tuple[int, int]

_CLAUSE_END: Final = _PATTERNS["clause_end"]
_PHRASE_END: Final = _PATTERNS["phrase_end"]
_HEAD_JUNK: Final = _PATTERNS["head_junk"]
_TAIL_JUNK: Final = _PATTERNS["tail_junk"]
_EMOJI_TAIL: Final = re.compile(r"[^\w\s)\"'”+#.!?%€$£°]+$")
_SEPARATOR: Final = re.compile(
    r"\s*,\s*(?:and\s+|or\s+|&\s*|as well as\s+|plus\s+)?|\s+(?:and(?: also)?|or|&|as well as|plus|nor)\s+",
    re.IGNORECASE,
)
_NOT_ITEM: Final = re.compile(
    r"\b(?:i|we|you|he|she|they|it|is|are|was|were|have|has|do|does|because|who|which|that)\b", re.IGNORECASE
)


def tidy(text: str, start: int, end: int, *, head: bool = True) -> Pair:
    """Trim articles and fillers at the head of `text[start:end]`, and punctuation and afterthoughts at its tail."""
    while start < end:
        piece = text[start:end]
        tail = _TAIL_JUNK.search(piece) or _EMOJI_TAIL.search(piece)
        if not tail or tail.start() == len(piece):
            break
        end = start + tail.start()
    while head and (match := _HEAD_JUNK.match(text, start, end)):
        if match.end() >= end:
            break
        start = match.end()
    return start, end


def cut_value(text: str, start: int, end: int, cut: Cut) -> int:
    """Return where a value that begins at `start` ends at the latest."""
    if cut == "none":
        return end
    if match := _CLAUSE_END.search(text, start, end):
        end = match.start() if match.start() > start else end
    if cut == "phrase" and (match := _PHRASE_END.search(text, start + 1, end)):
        end = match.start()
    return end


def list_values(text: str, start: int, end: int) -> list[Pair]:
    """Split "Polish, Welsh and a little Dutch" into its items; what does not look like a list stays whole."""
    items: list[Pair] = []
    at = start
    for match in _SEPARATOR.finditer(text, start, end):
        items.append((at, match.start()))
        at = match.end()
    items.append((at, end))
    if len(items) > 1 and all(_is_item(text[first:last]) for first, last in items):
        return [pair for pair in (tidy(text, first, last) for first, last in items) if pair[0] < pair[1]]
    return [tidy(text, start, end)]


def _is_item(piece: str) -> bool:
    return 1 <= len(piece.split()) <= 5 and not _NOT_ITEM.search(piece)


PAST_FORMS: Final = frozenset(
    [
        "bought",
        "sold",
        "got",
        "made",
        "found",
        "lost",
        "won",
        "ran",
        "wrote",
        "read",
        "saw",
        "met",
        "gave",
        "took",
        "went",
        "came",
        "became",
        "began",
        "broke",
        "built",
        "chose",
        "grew",
        "kept",
        "knew",
        "left",
        "paid",
        "put",
        "sang",
        "sat",
        "sent",
        "slept",
        "spoke",
        "spent",
        "stood",
        "swam",
        "taught",
        "thought",
        "told",
        "wore",
        "quit",
        "set",
        "cut",
        "hurt",
        "rode",
        "drove",
        "flew",
        "had",
        "did",
        "was",
        "were",
        "can",
        "could",
        "will",
        "would",
        "must",
        "might",
        "learnt",
        "baked",
        "planted",
        "fell",
        "felt",
        "held",
        "hid",
        "hit",
        "led",
        "lent",
        "rose",
        "sank",
        "shot",
        "shut",
        "stole",
        "swept",
        "tore",
        "threw",
        "woke",
        "bit",
        "blew",
        "caught",
        "drank",
        "drew",
        "ate",
        "fed",
        "fought",
        "forgot",
        "froze",
        "heard",
        "shook",
        "spilt",
        "burnt",
        "dug",
        "hung",
    ]
)
"""Past forms that are not told by their ending."""
_THIRD: Final = {"have": "has", "'ve": "has", "am": "is", "'m": "is", "do": "does", "go": "goes", "are": "is"}
_WORD: Final = re.compile(r"[\w']+")


def to_third(verb_phrase: str, is_user: bool = True) -> str:
    """Turn "keep bees in my garden" into "Keeps bees in garden": a statement without a subject."""
    phrase = re.sub(r"\b(?:my|our)\s+", "", verb_phrase, flags=re.IGNORECASE)
    phrase = re.sub(r"\b(?:myself|ourselves)\b", "themselves", phrase, flags=re.IGNORECASE).strip()
    first = _WORD.match(phrase)
    if not first:
        return phrase
    word = first[0].casefold()
    if is_user:
        if word in _THIRD:
            shown = _THIRD[word]
        elif word in PAST_FORMS or word.endswith(("ed", "ing")) or not word.isalpha() or not word.isascii():
            shown = first[0]
        elif word.endswith(("s", "x", "z", "ch", "sh")) and not word.endswith("us"):
            shown = word + "es" if not word.endswith("s") or word.endswith("ss") else word
        elif word.endswith("y") and word[-2:-1] not in "aeiou":
            shown = word[:-1] + "ies"
        else:
            shown = word + "s"
    else:
        shown = first[0]
    phrase = shown + phrase[first.end() :]
    return phrase[:1].upper() + phrase[1:]
