"""Chinese ways to say that something is not one's own but somebody else's: 会弹古筝的是我表妹，不是我."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from desk_assistant.memory.extract.context import Context, Who
from desk_assistant.memory.extract.model import ANY, Draft, Span, draft_of
from desk_assistant.memory.extract.rules import load_patterns
from desk_assistant.memory.extract.zh import words
from desk_assistant.memory.extract.zh.heads import CORRECTION, Head, lead_of
from desk_assistant.memory.extract.zh.reader import verb_phrase
from desk_assistant.memory.extract.zh.values import tidy

_FRAMES: Final = load_patterns(__package__, "attribution", words.LISTS)
_DENIAL: Final = _FRAMES.pop("denial")
_PLAIN: Final = _FRAMES.pop("plain")
_I_DO_NOT: Final = (_FRAMES["i_do_not"], _FRAMES["they_not_i"])
_TASTES: Final = frozenset({"likes", "dislikes", "avoids", "okay_with"})
_POINTS: Final = ("我", "说", "这", "那", "你", "他", "她")
_SURE: Final = 0.88


def attributed(sentence: Span, context: Context) -> Iterator[Draft]:
    """Yield what a sentence takes from the person and gives to somebody else; see the English one."""
    text = sentence.text.rstrip("。.! \t\n了啦哦")
    at = lead_of(text)
    against = context.correcting or bool(CORRECTION.match(text))
    tries = [(frame, at, against) for frame in _FRAMES.values()]
    if denied := _DENIAL.match(text, at):
        tries += [(frame, denied.end(), True) for frame in (*_FRAMES.values(), _PLAIN)]
    for frame, start, said_against in tries:
        if (match := frame.match(text, start)) is None:
            continue
        said = {key.rstrip("2"): value for key, value in match.groupdict().items() if value is not None}
        if "not" not in said and not said_against:
            continue
        found = _moved(sentence, text, match, context)
        if frame in _I_DO_NOT and any(draft.predicate in _TASTES for draft in found):
            return  # both tastes are news, and neither was the other's
        if found:
            name, relation = said.get("n", ""), said.get("r", "")
            context.speak_of(Who("", name, relation))
            for draft in found:
                yield replace(draft, action="reattribute", target=name or relation, relation=relation, confidence=_SURE)
            return


def _moved(sentence: Span, text: str, match: re.Match[str], context: Context) -> list[Draft]:
    """Return what was said of the person, as the drafts that saying it of them would make."""
    groups = match.groupdict()
    if groups.get("thing"):
        pair = tidy(text, *match.span("thing"))
        return [] if groups["thing"].startswith(_POINTS) else [draft_of(sentence, ANY, pair, "有{o}", _SURE)]
    if groups["vp"].startswith(_POINTS):
        return []
    start, end = match.span("vp")
    inner = Span(sentence.start, sentence.start + end, text[:end])
    drafts = [d for d in verb_phrase(inner, Head(Who(), start, "", start=start), Who(), context) if not d.tentative]
    return drafts or [draft_of(sentence, ANY, tidy(text, start, end), "{o}", _SURE)]
