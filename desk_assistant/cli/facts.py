"""How a fact looks in a list of the command line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from desk_assistant import shapes
from desk_assistant.cli.console import Console, pad
from desk_assistant.i18n import t
from desk_assistant.memory.extract import predicates

if TYPE_CHECKING:
    from desk_assistant.cli.arguments import Invocation
    from desk_assistant.store import Fact, Store


def tags(fact: Fact) -> list[str]:
    """Return the words that qualify a fact: its kind, its status, what was done to it."""
    found = [predicates.label(fact.predicate)]
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
    due = f"  ({fact.due.replace('T', ' ')})" if fact.due and fact.due[:10] not in text else ""
    console.line(f"{pad(fact.id, 12)}  {who}{text}{due}  [{' · '.join(tags(fact))}]")


def report_facts(invocation: Invocation, store: Store, facts: Sequence[Fact]) -> None:
    """Print facts as the command was asked to: a line each, or a JSON object each."""
    if invocation.options.json:
        ids = shapes.public_ids(store, facts)
        for fact in facts:
            invocation.console.record(shapes.fact(fact, ids))
        return
    for fact in facts:
        print_fact(invocation.console, fact)
