"""English clauses that only make sense whole: instructions, reminders, corrections, finished tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.en.changes import CLOSED
from desk_assistant.memory.extract.en.guards import is_name, is_occupation, not_asked
from desk_assistant.memory.extract.en.heads import REMEMBER, Head, lead_of
from desk_assistant.memory.extract.en.instructions import ABOUT_ANSWERS, ALLOWED, CALL_ME, STANDING, instruction
from desk_assistant.memory.extract.en.mine import FOR_ME
from desk_assistant.memory.extract.en.values import tidy
from desk_assistant.memory.extract.model import ANY, Draft, Span, draft_of
from desk_assistant.memory.extract.rules import load_patterns

_PATTERNS: Final = load_patterns(__package__, "whole", words.LISTS)


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_IT_IS_NOT: Final = _PATTERNS["it_is_not"]
_NOT_BUT: Final = _PATTERNS["not_but"]
_DONE: Final = _PATTERNS["done"]
_CALLED: Final = _PATTERNS["called"]
_FORGET: Final = _PATTERNS["forget"]
_INNER: Final = _re(
    r"^(?:(?:that|the fact that)\s+)?"
    r"(?:my\s+|(?:i|we)?(?:'m|'ve|'d)?\s*(?:(?:am|have|had|used to|don't|can't|\w+ly)\s+)?"
    r"(?:(?:live|lived|work|worked|study|keep|kept|collect|play|own|have|had|like|love|hate|drive|use|eat|drink|see|seeing"
    r"|take|speak|own|read|watch|wear|smoke|run|live|was|am|have|got|went|did|take|do|teach|train|date|dating|was|is)\s+"
    r"(?:(?:in|at|for|to|with|on)\s+)?(?=\S))?)(?:an?\s+|the\s+)?"
)


_ADD: Final = _re(r"(?:please )?(?:put|add) (?P<o>\w.+?) (?:to|on|onto) my (?:to-?do|task|chore)s?(?: list)?$")
_REMIND: Final = _re(
    r"(?:please )?(?:remind me to|don't let me forget to|todo:?|to-do:?|to do:|task:|note to self:?"
    r"|add to my (?:todo|to-do|list):?|i mustn't forget to|i must not forget to|remember to) (?P<o>\w.+)"
)
_PUT: Final = _re(
    r"(?:please )?(?:(?P<neg>don't(?: ever)?|do not(?: ever)?|never|you can't|you cannot|you mustn't)"
    r"|you can|you may|feel free to|it's (?:ok|okay|fine) to) "
    r"(?P<v>put|use|add|include|serve|cook) (?P<o>[\w' -]{2,30}?) (?:in|into|on|with) (?:my|our)\b.*"
)
_AT_HAND: Final = _re(r"\b(?:this|that|these|those|it|above|below|following|attached)\b")
_NONE_FOR_ME: Final = _re(
    r"no (?P<o>(?!more|problem|way|need|thanks)[\w' -]{2,24}?) for (?:me|us)(?:,? (?:please|thanks|ever))?$"
)
_GREETING: Final = _re(r"\b(?:hi|hello|hey)\b")
_THIS_IS: Final = _re(
    r"(?:this is|it's) (?P<o>(?-i:[A-ZÀ-ÖØ-ÞĀ-Ž])[\w'-]+(?: (?-i:[A-ZÀ-ÖØ-ÞĀ-Ž])[\w'-]+)?)"
    r"(?=,|$| here| speaking| again)"
)
_POLITE: Final = _PATTERNS["polite"]


def whole_clause(clause: Span, head: Head) -> Iterator[Draft]:
    """Yield what only the whole clause tells: instructions, "it's B, not A", finished tasks, reminders."""
    text = clause.text
    lead_at = lead_of(text)
    if match := _ADD.match(text, lead_at):
        yield draft_of(clause, "task", tidy(text, *match.span("o"), head=False), "To do: {o}", 0.9, slot="due")
        return
    if match := _REMIND.search(text):
        standing = match[0].casefold().startswith("remember to") and (
            STANDING.search(text) or ABOUT_ANSWERS.search(text)
        )
        if _POLITE.fullmatch(text, lead_at, max(lead_at, match.start())) and not standing:
            pair = tidy(text, *match.span("o"), head=False)
            yield draft_of(clause, "task", pair, "To do: {o}", 0.9, slot="due")
            return
    if match := _FORGET.match(text, lead_at if not REMEMBER.search(text[:lead_at]) else 0):
        name = next(key for key in ("o", "o2", "o3", "o4", "o5") if match[key])
        said = _INNER.sub("", match[name])
        pair = tidy(text, match.end(name) - len(said), match.end(name))
        if len(text[slice(*pair)].split()) <= 6:
            yield draft_of(clause, ANY, pair, "Forget: {o}", 0.85, action="forget")
        return
    if (match := _THIS_IS.match(text, lead_at)) and is_name(match["o"]) and _GREETING.search(text[:lead_at]):
        yield draft_of(clause, "name", match.span("o"), "Name: {o}", 0.85)
        return
    if (match := _CALLED.match(text, lead_at)) and is_name(match["o"] or match["o2"] or match["o3"]):
        yield draft_of(
            clause, "name", match.span("o" if match["o"] else "o2" if match["o2"] else "o3"), "Name: {o}", 0.85
        )
        if match["age"]:
            yield draft_of(clause, "age", match.span("age"), "{o} years old", 0.8)
        return
    for pattern in (_IT_IS_NOT, _NOT_BUT):
        match = pattern.match(text, lead_at)
        if match and not_asked(match["o"]) and len(match["o"].split()) <= 5 and len(match["f"].split()) <= 4:
            pair = tidy(text, *match.span("o"))
            first_person = re.match(r"(?:i'm|i am)\b", text[lead_at:], re.IGNORECASE)
            value = text[slice(*pair)]
            predicate, said = (ANY, "{o}")
            if first_person:
                predicate, said = (
                    ("job", "Works as {o}")
                    if is_occupation(value)
                    else (("name", "Name: {o}") if is_name(value) else ("is", "Is {o}"))
                )
                if value.casefold() in words.NATIONALITIES:
                    predicate, said = "from", "Is {o}"
            yield draft_of(clause, predicate, pair, said, 0.8, action="correct", replaces=match["f"].strip())
            return
    if (
        head.who is None
        and (match := CLOSED.match(text, lead_at))
        and re.match(
            r"(?:finally |just |already )*(?:done with|finished|completed|submitted)", text[lead_at:], re.IGNORECASE
        )
    ):
        yield draft_of(clause, "task", tidy(text, *match.span("o")), "Done: {o}", 0.8, action="close")
        return
    if (match := _DONE.match(text, lead_at)) and not re.match(r"(?:i|it|that|this|what)\b", match["o"], re.IGNORECASE):
        yield draft_of(clause, "task", tidy(text, *match.span("o")), "Done: {o}", 0.8, action="close")
        return
    if (match := _NONE_FOR_ME.match(text)) and not_asked(match["o"]):
        yield draft_of(clause, "avoids", tidy(text, *match.span("o")), "No {o}", 0.72)
        return
    if match := _PUT.match(text, lead_at):
        pair = tidy(text, *match.span("o"))
        said = re.sub(r"\b(?:my|our)\s+", "", text[match.start("v") :], flags=re.IGNORECASE)
        if match["neg"]:
            yield draft_of(clause, "avoids", pair, f"Do not {said}", 0.85)
        else:
            yield draft_of(clause, "okay_with", pair, f"Fine to {said}", 0.75)
        return
    if (match := ALLOWED.match(text, lead_at)) and _concerns_me(match):
        pair = tidy(text, *match.span("o"), head=False)
        if match["neg"]:
            yield draft_of(clause, "prohibition", pair, "Do not {o}", 0.8)
        else:
            yield draft_of(clause, "okay_with", pair, "Fine to {o}", 0.7)
        return
    if (
        head.who is None
        or (
            head.who.is_user
            and re.match(
                r"(?:i|we)\s*(?:want|need|'d like|would like|'d prefer|prefer|expect)\b.{0,12}\b(?:you|your)\b",
                text[lead_at:],
                re.IGNORECASE,
            )
        )
        or CALL_ME.match(text, lead_at)
    ):
        yield from instruction(clause, lead_at)


def _concerns_me(match: re.Match[str]) -> bool:
    """Tell whether what the assistant may or may not do touches the person, and not only the task at hand."""
    told = match["o"]
    suggests = match["v"].casefold().startswith(("suggest", "recommend", "mention", "swear", "joke"))
    return not _AT_HAND.search(told) and (suggests or FOR_ME.search(told) is not None)
