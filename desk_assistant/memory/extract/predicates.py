"""The registry of predicates, read from `predicates.toml` beside it."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import cast

from desk_assistant import i18n
from desk_assistant.memory.extract.model import Kind


@dataclass(frozen=True, slots=True)
class Predicate:
    """How statements with one predicate behave.

    Attributes:
        name: The bare name, without a qualifier.
        kind: The kind of memory.
        single: Holds one value at a time (for each qualifier).
        valence: 1 or -1 where the same object under the opposite sign is a contradiction, else 0.
        qualified: Carries a qualifier after a dot.
    """

    name: str
    kind: Kind
    single: bool = False
    valence: int = 0
    qualified: bool = False


@cache
def registry() -> dict[str, Predicate]:
    """Return all predicates by bare name."""
    raw = tomllib.loads(resources.files(__package__).joinpath("predicates.toml").read_text(encoding="utf-8"))
    return {
        name: Predicate(
            name, cast(Kind, row["kind"]), row.get("single", False), row.get("valence", 0), row.get("qualified", False)
        )
        for name, row in raw.items()
    }


def base(predicate: str) -> str:
    """Return `predicate` without its qualifier: `favourite.drink` is a `favourite`."""
    return predicate.partition(".")[0]


def qualifier(predicate: str) -> str:
    """Return the qualifier of `predicate`, empty where it has none."""
    return predicate.partition(".")[2]


def lookup(predicate: str) -> Predicate:
    """Return the behaviour of `predicate`; one that is not in the registry behaves like `about`."""
    rows = registry()
    return rows.get(base(predicate), rows["about"])


def label(predicate: str) -> str:
    """Return the name of `predicate` for people, in the interface language ("Favourite: drink")."""
    return label_in(predicate, i18n.language())


def label_in(predicate: str, lang: str) -> str:
    """Return the name of `predicate` for people, in a given language."""
    name, extra = base(predicate), qualifier(predicate)
    key = f"predicate_{'any' if name == '*' else name}"
    shown = i18n.t_in(lang, f"facts.{key}" if name in registry() else "facts.predicate_about")
    if not extra:
        return shown
    return i18n.t_in(lang, "facts.qualified", label=shown, qualifier=qualifier_label(predicate, lang))


def qualifier_label(predicate: str, lang: str | None = None) -> str:
    """Return the qualifier of `predicate` for people: known kinds of tools translated, the person's words as they are.

    Args:
        predicate: A predicate with a qualifier ("uses.programming language").
        lang: Language of the label; the interface language when None.
    """
    extra = qualifier(predicate)
    key = f"facts.qualifier_{extra.replace(' ', '_')}"
    return i18n.t_in(lang or i18n.language(), key) if i18n.has(key) else extra


def kind_label(kind: str) -> str:
    """Return the name of a kind of memory for people, in the interface language."""
    return i18n.t(f"facts.kind_{kind}")
