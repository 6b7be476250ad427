"""Where an English value begins and ends, lists of values, and the third-person form of a verb phrase."""

from __future__ import annotations

import re
from typing import Final

from desk_assistant.memory.extract.rules import Cut

Pair = tuple[int, int]

_CLAUSE_END: Final = re.compile(
    r"\s*(?:[;:()]|\ufffc|,?\s(?:because|so that|since|which|who|whose|that's why|although|though|while|whereas|except (?:when|if)|unless|if|when|whenever|whether|even if|but|rather than|instead(?: of)?|and (?:i|we|my|he|she|they|it|would)\b|as (?:i|it|they|we|he|she|a result|long)\b|than\b|to be honest|if possible|by the way|btw|lol|haha)\b|,\s*(?:i|it|and i|not|thanks|so|please|what|right)\b)",
    re.IGNORECASE,
)
_PHRASE_END: Final = re.compile(
    r"\s(?:in|at|on|for|with|from|to|by|since|until|near|during|after|before|about|where|that|and (?:have|work|live|am|love|like|hate|the|a|an|my|it)\b|as|every|each|last|next|this|these|those|now|most|right|over|under|through|via|per|just|because|again|together|alone|here|there)\b|,\s(?=(?:and )?(?:\w+ ){0,2}(?:is|are|was|were|works?|lives?|which|where|who|not)\b)",
    re.IGNORECASE,
)
_HEAD_JUNK: Final = re.compile(
    r"(?:(?:a (?:little|bit)(?: bit)?(?: of)?|a lot of|lots of|all kinds of|all sorts of|the|a|an|my|our|some|any|to|also|still|just|mainly|mostly|both|either|only|really|especially|now|currently|that|fluent|using|called|named|basic|conversational|eating|drinking)\s+|[\s,.:;\"“'(]+)",
    re.IGNORECASE,
)
_TAIL_JUNK: Final = re.compile(
    r"(?:[\s,.;:!?\"”')…-]|\b(?:too|as well|any ?more|any longer|now|these days|nowadays|at all|though|please|either|again|instead|currently|at the moment|lately|very much|a lot|so much|the most|right now|atm|btw|by the way|lol|haha|thanks|thank you|actually|though|already|yet|anyway|of course|for (?:now|everything|work|me|all my [\w]+)|every ?day|all the time|and|or|but|so|,))+$",
    re.IGNORECASE,
)
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


_PAST_LIKE: Final = frozenset(
    ["bought", "sold", "got", "made", "found", "lost", "won", "ran", "wrote", "read", "saw", "met", "gave", "took", "went", "came", "became", "began", "broke", "built", "chose", "grew", "kept", "knew", "left", "paid", "put", "sang", "sat", "sent", "slept", "spoke", "spent", "stood", "swam", "taught", "thought", "told", "wore", "quit", "set", "cut", "hurt", "rode", "drove", "flew", "had", "did", "was", "were", "can", "could", "will", "would", "must", "might", "learnt", "baked", "planted"]
)
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
        elif word in _PAST_LIKE or word.endswith(("ed", "ing")) or not word.isalpha() or not word.isascii():
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
