"""From what a rule found to a statement: dates, people, confidence, and the short wording."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from desk_assistant.memory.extract import predicates
from desk_assistant.memory.extract.calendar import Mention
from desk_assistant.memory.extract.context import Context
from desk_assistant.memory.extract.language import Language
from desk_assistant.memory.extract.mask import FILLER
from desk_assistant.memory.extract.model import USER, Draft, Span, Statement
from desk_assistant.textkit.hanzi import as_written

DROPPED_BELOW: Final = 0.5
"""A statement under this confidence is not even worth asking about."""
HEDGED: Final = 0.5
"""Most confidence that "I think" and "maybe" leave."""
LONGEST: Final = {"en": 20, "zh": 40}
"""Length of a short statement: words of English, characters of Chinese."""

_DATED_EVENT: Final = 0.76
_DATED_PLAN: Final = 0.74

_SINCE_WHEN: Final = frozenset(
    {"pet", "owns", "employer", "job", "studies", "school", "learning", "uses", "lives_in", "marital_status", "diet"}
)
"""States whose date says since when they hold ("adopted a greyhound yesterday")."""


def _outside(mention: Mention | None, draft: Draft) -> bool:
    """Tell whether a date was said beside the value and not within it."""
    return mention is not None and (mention.start >= draft.end or mention.end <= draft.start or draft.past)


_TIED: Final = re.compile(
    r"(?:[\s,]*\b(?:by|on|in|at|since|from|until|before|around|about|for|back)|[\s,]*(?:在|于|从|到|的|之前|前|以前))\s*$",
    re.IGNORECASE,
)
_TIED_AFTER: Final = re.compile(r"\s*(?:之?前|以前|的时候|,|的)?\s*")
_KEEPS_DATES: Final = frozenset({"birthday", "age", "detail", "instruction", "prohibition", "note", "favourite"})


_PERMISSIONS: Final = frozenset({"{o}", "Fine to {o}"})
"""Wordings that are the value as it was said, with its time: 周末可以给我排班 is no permission for always."""


def _without_dates(text: str, start: int, end: int, mentions: Sequence[Mention], language: Language) -> tuple[int, int]:
    """Trim dates from both ends of a value: they have fields of their own."""
    for _ in range(3):
        before = (start, end)
        for mention in mentions:
            tail = text[mention.end : end]
            if mention.start > start and mention.end <= end and not _TIED_AFTER.sub("", tail, count=1):
                end = mention.start
                if tied := _TIED.search(text, start, end):
                    end = tied.start()
            elif mention.start == start and mention.end < end:
                start = mention.end + len((_TIED_AFTER.match(text[mention.end : end]) or [""])[0])
        start, end = language.tidy(text, start, end, head=False)
        if (start, end) == before:
            break
    return start, end


def finish(
    text: str,
    piece: Span,
    draft: Draft,
    mentions: Sequence[Mention],
    language: Language,
    context: Context,
    hedged: bool,
) -> Statement | None:
    """Work dates, people and confidence into a draft; None when nothing is left of it.

    Args:
        text: The message.
        piece: The clause that the draft was read from.
        draft: What was read.
        mentions: Dates said in the clause, with offsets in the message.
        language: The language of the clause.
        context: Who is known.
        hedged: The person is not sure.
    """
    start, end = draft.start, draft.end
    predicate, confidence = draft.predicate, draft.confidence
    base = predicates.base(predicate)
    if base not in _KEEPS_DATES and draft.text not in _PERMISSIONS:
        start, end = _without_dates(text, start, end, mentions, language)
    value = text[start:end]
    if not value.strip() or FILLER in value:
        return None
    dated = next((mention for mention in mentions if mention.date), None)
    recurring = next((mention for mention in mentions if mention.recurs), None)
    slot = draft.slot
    if recurring and base in {"about", "owns", "schedule", "task", "plan"} and draft.subject == USER and draft.polarity:
        predicate, slot, confidence = ("schedule" if base != "task" else predicate), "due", max(confidence, 0.75)
    elif base == "did" and dated:
        confidence = max(confidence, _DATED_EVENT)
    elif base == "plan" and dated:
        confidence = max(confidence, _DATED_PLAN)
    elif base == "schedule" and not dated and not recurring:
        confidence = 0.45
    if not slot and base in _SINCE_WHEN and draft.action != "retract" and _outside(dated, draft):
        slot = "valid_from"
    if hedged:
        confidence = min(confidence, HEDGED)
    name = as_written(draft.name, text)
    subject, certain = (USER, True) if draft.subject == USER else context.known.subject(name, draft.relation)
    if not certain:
        confidence = min(confidence, HEDGED)
    if confidence < DROPPED_BELOW or not subject:
        return None
    moment = dated.date if dated else None
    if slot == "valid_from" and moment is None and base == "lives_in":
        moment = context.moved
    return Statement(
        subject=subject,
        predicate=predicate,
        object=value,
        text=as_written(
            _short(draft, value, recurring or (dated if slot == "due" else None), language),
            text[piece.start : piece.end],
        ),
        kind=predicates.lookup(predicate).kind,
        polarity=draft.polarity,
        action=draft.action,
        confidence=round(confidence, 2),
        language=language.code,
        start=start,
        end=end,
        clause_start=piece.start,
        clause_end=piece.end,
        valid_from=moment if slot == "valid_from" else None,
        valid_to=moment if slot == "valid_to" else None,
        due=dated.moment if dated and slot == "due" else None,
        recurs=recurring.recurs if recurring and slot == "due" else None,
        ambiguous=dated.ambiguous if dated and slot else (),
        target=as_written(draft.target, text) if draft.target else None,
        relation=draft.relation or None,
        replaces=draft.replaces,
        additive=draft.additive,
    )


def _short(draft: Draft, value: str, when: Mention | None, language: Language) -> str:
    """Write the short statement, within `LONGEST`."""
    plain = "".join(" " if "\ud800" <= character <= "\udfff" else character for character in " ".join(value.split()))
    said = draft.text.replace("{T}", language.to_third(plain, draft.subject == USER))
    said = said.replace("{O}", plain[:1].upper() + plain[1:]).replace("{o}", plain)
    if when is not None and draft.predicate in {"task", "plan", "schedule", "about", "owns"} and when.text not in said:
        said = (
            f"{said}, {when.text}"
            if language.code == "en"
            else f"{when.text}{said}"
            if ":" not in said
            else f"{said}（{when.text}）"
        )
    if language.code == "zh":
        return said if len(said) <= LONGEST["zh"] else said[: LONGEST["zh"] - 1] + "…"
    words = said.split()
    return said if len(words) <= LONGEST["en"] else " ".join(words[: LONGEST["en"]]) + " …"
