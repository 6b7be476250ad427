"""English wishes, plans and events, and the catch-all for whatever else lasts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.context import Who
from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.en.dates import DATE
from desk_assistant.memory.extract.en.guards import is_thing, not_asked
from desk_assistant.memory.extract.en.mine import FOR_ME
from desk_assistant.memory.extract.en.phrase import Phrase
from desk_assistant.memory.extract.en.values import PAST_FORMS, cut_value, list_values, tidy, to_third
from desk_assistant.memory.extract.model import ANY, Draft, Span, draft_of
from desk_assistant.memory.extract.rules import load_patterns

_PATTERNS: Final = load_patterns(__package__, "events", words.LISTS)


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


def wishes(clause: Span, core: int, modal: str, who: Who) -> Iterator[Draft]:
    """Yield preferences put politely: "I'd rather have short answers", "I should renew my passport by Friday"."""
    text = clause.text
    if match := _re(r"(?:rather|prefer)(?: to)?(?: have| get)? (?P<o>.+)").match(text, core):
        pair = tidy(text, match.start("o"), cut_value(text, *match.span("o"), "clause"))
        if not_asked(text[slice(*pair)]):
            yield draft_of(
                clause, "likes", pair, "Prefers {o}", 0.62, subject=who.subject, name=who.name, relation=who.relation
            )
    elif (
        modal == "should"
        and who.is_user
        and (
            match := _re(
                r"(?:really |also |probably )*(?P<o>(?!be\b|have\b|know\b|say\b|note\b|mention\b|i\b)\w.+)"
            ).match(text, core)
        )
    ):
        yield draft_of(clause, "task", tidy(text, *match.span("o"), head=False), "To do: {o}", 0.5, slot="due")


def future(clause: Span, core: int, who: Who) -> Iterator[Draft]:
    """Yield a plan said with "will", kept only when the engine finds a date in it."""
    text = clause.text
    if re.match(
        r"(?:try|let|ask|say|take a look|check|see|be back|do that|think|use this|go with that|get back|need)\b",
        text[core:],
        re.IGNORECASE,
    ):
        return
    pair = tidy(text, core, cut_value(text, core, len(text), "clause"), head=False)
    if len(text[slice(*pair)].split()) >= 2:
        yield draft_of(
            clause,
            "plan",
            pair,
            "Plans: {o}",
            0.5,
            subject=who.subject,
            name=who.name,
            relation=who.relation,
            slot="due",
        )


_ABLE: Final = _PATTERNS["able"]
_OBJECT_STOP: Final = _PATTERNS["object_stop"]


def anything(clause: Span, phrase: Phrase, who: Who) -> Iterator[Draft]:
    """Yield the catch-all: something lasting ("keep bees"), owned ("have a loom") or done ("planted a pear tree")."""
    text = clause.text
    pair = tidy(text, phrase.core, cut_value(text, phrase.core, len(text), "clause"), head=False)
    said = text[slice(*pair)]
    parts = re.findall(r"[\w'-]+", said)
    if not parts or len(parts) > 24 or "\ufffc" in said:
        return
    if phrase.modal in {"can", "can't"}:
        yield from _ability(clause, pair, who, can=phrase.modal == "can" and not phrase.negated)
        return
    verb, rest = parts[0].casefold(), said[len(parts[0]) :].strip()
    if _OBJECT_STOP.match(rest):
        return
    if verb in {"have", "has", "'ve"} and not phrase.past:
        yield from _owning(clause, pair, phrase, who)
    elif phrase.ended or phrase.former:
        for item in list_values(text, pair[0] + len(parts[0]), pair[1]):
            yield draft_of(clause, ANY, item, "No longer: {o}", 0.8, action="retract", slot="valid_to")
    elif phrase.negated:
        present = not phrase.past and verb not in PAST_FORMS
        if who.is_user and present and len(parts) >= 2 and verb not in words.ABOUT_STOP | _MACHINE_VERBS:
            yield draft_of(clause, "about", pair, "Does not {o}", 0.64, polarity=False)
    elif verb.endswith("ly"):
        return
    elif _happened(verb, text, phrase.past):
        yield from _event(clause, pair, parts, who)
    else:
        yield from _lasting(clause, pair, parts, who)


def _ability(clause: Span, pair: tuple[int, int], who: Who, *, can: bool) -> Iterator[Draft]:
    """Yield what somebody is able to, or is not: it lasts, as what they can do today does not."""
    match = _ABLE.fullmatch(clause.text, *pair)
    if match is not None:
        said = "Can {o}" if can else "Cannot {o}"
        yield draft_of(clause, "about", match.span("o"), said, 0.68, polarity=can, **_people(who))


def _people(who: Who) -> dict[str, str]:
    return {"subject": who.subject, "name": who.name, "relation": who.relation}


def _owning(clause: Span, pair: tuple[int, int], phrase: Phrase, who: Who) -> Iterator[Draft]:
    thing = _HAVE.match(clause.text, *pair)
    if not thing or not _can_be_owned(thing["o"]):
        return
    span = tidy(clause.text, *thing.span("o"))
    if phrase.ended:
        yield draft_of(clause, ANY, span, "No longer: {o}", 0.8, action="retract", slot="valid_to")
    elif phrase.negated:
        yield draft_of(clause, "owns", span, "Does not have {o}", 0.7, polarity=False, **_people(who))
    else:
        yield draft_of(clause, "owns", span, "Has {o}", 0.68, **_people(who))


def _can_be_owned(thing: str) -> bool:
    return is_thing(thing) and len(thing.split()) <= 7 and not _NOT_OWNED.match(thing)


def _happened(verb: str, text: str, past: bool) -> bool:
    if verb in _SAME_IN_PAST and not past:
        return bool(_LOOKS_BACK.search(text))
    return past or verb in PAST_FORMS or verb in words.EVENTS or (verb.endswith("ed") and verb not in _ED_VERBS)


def _event(clause: Span, pair: tuple[int, int], parts: list[str], who: Who) -> Iterator[Draft]:
    said, verb = clause.text[slice(*pair)], parts[0].casefold()
    if len(DATE.sub("", said).split()) < 2 and verb not in _ALONE:
        return
    if (verb in words.ABOUT_STOP and verb not in {"got", "did", "had"}) or _HAD_TO.match(said):
        return
    own = FOR_ME.search(said) or _LIFE.match(said)
    if who.is_user and len(parts) >= 2:
        # Whatever was done may have been on the list; where it was not, nothing is closed.
        yield draft_of(clause, "task", pair, "Done: {o}", 0.8, action="close", tentative=True)
    strong = verb in words.EVENTS and (verb not in words.WEAK_EVENTS or own)
    yield draft_of(clause, "did", pair, "{T}", 0.68 if strong else 0.45, slot="valid_from", past=True, **_people(who))


def _lasting(clause: Span, pair: tuple[int, int], parts: list[str], who: Who) -> Iterator[Draft]:
    text, verb = clause.text, parts[0].casefold()
    said = text[slice(*pair)]
    if verb in _APPOINTED and len(parts) >= 2 and _AHEAD.search(text):
        # "Tomorrow I see the dentist": kept when the engine finds the day.
        yield draft_of(clause, "plan", pair, "Plans: {o}", 0.5, slot="due", **_people(who))
        return
    if verb in words.ABOUT_STOP and not (verb in _OFTEN_DONE and _OFTEN.search(text)):
        return
    if len(parts) < 2 and _PURSUIT.fullmatch(verb):
        yield draft_of(clause, "about", pair, "{T}", 0.66, **_people(who))
        return
    if len(parts) < 2 or not verb.isascii() or not verb.isalpha() or _NOT_LASTING.match(said):
        return
    if (who.is_user and verb.endswith("s") and not verb.endswith("ss")) or (verb.endswith("ing") and verb not in _ING):
        return
    first, *others = list_values(text, pair[0] + len(parts[0]), pair[1])
    if not others:
        yield draft_of(clause, "about", pair, "{T}", 0.66, **_people(who))
        return
    yield draft_of(clause, "about", (pair[0], first[1]), "{T}", 0.66, **_people(who))
    for other in others:
        yield draft_of(clause, "about", other, to_third(verb, who.is_user) + " {o}", 0.66, **_people(who))


_PURSUIT: Final = _re(
    r"(?:sing|paint|danc|swim|cook|bak|draw|climb|sail|ski|surf|knit|sew|garden|hik|cycl|fish|juggl|sculpt|skat|row)e?s?"
)
"""What somebody does, said by the verb alone."""

_MACHINE_VERBS: Final = frozenset({"work", "compile", "matter", "help"})
_SAME_IN_PAST: Final = frozenset({"read", "put", "set", "cut", "run"})
_ED_VERBS: Final = frozenset({"need", "feed", "embed", "weed", "speed", "breed"})
_ING: Final = frozenset({"sing", "bring", "swing", "ring"})
_ALONE: Final = frozenset(
    {"married", "divorced", "graduated", "retired", "resigned", "proposed", "emigrated", "qualified"}
)
_OFTEN_DONE: Final = frozenset({"go", "take", "do", "see", "call", "come", "get"})
_OFTEN: Final = _re(r"\b(?:every|each|on (?:mon|tues|wednes|thurs|fri|satur|sun)days|daily|weekly|monthly)\b")
_LOOKS_BACK: Final = _re(r"\b(?:yesterday|last|ago|today|this (?:morning|afternoon|week))\b")
_APPOINTED: Final = frozenset(
    [
        "see",
        "meet",
        "visit",
        "fly",
        "go",
        "leave",
        "start",
        "begin",
        "have",
        "take",
        "pick",
        "drive",
        "travel",
        "return",
        "move",
        "play",
        "sing",
        "perform",
        "run",
        "teach",
        "present",
        "host",
        "work",
        "sit",
        "finish",
        "get",
        "pay",
        "collect",
        "attend",
    ]
)
"""Verbs that with a coming day say what is going to happen, though they stand in the present."""

_AHEAD: Final = _re(
    r"\b(?:tomorrow|tonight|next (?:week|month|year|\w+day)|(?:on|this) (?:mon|tues|wednes|thurs|fri|satur|sun)day)\b"
)
_HAVE: Final = _re(r"(?:'ve |have |has )?(?:got )?(?P<o>.+)")
_NOT_OWNED: Final = _re(r"(?:to|been|no|the|any|never|not|seen|had)\b")
_HAD_TO: Final = _re(r"(?:had|have) (?:to|been)\b")
_LIFE: Final = _re(r"got (?:married|engaged|divorced|promoted|fired|hired|certified|laid off|into)\b")
_NOT_LASTING: Final = _re(
    r"keep (?:getting|having|seeing|thinking|trying|forgetting|on|going|it)\b"
    r"|run out of\b|live for (?:this|that|it)\b|eat (?:my|our) words\b"
    r"|make (?:sure|sense|mistakes|a (?:mistake|change|difference|point|wish|note)|the|use|up|do|it|progress)\b"
    r"|(?:build|write) (?:the|a (?:function|script|query|program|test|class|regex))\b"
)
