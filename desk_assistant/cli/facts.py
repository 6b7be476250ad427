"""How a fact looks in a list of the command line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desk_assistant.cli.console import Console, pad
from desk_assistant.i18n import t

if TYPE_CHECKING:
    from desk_assistant.store import Fact


def predicate_label(name: str) -> str:
    """Return a predicate's name in the interface language, or the bare name when it has none."""
    try:
        return t(f"facts.predicate_{name}")
    except KeyError:
        return name.replace("_", " ")


def tags(fact: Fact) -> list[str]:
    """Return the words that qualify a fact: its kind, its status, what was done to it."""
    found = [predicate_label(fact.predicate)]
    if fact.status == "pending":
        found.append(t("cli.sure", percent=f"{fact.confidence:.0%}"))
    elif fact.status != "active":
        found.append(t(f"cli.status_{fact.status}"))
    found += [t(f"cli.tag_{name}") for name in ("pinned", "edited") if getattr(fact, name)]
    return found


def print_fact(console: Console, fact: Fact) -> None:
    """Print a fact on one line: id, text, and what qualifies it."""
    text = " ".join(fact.text.split())
    who = "" if fact.subject == "user" else f"{fact.subject}: "
    console.line(f"{pad(fact.id, 12)}  {who}{text}  [{' · '.join(tags(fact))}]")
