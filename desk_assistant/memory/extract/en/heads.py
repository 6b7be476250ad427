"""English clauses and their subjects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from desk_assistant.memory.extract.context import Context, Who
from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.en.dates import DATE
from desk_assistant.memory.extract.model import Span
from desk_assistant.memory.extract.rules import load_patterns

_PATTERNS: Final = load_patterns(__package__, "heads", words.LISTS)


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_SPLIT: Final = _PATTERNS["split"]

LEAD: Final = _PATTERNS["lead"]
REMEMBER: Final = _PATTERNS["remember"]
CORRECTION: Final = _PATTERNS["correction"]

_NAME: Final = r"(?-i:[A-ZÀ-ÖØ-ÞĀ-Ž])[\w'-]*[a-zA-Z](?: (?-i:[A-ZÀ-ÖØ-ÞĀ-Ž])[\w'-]+)?"
_REL: Final = rf"{words.RELATION_EXTRA}{words.RELATIONS}"

_I: Final = _re(rf"(?:my {_REL}(?: {_NAME})?,? and )?(?:i|we)(?=\s|'m|'ve|'d|'ll|'re)")
_ON_WORK: Final = _re(rf"(?P<n>{_NAME}),? {words.WORK_PLACES},? ")
_APPOSED: Final = _re(rf"(?P<n>{_NAME})(?:,| \() ?my (?P<r>{_REL})(?:,|\)|$) ?")
_RELATIVE: Final = _PATTERNS["relative"]
_NAMED_OTHER: Final = _re(rf"(?P<n>{_NAME})(?P<s>'s)? ")
_BARE: Final = _PATTERNS["bare"]
_PRONOUN: Final = _re(r"(?:he|she|they)(?='s|'re|'ve|\s)")
_POSSESSIVE: Final = _re(r"(?:his|her|their) ")
_NOT_A_NAME: Final = r"(?!(?:it|that|this|here|there|he|she|what|who)\b)"
_IS_MY: Final = _re(rf"(?P<n>{_NOT_A_NAME}{_NAME})(?:'s| is| was|,)(?: also)? (?:my|our) (?P<r>{_REL})\b")


@dataclass(frozen=True, slots=True)
class Head:
    """A clause taken apart.

    Attributes:
        who: Whom it is about, None when nobody of interest.
        at: Offset in the clause where the verb phrase begins.
        lead: The discourse markers before it.
        possessed: It is about something of theirs ("my brother's bakery").
        inherited: The subject was not said but carried over.
        named: Span of a name said in the head, in the clause.
        apposed: The name came first and the relation explains it ("Lexi (my sister)").
        bare: Neither subject nor copula was said ("Allergic to nuts", "Got engaged").
    """

    who: Who | None
    at: int
    lead: str
    possessed: bool = False
    inherited: bool = False
    named: tuple[int, int] | None = None
    apposed: bool = False
    bare: bool = False


def clauses(sentence: Span) -> Iterator[Span]:
    """Split a sentence where a new subject or a new main verb begins; lists of things stay together."""
    at = 0
    if aside := _ASIDE.search(sentence.text):
        # "My grandma Wilhelmina, we all call her Mina, keeps chickens": the aside is a clause, and the rest goes on.
        yield _trim(sentence, 0, aside.start())
        yield _trim(sentence, *aside.span("aside"))
        at = aside.end()
    for match in _SPLIT.finditer(sentence.text, at):
        if match.start() > at:
            yield _trim(sentence, at, match.start())
        at = match.end()
    if at < len(sentence.text):
        yield _trim(sentence, at, len(sentence.text))


def _trim(sentence: Span, start: int, end: int) -> Span:
    piece = sentence.text[start:end]
    start += len(piece) - len(piece.lstrip(" ,.:;!?()\ufffc-\t\n"))
    end = max(start, start + len(sentence.text[start:end].rstrip(" ,.:;!?)\ufffc\t\n\"'”")))
    return Span(sentence.start + start, sentence.start + end, sentence.text[start:end])


_ASIDE: Final = _PATTERNS["aside"]
_CONTINUES: Final = _re(rf"{words.VERB_AFTER_AND}\s(?!me\b|you\b)")
_SINCE: Final = _PATTERNS["since"]


def lead_of(text: str) -> int:
    """Return the length of the discourse markers that a clause begins with."""
    at = 0
    for _ in range(6):
        match = LEAD.match(text, at)
        if not match or match.end() == at:
            match = DATE.match(text, at) or _SINCE.match(text, at)
            if not match or match.end() == at:
                break
            at = match.end() + len(text[match.end() :]) - len(text[match.end() :].lstrip(" ,:"))
            continue
        at = match.end()
    return at


def read_head(text: str, context: Context) -> Head:
    """Find whom a clause is about and where its verb phrase begins."""
    at = lead_of(text)
    lead = text[:at]
    if match := _I.match(text, at):
        return Head(context.speak_of(Who()), match.end(), lead)
    for pattern in (_ON_WORK, _APPOSED):
        if match := pattern.match(text, at):
            relation = match["w"] if pattern is _ON_WORK else match["r"]
            who = Who("", match["n"], relation.casefold().removeprefix("the "))
            return Head(context.speak_of(who), match.end(), lead, named=match.span("n"), apposed=pattern is _APPOSED)
    if match := _PATTERNS["of_mine"].match(text, at):
        who = Who("", match["n"] or "", match["r"].casefold())
        named = match.span("n") if match["n"] else None
        return Head(context.speak_of(who), match.end(), lead, named=named)
    if match := _RELATIVE.match(text, at):
        name = match["n"] or ""
        if name.casefold() in words.ADJECTIVES:
            name = ""
        relation = match["r"].casefold()
        who = Who("", name, (match["w"] or relation).casefold() if match["w"] and relation == "friend" else relation)
        return Head(
            context.speak_of(who),
            match.end(),
            lead,
            possessed=bool(match["s"]),
            named=match.span("n") if name else None,
        )
    if (match := _PRONOUN.match(text, at)) and context.other:
        return Head(context.speak_of(context.other), match.end(), lead, inherited=True)
    if (match := _POSSESSIVE.match(text, at)) and context.other:
        return Head(context.other, match.end(), lead, possessed=True, inherited=True)
    if (match := _NAMED_OTHER.match(text, at)) and (
        match["n"] in context.introduced or context.known.named(match["n"])
    ):
        who = Who("", match["n"], context.introduced.get(match["n"], ""))
        return Head(context.speak_of(who), match.end(), lead, possessed=bool(match["s"]), named=match.span("n"))
    if context.last is not None and _CONTINUES.match(text, at):
        return Head(context.last, at, lead, inherited=True)
    if (context.last is None or context.last.is_user) and _BARE.match(text, at):
        return Head(context.speak_of(Who()), at, lead, inherited=True, bare=True)
    return Head(None, at, lead)


def introduction(text: str, at: int) -> re.Match[str] | None:
    """Match "Benedek is my nephew" at `at`: the groups `n` and `r`."""
    return _IS_MY.match(text, at)
