"""What a new statement does to what is known. Pure: no I/O, the caller applies the resolution in one transaction.

Rules, in the order they are applied:

1. A forgotten statement (its key is a tombstone) comes back only when the person says it afresh.
2. Retractions, confirmations, reattributions and closings act on the facts they point at.
3. The same again is support, never a second row; replayed text that was superseded or retracted stays so.
4. A contradiction (other value of a single-valued predicate, opposite sign over the same object, negation, explicit
   correction) supersedes; with a pinned or hand-edited fact in the way it waits for the person instead.
5. Everything else is added. Facts of other subjects or other predicates are never touched.

Confidence below `PENDING_BELOW` makes an insertion wait for confirmation and may not retire anything.
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from desk_assistant.memory.extract import predicates
from desk_assistant.memory.extract.keys import is_done_by, normal_form, statement_key
from desk_assistant.memory.extract.lexicon import category
from desk_assistant.memory.extract.model import ANY, USER, Statement
from desk_assistant.memory.matching import (
    KnownFact,
    about,
    contradicted,
    ids_of,
    named_by,
    pointed_at,
    same,
    same_habit,
    same_sort,
    says_same,
)

PENDING_BELOW: Final = 0.6
"""Confidence under which a statement waits to be confirmed (DESIGN, write path)."""

Outcome = Literal[
    "insert", "support", "supersede", "retract", "pending", "reattribute", "blocked", "confirm", "close", "past",
    "nothing",
]  # fmt: skip
Why = Literal["", "low_confidence", "protected"]


@dataclass(frozen=True, slots=True)
class Resolution:
    """What to do.

    Attributes:
        outcome: `insert`, `support` (raise the count of `ids`), `supersede` (close `ids`, insert), `retract` (close
            `ids`, insert nothing), `pending` (insert as pending; `ids` are the facts in conflict, untouched),
            `reattribute` (close `ids` and insert `statement`, whose subject is the other person), `blocked` (a
            tombstone), `past` (insert as what held before the newer `ids`), `confirm` (raise `ids` to confirmed),
            `close` (mark the tasks `ids` done), `nothing`.
        statement: The statement to store, with what the known facts fill in (the predicate of "it's B, not A").
        ids: The facts concerned, oldest first.
        why: Reason of a pending outcome.
    """

    outcome: Outcome
    statement: Statement
    ids: tuple[str, ...] = ()
    why: Why = ""
    person: str | None = None


def resolve(
    statement: Statement,
    known: Sequence[KnownFact],
    *,
    tombstones: Container[str] = (),
    fresh: bool = True,
    said_at: float | None = None,
) -> Resolution:
    """Decide what `statement` does to the `known` facts.

    Args:
        statement: What was extracted.
        known: Facts of the same profile, oldest first; those of other subjects are ignored save for reattribution.
        tombstones: Keys (`statement_key`) of forgotten statements; any container, so that a keyed hash can stand
            behind `in`.
        fresh: The person says it now. False for an import, a second extraction or a consolidation.
        said_at: When it was said, seconds since 1970; None where that does not matter. What is not fresh is compared
            by it: old talk that comes in later changes nothing that was said after it.
    """
    if statement.action == "forget":
        return _forgetting(statement, [fact for fact in known if fact.live])
    key = statement_key(statement.subject, statement.predicate, statement.object)
    if not fresh and key in tombstones and statement.action in {"assert", "correct"}:
        return Resolution("blocked", statement)
    mine = [fact for fact in known if same(fact.subject, statement.subject)]
    live = [fact for fact in mine if fact.live]
    if statement.action == "retract":
        return _taking_back(statement, pointed_at(statement, live))
    if statement.action == "confirm":
        ids = ids_of(pointed_at(statement, live))
        if ids:
            return Resolution("confirm", statement, ids)
        return (
            Resolution("nothing", statement)
            if not statement.object
            else _asserted(replace(statement, action="assert"), mine, fresh, said_at)
        )
    if statement.action == "reattribute":
        return _reattributed(statement, live)
    if statement.action == "close":
        ids = ids_of(
            fact
            for fact in live
            if predicates.base(fact.predicate) in {"task", "plan"}
            and (about(statement, fact) or is_done_by(fact.object, statement.object))
        )
        return Resolution("close", statement, ids) if ids else Resolution("nothing", statement)
    if statement.action == "correct":
        return _corrected(statement, mine, fresh, said_at)
    return _asserted(statement, mine, fresh, said_at)


# -- outcomes ----------------------------------------------------------------------------------------------------


def _forgetting(statement: Statement, live: Sequence[KnownFact]) -> Resolution:
    """Take back everything that names what the person wants forgotten, also what happened and what is about others."""
    facts = [fact for fact in live if named_by(statement, fact)]
    if not facts:
        return Resolution("nothing", statement)
    free = [fact for fact in facts if not fact.protected]
    if not free:
        return Resolution("pending", replace(statement, action="retract"), ids_of(facts), "protected")
    return Resolution("retract", statement, ids_of(free))


def _taking_back(statement: Statement, facts: Sequence[KnownFact]) -> Resolution:
    if not facts:
        return Resolution("nothing", statement)
    if statement.confidence < PENDING_BELOW:
        return Resolution("pending", statement, ids_of(facts), "low_confidence")
    free = [fact for fact in facts if not fact.protected]
    if not free:
        return Resolution("pending", statement, ids_of(facts), "protected")
    if len(free) == 1 and (rest := _without(free[0], statement.object)):
        fact = free[0]
        text = fact.text.replace(fact.object, rest) if fact.object in fact.text else rest
        kept = replace(
            statement, predicate=fact.predicate, object=rest, text=text, action="assert", polarity=fact.polarity,
            kind=predicates.lookup(fact.predicate).kind,
        )  # fmt: skip
        return Resolution("supersede", kept, (fact.id,))
    return Resolution("retract", statement, ids_of(free))


_SEPARATOR: Final = re.compile(r"\s*(?:,|、|，|\band\b|和|&|与)\s*")


def _without(fact: KnownFact, value: str) -> str:
    """Return a fact's list of values without one of them, empty when its value is no list that holds it.

    "Netflix, Hulu and Mubi" without Hulu is "Netflix and Mubi": giving up one of several loses no other.
    """
    items = _SEPARATOR.split(fact.object)
    wanted = normal_form(value)
    kept = [item for item in items if normal_form(item) != wanted]
    if len(items) < 2 or len(kept) != len(items) - 1 or not all(kept):
        return ""
    if not fact.object.isascii() and any("一" <= character <= "鿿" for character in fact.object):
        return "、".join(kept)
    return ", ".join(kept[:-1]) + (" and " if kept[:-1] else "") + kept[-1]


def _reattributed(statement: Statement, live: Sequence[KnownFact]) -> Resolution:
    facts = pointed_at(statement, live)
    person = statement.target
    free = [fact for fact in facts if not fact.protected]
    if facts and not free:
        return Resolution("pending", statement, ids_of(facts), "protected", person)
    if not person:
        return Resolution("retract", statement, ids_of(free)) if free else Resolution("nothing", statement)
    source = facts[-1] if facts else None
    if source is None and not statement.object:
        return Resolution("nothing", statement, person=person)
    predicate = source.predicate if source else "about" if statement.predicate == ANY else statement.predicate
    moved = replace(
        statement,
        subject=person,
        action="assert",
        predicate=predicate,
        object=source.object if source else statement.object,
        text=(source.text or statement.text) if source else statement.text,
        polarity=source.polarity if source else statement.polarity,
        kind=predicates.lookup(predicate).kind,
    )
    return Resolution("reattribute", moved, ids_of(free), person=person)


def _corrected(statement: Statement, mine: Sequence[KnownFact], fresh: bool, said_at: float | None) -> Resolution:
    live = [fact for fact in mine if fact.live]
    replaced: list[KnownFact] = []
    if statement.replaces:
        former = replace(statement, object=statement.replaces, predicate=ANY)
        replaced = [fact for fact in pointed_at(former, live) if _may_replace(statement, fact)]
        if statement.predicate == ANY and replaced:
            source = replaced[-1]
            statement = replace(
                statement, predicate=source.predicate, kind=predicates.lookup(source.predicate).kind,
                text=_reworded(source, statement),
            )  # fmt: skip
    elif predicates.base(statement.predicate) == "uses" and predicates.qualifier(statement.predicate):
        # "We use Postgres now": the one of its kind gives way, several of a kind do not.
        kind = predicates.qualifier(statement.predicate)
        same_kind = [
            fact
            for fact in live
            if fact.polarity
            and predicates.base(fact.predicate) in {"uses", "detail", "favourite"}
            and (fact.predicate == statement.predicate or category(fact.object) == kind)
        ]
        replaced = same_kind if len(same_kind) == 1 else []
    elif statement.predicate in {"about", "schedule"}:
        replaced = [fact for fact in live if fact.polarity and same_habit(statement, fact)]
    elif predicates.base(statement.predicate) == "uses":
        replaced = [fact for fact in live if fact.polarity and same_sort(statement, fact)]
    if statement.predicate == ANY:
        statement = replace(statement, predicate="about", kind="fact", replaces=statement.replaces)
    return _asserted(
        statement,
        mine,
        fresh,
        said_at,
        [fact for fact in replaced if normal_form(fact.object) != normal_form(statement.object)],
    )


def _may_replace(statement: Statement, fact: KnownFact) -> bool:
    base = predicates.base(fact.predicate)
    if statement.predicate == ANY:
        return base not in {"did", "note", "task"}
    return base == predicates.base(statement.predicate) or base in {
        "uses",
        "likes",
        "favourite",
        "about",
        "choosing",
        "learning",
        "owns",
        "detail",
    }


def _reworded(source: KnownFact, statement: Statement) -> str:
    """Say the corrected statement the way the old one was said: an update must change the text."""
    if source.text and source.object and source.object in source.text:
        return source.text.replace(source.object, statement.object)
    return statement.text


def _asserted(
    statement: Statement,
    mine: Sequence[KnownFact],
    fresh: bool,
    said_at: float | None,
    replaced: Sequence[KnownFact] = (),
) -> Resolution:
    live = [fact for fact in mine if fact.live]
    wanted = normal_form(statement.object)
    again = [
        fact
        for fact in live
        if normal_form(fact.object) == wanted and fact.polarity == statement.polarity and says_same(statement, fact)
    ]
    conflicts = contradicted(statement, live) + [fact for fact in replaced if fact not in again]
    conflicts = [fact for fact in dict.fromkeys(conflicts) if fact not in again]
    if statement.due or statement.recurs:
        # The same appointment at another time has moved; it is not the same again.
        moved = [fact for fact in again if fact.text and normal_form(fact.text) != normal_form(statement.text)]
        again = [fact for fact in again if fact not in moved]
        conflicts += moved
    if again and not conflicts and again[-1].status == "pending" and predicates.base(statement.predicate) == "alias":
        return Resolution("confirm", statement, ids_of(again[-1:]))  # two names are one person once it comes up twice
    if again and not conflicts:
        return Resolution("support", statement, ids_of(again[-1:]))
    if not fresh and not again:
        closed = any(
            not fact.live
            and not (said_at is not None and fact.ended is not None and said_at > fact.ended)
            and normal_form(fact.object) == wanted
            and fact.polarity == statement.polarity
            and says_same(statement, fact)
            for fact in mine
        )
        if closed:
            return Resolution("nothing", statement)
    if not fresh and said_at is not None and conflicts and all(fact.seen > said_at for fact in conflicts):
        return Resolution("past", statement, ids_of(conflicts[-1:]))
    if statement.confidence < PENDING_BELOW:
        return Resolution("pending", statement, ids_of(conflicts), "low_confidence")
    protected = [fact for fact in conflicts if fact.protected]
    if protected:
        return Resolution("pending", statement, ids_of(protected), "protected")
    if conflicts:
        return Resolution("supersede", statement, ids_of(conflicts))
    return Resolution("insert", statement)


__all__ = ["PENDING_BELOW", "USER", "KnownFact", "Outcome", "Resolution", "resolve"]
