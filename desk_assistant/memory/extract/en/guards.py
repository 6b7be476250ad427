"""Guards of the English rules: which values fit."""

from __future__ import annotations

import re
from typing import Final

from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.rules import Guard


def is_occupation(value: str) -> bool:
    """Tell whether a noun phrase names a line of work ("Java backend developer"), by its head noun."""
    head = re.split(r"\s+(?:(?:in|at|for|of|from|who|that|with|by)\b|specialis|specializ)", value.casefold())[0].split()
    if not head or len(head) > 5:
        return False
    noun = head[-1].rstrip(".,")
    if noun in words.NOT_OCCUPATIONS:
        return False
    return noun in words.OCCUPATIONS or (len(noun) > 5 and noun.endswith(words.OCCUPATION_SUFFIXES))


def is_name(value: str) -> bool:
    """Tell whether a value is written like somebody's name: one to four capitalised words that are no common ones."""
    parts = value.split()
    if not 1 <= len(parts) <= 4:
        return False
    if any(part.casefold() in words.ADJECTIVES or part.casefold() in words.NATIONALITIES for part in parts):
        return False
    particles = {"de", "van", "von", "der", "da", "del", "la", "bin", "al", "di", "ten", "le"}
    return (
        all(
            part in particles
            or (part[0].isupper() and part.replace("-", "").replace("'", "").replace(".", "").isalpha())
            for part in parts
        )
        and parts[0][0].isupper()
    )


def is_trait(value: str) -> bool:
    """Tell whether "a …" after "I'm" is something lasting."""
    return value.split()[-1].casefold() not in {
        "bit",
        "little",
        "lot",
        "moment",
        "way",
        "hurry",
        "loss",
        "rush",
        "fan",
        "mess",
        "idiot",
        "fool",
        "genius",
    }


def not_asked(value: str) -> bool:
    """Refuse what one likes or uses only as a manner of speaking ("I like it", "I love that")."""
    first = value.split()[0].casefold().rstrip(",.;:!") if value.split() else ""
    return first not in {
        "something",
        "everything",
        "nothing",
        "anything",
        "everywhere",
        "everyone",
        "someone",
        "all",
        "with",
        "from",
        "it",
        "that",
        "this",
        "them",
        "these",
        "those",
        "how",
        "you",
        "your",
        "what",
        "him",
        "her",
        "where",
        "the idea",
        "when",
        "there",
    }


_POINTS: Final = re.compile(r"(?:this|that|these|those|your)\b", re.IGNORECASE)
_DEFINITE: Final = re.compile(rf"the (?!{words.KNOWN_TO_ALL})[a-z]")


def points_at(said: str) -> bool:
    """Tell whether a value as it was said, article and all, means something at hand ("that idea", "your answer")."""
    return _POINTS.match(said) is not None


def may_point_at(said: str) -> bool:
    """Tell whether it may ("the texture"): definite, and neither a name nor something that there is one of."""
    return _DEFINITE.match(said) is not None


def is_thing(value: str) -> bool:
    """Refuse what one has only for the moment ("a question", "an idea")."""
    parts = re.findall(r"[\w'-]+", value.casefold())
    parts = parts[1:] if parts[:1] in (["a"], ["an"]) else parts
    return (
        bool(parts) and not_asked(value) and not (set(parts[:4]) & words.OWN_STOP) and parts[0] not in words.ABOUT_STOP
    )


_DWELLING: Final = re.compile(
    r"(?:a|this) (?:small |little |quiet |big |tiny )?(?:flat|village|town|house|suburb|farm|city|cabin|boat|van"
    r"|houseboat|cottage|studio|apartment|island|bungalow|caravan|camper)",
    re.IGNORECASE,
)


def is_place(value: str) -> bool:
    """Refuse "here", "there" and states ("in a hurry") as places."""
    return value.split()[0].casefold() not in {
        "here",
        "there",
        "a",
        "this",
        "it",
        "that",
        "trouble",
        "charge",
        "love",
        "fear",
        "hope",
        "my",
        "general",
        "fact",
        "need",
        "case",
        "peace",
        "hell",
        "constant",
        "your",
    } or bool(_DWELLING.match(value))


def is_short(value: str) -> bool:
    """Accept values of a few words only."""
    return len(value.split()) <= 6


def is_tool(value: str) -> bool:
    """Accept what somebody uses as a tool: a name, a product, or a thing of theirs."""
    return (
        not_asked(value) and is_short(value) and value.split()[0].casefold() not in {"a", "an", "my", "to", "some"}
    ) or bool(re.match(r"(?:an? )?[A-Z0-9]", value))


def is_language(value: str) -> bool:
    """Accept a language's name: a capitalised word, or one of the known ones written small."""
    parts = value.split()
    return (
        bool(parts)
        and len(parts) <= 3
        and (
            parts[0][0].isupper()
            or parts[-1].casefold() in words.NATIONALITIES
            or parts[-1].casefold()
            in {"latin", "esperanto", "mandarin", "cantonese", "arabic", "hindi", "farsi", "hebrew", "sign", "language"}
        )
    )


def is_age(value: str) -> bool:
    """Accept what can be somebody's age in years."""
    return value.isdigit() and 2 < int(value) < 120


def is_proper(value: str) -> bool:
    """Accept a value written with a capital."""
    return value[:1].isupper()


def is_nationality(value: str) -> bool:
    """Accept where somebody is from, as an adjective ("Swedish", "half Danish")."""
    return value.split()[-1].casefold() in words.NATIONALITIES


GUARDS: Final[dict[str, Guard]] = {
    "age": is_age,
    "improper": lambda value: not is_proper(value),
    "language": is_language,
    "name": is_name,
    "nationality": is_nationality,
    "occupation": is_occupation,
    "place": is_place,
    "proper": is_proper,
    "said": not_asked,
    "short": is_short,
    "thing": is_thing,
    "tool": is_tool,
    "trait": is_trait,
}
"""Guards by the names that the rule files use."""
