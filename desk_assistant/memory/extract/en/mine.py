"""English ways to speak of one's things: "my go-to drink is …", "olives are fine on my pizza"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.en.dates import DATE
from desk_assistant.memory.extract.en.guards import is_name, not_asked
from desk_assistant.memory.extract.en.heads import REMEMBER
from desk_assistant.memory.extract.en.values import cut_value, list_values, tidy
from desk_assistant.memory.extract.lexicon import category
from desk_assistant.memory.extract.model import ANY, Draft, Span, draft_of
from desk_assistant.memory.extract.rules import load_patterns

_PATTERNS: Final = load_patterns(__package__, "mine", words.LISTS)


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_MY_IS: Final = _PATTERNS["my_is"]
_MY_DOES: Final = _PATTERNS["my_does"]
_MY_USE: Final = _PATTERNS["my_use"]
FAVOURITE: Final = _PATTERNS["favourite"]
_IS_MY_FAVOURITE: Final = _PATTERNS["is_my_favourite"]
_FINE: Final = _PATTERNS["fine"]
_WORKS: Final = _PATTERNS["works"]
_FEELS: Final = _PATTERNS["feels"]
FOR_ME: Final = _re(r"\b(?:me|my|mine|i|our|us)\b")
_NEGATIVE_ADJECTIVES: Final = frozenset(
    {
        "off-limits",
        "off limits",
        "forbidden",
        "out",
        "banned",
        "a no-go",
        "a no",
        "a hard no",
        "a no no",
        "no good",
        "bad",
        "a deal-breaker",
        "off the menu",
        "off the table",
        "a dealbreaker",
        "unacceptable",
        "impossible",
        "a problem",
        "a real problem",
        "a big problem",
        "an issue",
        "a bother",
    }
)
_PET_IS: Final = _PATTERNS["pet_is"]
_TECH_NOUN: Final = _PATTERNS["tech_noun"]


def of_mine(clause: Span, at: int) -> Iterator[Draft]:
    """Yield what is said of the person's things: "my go-to drink is …", "our backend runs on …"."""
    text = clause.text
    if match := _PET_IS.match(text, at):
        pair = match.span("o")
        yield draft_of(
            clause, "pet", pair, "Has " + match["q"].casefold() + " called " + (match["n"] or match["n2"]), 0.9
        )
        return
    if match := _MY_USE.match(text, at):
        mine = text[at:].casefold().startswith(("my", "our"))
        for pair in list_values(text, match.start("o"), cut_value(text, *match.span("o"), "phrase")):
            value = text[slice(*pair)]
            kind = category(value)
            if (mine and (kind or (value[:1].isupper() and len(value.split()) <= 4))) and not_asked(value):
                said = (
                    f"Uses {{o}} as {kind.replace('_', ' ')}"
                    if kind in {"database", "editor", "message_queue", "vector_database", "browser", "operating_system"}
                    else "Uses {o}"
                )
                yield draft_of(clause, f"uses.{kind}" if kind else "uses", pair, said, 0.86)
        return
    if match := _IS_MY_FAVOURITE.match(text, at):
        noun = tidy_noun(match["q"]) or "thing"
        retract = "retract" if match["not"] else "assert"
        yield draft_of(
            clause, f"favourite.{noun}", tidy(text, *match.span("o")), f"Favourite {noun}: {{o}}", 0.88, action=retract
        )
        return
    if match := _MY_IS.match(text, at):
        yield from _mine_is(clause, match)
        return
    if match := _PATTERNS["gone"].match(text, at):
        yield draft_of(clause, ANY, match.span("o"), "No longer: {o}", 0.85, action="retract", slot="valid_to")
        return
    if match := _MY_DOES.match(text, at):
        yield from _mine_does(clause, match)
        return
    if match := _FEELS.match(text, at):
        pair = tidy(text, *match.span("o"))
        yield draft_of(clause, "dislikes", pair, "Dislikes {o}", 0.8)
        return
    if _PATTERNS["at_hand"].match(text, at):
        return  # "Tuesday is fine by me" is about the day at hand
    if (match := _FINE.match(text, at)) and (FOR_ME.search(match["rest"]) or FOR_ME.search(match["o"])):
        negative = bool(match["not"]) or "n't" in match["be"] or " not" in match["be"] or "never" in match["be"]
        if match["adj"].casefold() in _NEGATIVE_ADJECTIVES:
            negative = not negative
        if re.match(r"\s+(?:doesn't|does not|do not|don't|never)", match["be"]):
            negative = True
        whole = tidy(text, at, len(text), head=False)
        phrase = re.sub(r"\b(?:my|our)\s+", "", text[slice(*whole)], flags=re.IGNORECASE)
        yield draft_of(
            clause,
            "avoids" if negative else "okay_with",
            tidy(text, *match.span("o")),
            phrase[:1].upper() + phrase[1:],
            0.82,
        )
        return
    if match := _WORKS.match(text, at):
        negative = (match["not"] is not None) != (match["bad"] is not None)
        phrase = re.sub(
            r"\b(?:my|our)\s+", "", text[slice(*tidy(text, at, len(text), head=False))], flags=re.IGNORECASE
        )
        yield draft_of(
            clause,
            "avoids" if negative else "okay_with",
            tidy(text, *match.span("o")),
            phrase[:1].upper() + phrase[1:],
            0.8,
        )


_TIMES: Final = frozenset(["day", "night", "morning", "evening", "weekend", "week", "plan"])
"""Fine as the last word of a longer name ("gym day")."""


_REPLACED: Final = frozenset(["name", "nickname", "birthday", "age", "job", "employer", "lives_in"])
"""What one always has one of: "my name isn't Mark" only says that another one is right."""

_TOLD_KINDS: Final = frozenset(
    ["database", "editor", "message_queue", "vector_database", "browser", "operating_system"]
)


_IN_PLACE: Final = re.compile(r"(?:in|on|at) [A-Z]")
_APPOINTMENT: Final = re.compile(
    r"(?:appointment|meeting|exam|test|flight|interview|deadline|visit|check-?up|surgery|operation|party|wedding|concert"
    r"|lesson|class|match|game|presentation|train|trip|holiday|vacation|due date|review|viewing|move)$"
)


def as_kind(kind: str) -> str:
    """Return " as database" for the kinds worth telling, so that a question for "my database" finds the fact."""
    return f" as {kind.replace('_', ' ')}" if kind in _TOLD_KINDS else ""


def tidy_noun(noun: str) -> str:
    """Return the qualifier made of a noun phrase: small letters, no time words."""
    return re.sub(
        r"\b(?:now|these days|right now|at the moment|ever|of all time|too|currently|new|really)\b", "", noun.casefold()
    ).strip(" .,!'")


def _mine_does(clause: Span, match: re.Match[str]) -> Iterator[Draft]:
    """Yield what is so with a thing of the person's, or happened to it: "my van needs new tyres", "my cat died"."""
    text, parts = clause.text, match["np"].casefold().split()
    if (words.DETAIL_STOP | words.OWN_STOP | words.WORKED_ON) & {parts[0], parts[-1]}:
        return
    pair = tidy(text, match.start("np"), cut_value(text, match.start("rest"), len(text), "clause"), head=False)
    if match["past"]:
        yield draft_of(clause, "did", pair, "{O}", 0.7, slot="valid_from", past=True)
    elif match["rest"].strip() or match["np"].count(" ") or len(text[slice(*pair)].split()) > 1:
        yield draft_of(clause, "about", pair, "{O}", 0.66, slot="due")


def _mine_is(clause: Span, match: re.Match[str]) -> Iterator[Draft]:
    text, noun = clause.text, match["np"].casefold().strip()
    start, end = match.start("o"), cut_value(text, *match.span("o"), "clause")
    negative = bool(match["not"]) or bool(match["former"])
    pair = tidy(text, start, end)
    value = text[slice(*pair)]
    if not value or "\ufffc" in value:
        return
    if favourite := FAVOURITE.fullmatch(noun):
        q = tidy_noun(favourite["q"])
        shown = text[match.start("np") : match.end("np")]
        said = f"{shown[:1].upper()}{shown[1:]}: {{o}}"
        many = q.endswith("s") and not q.endswith("ss")
        for item in list_values(text, start, end) if many else [pair]:
            yield draft_of(clause, f"favourite.{q}", item, said, 0.9, action="retract" if negative else "assert")
        return
    if noun in words.SIMPLE:
        predicate = words.SIMPLE[noun]
        spoken_small = value.islower() and len(value.split()) <= 2
        if predicate == "name" and not is_name(value.split(",")[0]) and not spoken_small:
            return
        if predicate == "lives_in":
            pair = tidy(text, start, cut_value(text, start, end, "phrase"))
            in_place = re.match(r"in (?P<o>.+)", text[start:end])
            if in_place:
                pair = tidy(text, start + 3, end)
        label = {
            "name": "Name",
            "nickname": "Nickname",
            "birthday": "Birthday",
            "age": "Age",
            "job": "Works as",
            "from": "From",
            "born_in": "Born in",
            "employer": "Works at",
            "speaks": "Speaks",
            "studies": "Studies",
            "lives_in": "Lives in",
            "diet": "Diet",
            "likes": "Likes",
        }[predicate]
        if predicate == "birthday":
            on = re.match(r"(?:on |the )+", text[start:end], re.IGNORECASE)
            pair = tidy(text, start + (on.end() if on else 0), end)
        joiner = ": " if predicate in {"name", "nickname", "birthday", "age", "diet"} else " "
        for item in list_values(text, start, end) if predicate in {"speaks", "likes"} else [pair]:
            ends = negative and predicate in _REPLACED
            yield draft_of(
                clause, predicate, item, f"{label}{joiner}{{o}}", 0.92, polarity=not negative or ends,
                action="retract" if ends else "assert",
            )  # fmt: skip
        return
    if tech := _TECH_NOUN.fullmatch(noun):
        for item in list_values(text, start, cut_value(text, start, end, "phrase")):
            thing = text[slice(*item)]
            if not (thing[:1].isupper() or category(thing) or any(c.isdigit() for c in thing)):
                return
            kind = category(thing) or tech["q"].casefold().replace(" ", "_")
            yield draft_of(
                clause,
                f"uses.{kind}",
                item,
                f"Uses {{o}} as {tech['q'].casefold()}",
                0.88,
                action="retract" if negative else "assert",
            )
        return
    if not negative and _APPOINTMENT.search(noun) and DATE.match(text, match.start("o")):
        yield draft_of(clause, "schedule", match.span("np"), "{O}", 0.78, slot="due")
        return
    parts = noun.split()
    if negative or any(part in words.DETAIL_STOP for part in ({parts[0], parts[-1]} - _TIMES if parts[1:] else parts)):
        return
    first = re.findall(r"[\w'-]+", value.casefold())
    if (
        not first
        or (first[0] in words.STATES and not _IN_PLACE.match(value))
        or first[0].endswith("ing")
        or len(first) > 8
        or re.match(r"(?:what|why|how|that|to)\b", text[start:end], re.IGNORECASE)
    ):
        return
    proper = value[:1].isupper() or any(c.isdigit() for c in value) or REMEMBER.search(text[: match.start()])
    confidence = 0.82 if proper else 0.68 if len(first) <= 4 else 0.55
    shown = text[match.start("np") : match.end("np")]
    yield draft_of(clause, f"detail.{noun}", pair, f"{shown[:1].upper()}{shown[1:]}: {{o}}", confidence)
