"""English word lists that the rules refer to, read from `words.toml` beside this file."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any, Final

from desk_assistant.memory.extract.rules import joined

_RAW: Final[dict[str, Any]] = tomllib.loads(
    resources.files(__package__).joinpath("words.toml").read_text(encoding="utf-8")
)


def _words(name: str) -> frozenset[str]:
    return frozenset(_RAW[name].split())


RELATIONS: Final[str] = joined(_RAW["relations"])
RELATION_EXTRA: Final[str] = joined(_RAW["relation_extra"])
PETS: Final[str] = joined(_RAW["pets"])
DIETS: Final[str] = joined(_RAW["diets"])
CONDITIONS: Final[str] = joined(_RAW["conditions"])
VERB_AFTER_AND: Final[str] = joined(_RAW["verb_after_and"])
WORK_PLACES: Final[str] = joined(_RAW["work_places"])
ADVERBS: Final[str] = joined(_RAW["adverbs"])
KNOWN_TO_ALL: Final[str] = joined(_RAW["known_to_all"])
"""What stands with "the" without having been spoken of: the sea, the cinema, the violin, the smell of rain."""
OCCUPATIONS: Final = _words("occupations")
NOT_OCCUPATIONS: Final = _words("not_occupations")
NATIONALITIES: Final = _words("nationalities")
ADJECTIVES: Final = _words("adjectives")
"""What follows "I'm" or "is" without being a name or a lasting trait."""
ABOUT_STOP: Final = _words("about_stop")
"""Verbs after "I" that do not say anything lasting."""
EVENTS: Final = _words("events")
"""Past forms that tell of something that happened."""
WEAK_EVENTS: Final = _words("weak_events")
"""Past forms too common to be kept when no day was said, unless the value is the person's own thing."""
OWN_STOP: Final = _words("own_stop")
"""Things one "has" only for the moment."""
DETAIL_STOP: Final = _words("detail_stop")
"""Nouns after "my" whose state is not worth keeping."""
WORKED_ON: Final = _words("worked_on")
"""Nouns after "my" that are what an assistant is asked to help with, so that what is so with them passes."""
STATES: Final = _words("states")
"""What a thing is only for the moment, or words that begin something other than a value."""
OCCUPATION_SUFFIXES: Final = tuple(_RAW["occupation_suffixes"])
SIMPLE: Final[dict[str, str]] = {
    noun.replace("_", " "): predicate for predicate, nouns in _RAW["simple"].items() for noun in nouns.split()
}
"""Predicate that a noun after "my" means."""

SINGULAR: Final = {"kids": "child", "children": "child", "grandchildren": "grandchild", "twins": "twin"}
"""Relations whose plural does not end in a plain s, or that one would not say of one ("kid")."""

FAMILIES: Final[dict[str, str]] = {
    word.replace("_", " "): name for name, row in _RAW["families"].items() for word in row.split()
}
"""The family of a relation, under a name that both languages share."""

LISTS: Final = {
    "ADVERBS": ADVERBS,
    "CONDITIONS": CONDITIONS,
    "DIETS": DIETS,
    "MONTHS": "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)",
    "PETS": PETS,
    "RELATIONS": RELATIONS,
    "RELATION_EXTRA": RELATION_EXTRA,
}
"""Lists by the names that the TOML files put in angle brackets."""
