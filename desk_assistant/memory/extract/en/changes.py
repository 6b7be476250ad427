"""English ways to speak of change: switching, giving up, finishing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.context import Who
from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.en.dates import DATE
from desk_assistant.memory.extract.en.events import anything
from desk_assistant.memory.extract.en.guards import not_asked
from desk_assistant.memory.extract.en.mine import FAVOURITE, as_kind, tidy_noun
from desk_assistant.memory.extract.en.phrase import Phrase
from desk_assistant.memory.extract.en.values import cut_value, list_values, tidy, to_third
from desk_assistant.memory.extract.lexicon import category
from desk_assistant.memory.extract.model import ANY, Draft, Span, draft_of
from desk_assistant.memory.extract.rules import load_patterns

_PATTERNS: Final = load_patterns(__package__, "changes", words.LISTS)


_SWITCH: Final = _PATTERNS["switch"]
_ENDED: Final = _PATTERNS["ended"]
CLOSED: Final = _PATTERNS["closed"]
_WORKPLACE: Final = _PATTERNS["workplace"]


def special_verbs(clause: Span, core: int, negated: bool) -> Iterator[Draft]:
    """Yield changes ("switched from A to B"), endings ("given up on C") and finished tasks."""
    text = clause.text
    if negated:
        return
    if match := _SWITCH.match(text, core):
        yield from _switched(clause, match)
        return
    if match := _PATTERNS["taken_to"].match(text, core):
        for pair in list_values(text, match.start("o"), cut_value(text, *match.span("o"), "clause")):
            if not_asked(text[slice(*pair)]):
                yield draft_of(clause, "likes", pair, "Likes {o}", 0.85)
        return
    finished = CLOSED.match(text, core)
    if finished:
        pair = tidy(text, finished.start("o"), cut_value(text, *finished.span("o"), "clause"))
        if not_asked(text[slice(*pair)]):
            yield draft_of(clause, "task", pair, "Done: {o}", 0.8, action="close")
    if (match := _ENDED.match(text, core)) and not re.match(
        r"(?:lost|left) (?:\d|weight|time)", text[core:], re.IGNORECASE
    ):
        start, end = match.span("o")
        pair = tidy(text, start, cut_value(text, start, _first_comma(text, start, end), "phrase"))
        value = text[slice(*pair)]
        if _WORKPLACE.fullmatch(text, start, pair[1]) and not finished:
            for predicate in ("employer", "job"):
                yield draft_of(
                    clause, predicate, pair, "No longer works at {o}", 0.85, action="retract", slot="valid_to"
                )
        elif value and not_asked(value) and len(value.split()) <= 6:
            yield draft_of(clause, ANY, pair, "No longer: {o}", 0.85, action="retract", past=True, slot="valid_to")
        if DATE.search(text) or finished:
            yield from anything(clause, Phrase(core, past=True), Who())
        return
    if finished:
        yield from anything(clause, Phrase(core, past=True), Who())


def _first_comma(text: str, start: int, end: int) -> int:
    """Return where what was given up ends at the latest: a comma begins the reason, unless a list follows."""
    comma = text.find(", ", start, end)
    return end if comma < 0 or re.search(r"\b(?:and|or)\b", text[comma:end]) else comma


def _switched(clause: Span, match: re.Match[str]) -> Iterator[Draft]:
    text, groups = clause.text, match.groupdict()
    value_name = next(name for name in ("o", "o2", "o3", "o4", "o5") if groups.get(name))
    former = next((groups[name] for name in ("f", "f3", "f4", "f5") if groups.get(name)), None)
    start, end = match.span(value_name)
    pair = tidy(text, start, cut_value(text, start, end, "phrase"))
    value = text[slice(*pair)]
    if not value or not not_asked(value):
        return
    if former and former.casefold() in {"it", "that", "this", "them"}:
        former = None
    if former:
        former = former[tidy(former, 0, len(former))[0] : tidy(former, 0, len(former))[1]]
    kind = category(value)
    if noun := groups.get("q4"):
        favourite = FAVOURITE.fullmatch(noun)
        predicate = f"favourite.{tidy_noun(favourite['q'])}" if favourite else f"detail.{noun.casefold()}"
        yield draft_of(
            clause, predicate, pair, f"{noun[:1].upper()}{noun[1:]}: {{o}}", 0.85, action="correct", replaces=former
        )
        return
    said = f"Uses {{o}}{as_kind(kind)}"
    if kind or (value_name not in {"o5"} and former and category(former)):
        kind = kind or category(former or "")
        yield draft_of(
            clause, f"uses.{kind}", pair, said, 0.9, action="correct", replaces=former, slot="valid_from", past=True
        )
    elif (
        value_name == "o"
        and value[:1].isupper()
        and (former or "")[:1].isupper()
        and re.match(r"moved", match[0], re.IGNORECASE)
    ):
        yield draft_of(
            clause,
            "lives_in",
            pair,
            "Lives in {o}",
            0.9,
            action="correct",
            replaces=former,
            slot="valid_from",
            past=True,
        )
    elif former:
        verb = groups.get("v5")
        shown = to_third(verb) + " {o}" if verb else "Switched to {o}"
        predicate = {"like": "likes", "love": "likes", "prefer": "likes", "use": "uses"}.get(
            (verb or "").casefold(), ANY
        )
        yield draft_of(
            clause, predicate, pair, shown, 0.85, action="correct", replaces=former, slot="valid_from", past=True
        )
    elif value[:1].isupper():
        yield draft_of(clause, "uses", pair, "Uses {o}", 0.75, action="correct", slot="valid_from", past=True)
    else:
        yield draft_of(clause, "did", pair, "Switched to {o}", 0.7, slot="valid_from", past=True)
