"""English ways to say that something is somebody else's: "it's my brother who works there, not me"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from desk_assistant.memory.extract.context import Context, Who
from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.en.heads import CORRECTION, lead_of
from desk_assistant.memory.extract.en.phrase import Phrase
from desk_assistant.memory.extract.en.reader import apply, verb_phrase
from desk_assistant.memory.extract.en.rules import COMPLEMENTS
from desk_assistant.memory.extract.en.values import tidy
from desk_assistant.memory.extract.model import ANY, Draft, Span, draft_of
from desk_assistant.memory.extract.rules import load_patterns

_FRAMES: Final = load_patterns(__package__, "attribution", words.LISTS)
_DENIAL: Final = _FRAMES.pop("denial")
_PLAIN: Final = _FRAMES.pop("plain")
_I_DO_NOT: Final = (_FRAMES["i_do_not"], _FRAMES["they_not_i"])
_TASTES: Final = frozenset({"likes", "dislikes", "avoids", "okay_with"})
_COPULA: Final = re.compile(
    r"(?:'s|'m|\b(?:is|was|am|are)(?: not)?) (?:not )?$|\bthe (?:(?:one|person) (?:with )?)?$", re.IGNORECASE
)
_OTHER_THAN_A_NAME: Final = frozenset({"i", "it", "that", "this", "he", "she", "they", "you", "we", "not", "there"})
_AT_HAND: Final = re.compile(
    r"\b(?:me|us|this|these|it|the (?:code|script|text|e-?mail|bug|error|file|function|message|question))\b",
    re.IGNORECASE,
)
"""What the talk itself is about, which is nobody's lasting fact, or what is done to the person."""
_SURE: Final = 0.88
LONGEST: Final = 12
"""Words of what is moved; more is a story of its own."""


def attributed(sentence: Span, context: Context) -> Iterator[Draft]:
    """Yield what a sentence takes from the person and gives to somebody else.

    That somebody else has something is news of them alone unless it is said against the person: with "not me", or
    after the person has said that something was wrong.
    """
    text = sentence.text.rstrip(" .!\t\n")
    at = lead_of(text)
    against = context.correcting or bool(CORRECTION.match(text))
    tries = [(frame, at, against) for frame in _FRAMES.values()]
    if denied := _DENIAL.match(text, at):
        tries += [(frame, denied.end(), True) for frame in (*_FRAMES.values(), _PLAIN)]
    for frame, start, said_against in tries:
        if (match := frame.match(text, start)) is None:
            continue
        said = {key.rstrip("2"): value for key, value in match.groupdict().items() if value is not None}
        name, relation = said.get("n", ""), said.get("r", "").casefold()
        if name.casefold() in _OTHER_THAN_A_NAME or not ("not" in said or "no" in said or said_against):
            continue
        found = _moved(sentence, text, match, said_against)
        if frame in _I_DO_NOT and any(draft.predicate in _TASTES for draft in found):
            return  # both tastes are news, and neither was the other's
        if found:
            if name or relation:
                context.speak_of(Who("", name, relation))
            yield from (_given(draft, name, relation) for draft in found)
            return


def _given(draft: Draft, name: str, relation: str) -> Draft:
    if not (name or relation):
        return replace(draft, action="retract", confidence=_SURE)
    return replace(draft, action="reattribute", target=name or relation, relation=relation, confidence=_SURE)


def _moved(sentence: Span, text: str, match: re.Match[str], against: bool) -> list[Draft]:
    """Return what was said of the person, as the drafts that saying it of them would make."""
    groups = match.groupdict()
    if groups.get("thing"):
        theirs = groups.get("own") is None and "own" in groups and " belong" not in match[0]
        return [] if theirs and not against else [draft_of(sentence, ANY, match.span("thing"), "Has {o}", _SURE)]
    name = "vp" if groups.get("vp") else "vp2"
    if not groups.get(name) or len(groups[name].split()) > LONGEST or _AT_HAND.search(groups[name]):
        return []
    start, end = match.span(name)
    inner = Span(sentence.start, sentence.start + end, text[:end])
    drafts = []
    if _COPULA.search(text[:start]) or groups.get("be"):
        drafts = list(apply(COMPLEMENTS, inner, start, Who(), Phrase(start, copula=True)))
    drafts = drafts or [draft for draft in verb_phrase(inner, start, Who()) if not draft.tentative]
    drafts = drafts or list(apply(COMPLEMENTS, inner, start, Who(), Phrase(start, copula=True)))
    return drafts or [draft_of(sentence, ANY, tidy(text, start, end), "{T}", _SURE)]
