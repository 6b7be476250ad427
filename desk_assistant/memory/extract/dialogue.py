"""Messages that point back: "That was not me, that was my cousin Ruben", "yes, remember that", "I meant Porto"."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final

from desk_assistant.memory.extract.fold import fold, sentence_language
from desk_assistant.memory.extract.language import Language
from desk_assistant.memory.extract.mask import FILLER
from desk_assistant.memory.extract.model import ANY, USER, Action, Statement, Turn

LONGEST: Final = 240
"""A message longer than this says something itself and is not taken for a mere pointer."""
LOOK_BACK: Final = 6
"""Turns that are looked through for what is pointed at."""

_ADJUSTS: Final = re.compile(
    r"\b(?:\w+er|more|less|list|text|answer|reply|sentence|bold|simple|clear)\b", re.IGNORECASE
)
"""What an order about the answer ends with ("make that list shorter"), and a corrected value does not."""

Reader = Callable[[str], tuple[Statement, ...]]


def read(
    text: str, prose: str, previous: Sequence[Turn], languages: Mapping[str, Language], reader: Reader
) -> tuple[Statement, ...] | None:
    """Return what a pointing message does to the statements it points at; None when the message does not point.

    Without an earlier turn that says anything, one statement with predicate `*` and an empty object is returned,
    which `resolve` applies to the latest fact of the person.
    """
    if len(text) > LONGEST:
        return None
    patterns = languages[sentence_language(prose)].dialogue
    stripped = prose.strip()
    offset = len(prose) - len(prose.lstrip())
    if match := patterns.reattribute.match(stripped):
        groups = match.groupdict()
        name = next((groups[key] for key in ("name", "name2", "name3") if groups.get(key)), None)
        relation = next((groups[key] for key in ("relation", "relation2", "relation3") if groups.get(key)), None)
        target = name or relation
        if sum(c.isalnum() for c in stripped[match.end() :]) >= (1 if target is None else 2):
            return None  # whose it is, or what it is, follows
        start, end = match.span(0)
        for key in ("name", "name2", "name3", "relation", "relation2", "relation3"):
            if groups.get(key):
                start, end = match.span(key)
                break
        action: Action = "reattribute" if target else "retract"
        return _point(text, prose, previous, reader, action, (start + offset, end + offset), target, relation)
    if match := patterns.reject.match(stripped):
        return _point(text, prose, previous, reader, "retract", (match.start() + offset, match.end() + offset))
    if match := patterns.confirm.match(stripped):
        return _point(text, prose, previous, reader, "confirm", (match.start() + offset, match.end() + offset))
    if (match := patterns.meant.match(stripped)) and (before := _pointed_at(previous, reader)):
        if meant := reader(FILLER * (match.start("o") + offset) + text[match.start("o") + offset :]):
            return meant  # "I meant spicy food is not for me" says a whole thing
        return _meant(text, prose, match, before, offset)
    return None


def _meant(
    text: str, prose: str, match: re.Match[str], before: tuple[Statement, ...], offset: int
) -> tuple[Statement, ...] | None:
    """Correct the one statement made before, or the one whose value is named ("I meant Porto, not Lisbon")."""
    former = match["f"]
    if not former and len({statement.predicate for statement in before}) > 1:
        return None
    named = (statement for statement in before if former and statement.object.casefold() == former.casefold())
    chosen = next(named, before[-1])
    start, end = match.start("o") + offset, match.end("o") + offset
    value = text[start:end]
    if not former and _ADJUSTS.search(value) and chosen.object[:1].isupper() != value[:1].isupper():
        return None
    return (
        replace(
            chosen,
            object=value,
            text=chosen.text.replace(chosen.object, value),
            action="correct",
            replaces=chosen.object,
            start=start,
            end=end,
            clause_start=0,
            clause_end=len(text),
            language=sentence_language(prose),
        ),
    )


def _pointed_at(previous: Sequence[Turn], reader: Reader) -> tuple[Statement, ...]:
    for turn in reversed(previous[-LOOK_BACK:]):
        if turn.role == "user" and (found := reader(turn.content)):
            mine = tuple(statement for statement in found if statement.action in {"assert", "correct"})
            if mine:
                return mine
    return ()


def _point(
    text: str,
    prose: str,
    previous: Sequence[Turn],
    reader: Reader,
    action: Action,
    span: tuple[int, int],
    target: str | None = None,
    relation: str | None = None,
) -> tuple[Statement, ...]:
    before = tuple(statement for statement in _pointed_at(previous, reader) if statement.subject == USER)
    common = {
        "action": action, "start": span[0], "end": span[1], "clause_start": 0, "clause_end": len(text),
        "target": target, "relation": relation, "confidence": 0.9,
    }  # fmt: skip
    if before:
        return tuple(replace(statement, **common) for statement in before)  # type: ignore[arg-type]
    words = re.sub(r"\s+", " ", fold(text[span[0] : span[1]]))
    pointer = Statement(USER, ANY, "", words, "fact", language=sentence_language(prose))
    return (replace(pointer, **common),)  # type: ignore[arg-type]
