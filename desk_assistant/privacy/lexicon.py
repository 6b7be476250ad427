"""The words of each language, read from `words/*.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import resources
from types import MappingProxyType
from typing import Any, Final


@dataclass(frozen=True, slots=True)
class Lexicon:
    """What the filter knows of one language; the TOML files explain each list.

    Attributes:
        cues: Kind of value -> words that announce it.
        units: What follows a count, a price or a time.
        harmless_before: What stands before a number that is nobody's secret.
        harmless_after: What stands after one ("is my booking ref").
        small_talk: How a message begins that says nothing yet, before what was announced comes.
        places: Things a code opens.
        no_places: Words that hold one of them and are none.
        not_a_secret: What follows "password is" in ordinary speech.
        spoken_digits: Translation of spelled digits to figures, for `str.translate`.
        clues: Class -> words that say something about a value near them.
        persons: "self", "others" -> words for whose talk it is.
        papers: Kind of paper or account -> further words that name it from a distance (`documents`).
        brands: Beginnings of the names of products.
        known: Letters that make the name of a product or format with the number after them.
    """

    cues: Mapping[str, tuple[str, ...]]
    units: tuple[str, ...]
    harmless_before: tuple[str, ...]
    harmless_after: tuple[str, ...]
    small_talk: tuple[str, ...]
    places: frozenset[str]
    no_places: tuple[str, ...]
    not_a_secret: frozenset[str]
    spoken_digits: Mapping[int, int]
    clues: Mapping[str, tuple[str, ...]]
    persons: Mapping[str, tuple[str, ...]]
    papers: Mapping[str, tuple[str, ...]]
    brands: frozenset[str]
    known: frozenset[str]


def load(language: str) -> Lexicon:
    """Read the words of `language` ("en", "zh"), with the compounds ("add me" x names of a messenger) spelled out."""
    file = resources.files(__package__) / "words" / f"{language}.toml"
    data: dict[str, Any] = tomllib.loads(file.read_text(encoding="utf-8"))
    cues: dict[str, tuple[str, ...]] = {kind: tuple(words) for kind, words in data["cues"].items()}
    for compound in data.get("compounds", ()):
        made = tuple(first + last for first in compound["first"] for last in compound["last"])
        cues[compound["kind"]] = (*cues[compound["kind"]], *made)
    return Lexicon(
        cues=MappingProxyType(cues),
        units=tuple(data["units"]),
        harmless_before=tuple(data["harmless_before"]),
        harmless_after=tuple(data["harmless_after"]),
        small_talk=tuple(data["small_talk"]),
        places=frozenset(data["places"]),
        no_places=tuple(data["no_places"]),
        not_a_secret=frozenset(data["not_a_secret"]),
        spoken_digits=MappingProxyType(str.maketrans(data["spoken_digits"], data["spoken_values"])),
        clues=MappingProxyType({name: tuple(words) for name, words in data["clues"].items()}),
        persons=MappingProxyType({name: tuple(words) for name, words in data["persons"].items()}),
        papers=MappingProxyType({kind: tuple(words) for kind, words in data["papers"].items()}),
        brands=frozenset(data["known"]["brands"]),
        known=frozenset(data["known"]["stems"]),
    )


EN: Final = load("en")
ZH: Final = load("zh")
_NO_PLACE: Final = re.compile("|".join(ZH.no_places))
_LATIN_WORD: Final = re.compile(r"[a-z]+")


def names_a_place(lower: str) -> bool:
    """Whether `lower`, folded and in lower case, names something that a code opens: a door, a safe, a phone."""
    return not (EN.places.isdisjoint(_LATIN_WORD.findall(lower)) and ZH.places.isdisjoint(_NO_PLACE.sub("", lower)))
