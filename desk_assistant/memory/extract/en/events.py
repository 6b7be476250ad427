"""English wishes, plans and events, and the catch-all for whatever else lasts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.context import Who
from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.en.guards import is_thing, not_asked
from desk_assistant.memory.extract.en.values import PAST_FORMS, cut_value, tidy
from desk_assistant.memory.extract.model import Draft, Span, draft_of
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


_OBJECT_STOP: Final = _PATTERNS["object_stop"]
_IRREGULAR_PAST: Final = words.EVENTS


def anything(clause: Span, core: int, negated: bool, past: bool, who: Who, modal: str = "") -> Iterator[Draft]:
    """Yield the catch-all: something lasting ("keep bees"), owned ("have a loom") or done ("planted a pear tree")."""
    text = clause.text
    end = cut_value(text, core, len(text), "clause")
    pair = tidy(text, core, end, head=False)
    phrase = text[slice(*pair)]
    parts = re.findall(r"[\w'-]+", phrase)
    if not parts or "\ufffc" in phrase or modal in {"can", "can't"}:
        return
    verb, rest = parts[0].casefold(), phrase[len(parts[0]) :].strip()
    people = {"subject": who.subject, "name": who.name, "relation": who.relation}
    if len(parts) > 24 or _OBJECT_STOP.match(rest):
        return
    if verb in {"have", "has", "'ve"} and not past:
        thing = re.match(r"(?:'ve |have |has )?(?:got )?(?P<o>.+)", phrase, re.IGNORECASE)
        if thing and _owned(thing["o"]):
            start = pair[0] + thing.start("o")
            if negated:
                yield draft_of(
                    clause, "owns", tidy(text, start, pair[1]), "Does not have {o}", 0.7, polarity=False, **people
                )
            else:
                yield draft_of(clause, "owns", tidy(text, start, pair[1]), "Has {o}", 0.68, **people)
        return
    if negated:
        if (
            who.is_user
            and not past
            and len(parts) >= 2
            and verb not in words.ABOUT_STOP
            and verb not in {"work", "compile", "matter", "help"}
        ):
            yield draft_of(clause, "about", pair, "Does not {o}", 0.64, polarity=False)
        return
    if verb.endswith("ly") or (verb in {"had", "have"} and re.match(r"(?:to|been)\b", rest)):
        return
    is_event = (
        past
        or verb in PAST_FORMS
        or verb in words.EVENTS
        or (verb.endswith("ed") and verb not in {"need", "feed", "embed", "weed", "speed", "breed"})
    )
    if is_event and not (
        verb in {"read", "put", "set", "cut", "run"}
        and not past
        and not re.search(r"\byesterday|last|ago\b", text, re.IGNORECASE)
    ):
        if len(parts) < 2 and verb not in {"married", "divorced", "graduated", "retired", "resigned"}:
            return
        if verb in words.ABOUT_STOP and verb not in {"got", "did", "had"}:
            return
        strong = verb in words.EVENTS and (
            verb not in words.WEAK_EVENTS
            or re.search(r"\b(?:my|our)\b", phrase, re.IGNORECASE)
            or re.match(
                r"got (?:married|engaged|divorced|promoted|fired|hired|certified|laid off|into)", phrase, re.IGNORECASE
            )
        )
        yield draft_of(clause, "did", pair, "{T}", 0.68 if strong else 0.45, slot="valid_from", past=True, **people)
        return
    if verb in words.ABOUT_STOP or len(parts) < 2 or (who.is_user and verb.endswith("s") and not verb.endswith("ss")):
        return
    if verb == "keep" and re.match(words.KEPT_VERBS["keep"], phrase, re.IGNORECASE):
        return
    if not verb.isascii() or not verb.isalpha() or verb.endswith("ing"):
        return
    yield draft_of(clause, "about", pair, "{T}", 0.66, **people)


def _owned(thing: str) -> bool:

    return (
        is_thing(thing)
        and len(thing.split()) <= 7
        and not re.match(r"(?:to|been|no|the|any|never|not|seen|had)\b", thing, re.IGNORECASE)
    )
