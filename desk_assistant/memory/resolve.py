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
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from desk_assistant.memory.extract import predicates
from desk_assistant.memory.extract.keys import content_of, is_done_by, normal_form, statement_key
from desk_assistant.memory.extract.lexicon import category
from desk_assistant.memory.extract.model import ANY, USER, Statement

PENDING_BELOW: Final = 0.6
"""Confidence under which a statement waits to be confirmed (DESIGN, write path)."""

Outcome = Literal[
    "insert", "support", "supersede", "retract", "pending", "reattribute", "blocked", "confirm", "close", "nothing"
]
Why = Literal["", "low_confidence", "protected"]


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A stored fact, as much of it as resolution needs. Give them oldest first.

    Attributes:
        id: The store's identifier.
        subject, predicate, object, text, polarity: As in `Statement`.
        status: `"active"` or `"pending"` facts take part; `"superseded"`, `"retracted"` and `"closed"` ones only keep
            replayed text from coming back.
        confidence: 0 to 1.
        pinned, edited: Set by the person; automation never changes such a fact.
        support: How often it was said.
    """

    id: str
    subject: str
    predicate: str
    object: str
    text: str = ""
    polarity: bool = True
    status: str = "active"
    confidence: float = 0.8
    pinned: bool = False
    edited: bool = False
    support: int = 1

    @property
    def live(self) -> bool:
        """Whether it is held to be so, or waits to be confirmed."""
        return self.status in {"active", "pending"}

    @property
    def protected(self) -> bool:
        """Whether only the person may change it."""
        return self.pinned or self.edited


@dataclass(frozen=True, slots=True)
class Resolution:
    """What to do.

    Attributes:
        outcome: `insert`, `support` (raise the count of `ids`), `supersede` (close `ids`, insert), `retract` (close
            `ids`, insert nothing), `pending` (insert as pending; `ids` are the facts in conflict, untouched),
            `reattribute` (close `ids` and insert `statement`, whose subject is the other person), `blocked` (a
            tombstone), `confirm` (raise `ids` to confirmed), `close` (mark the tasks `ids` done), `nothing`.
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
    statement: Statement, known: Sequence[KnownFact], *, tombstones: Container[str] = (), fresh: bool = True
) -> Resolution:
    """Decide what `statement` does to the `known` facts.

    Args:
        statement: What was extracted.
        known: Facts of the same profile, oldest first; those of other subjects are ignored save for reattribution.
        tombstones: Keys (`statement_key`) of forgotten statements; any container, so that a keyed hash can stand
            behind `in`.
        fresh: The person says it now. False for an import, a second extraction or a consolidation.
    """
    key = statement_key(statement.subject, statement.predicate, statement.object)
    if not fresh and key in tombstones and statement.action in {"assert", "correct"}:
        return Resolution("blocked", statement)
    mine = [fact for fact in known if _same(fact.subject, statement.subject)]
    live = [fact for fact in mine if fact.live]
    if statement.action == "retract":
        return _taking_back(statement, _pointed_at(statement, live))
    if statement.action == "confirm":
        ids = _ids(_pointed_at(statement, live))
        if ids:
            return Resolution("confirm", statement, ids)
        return (
            Resolution("nothing", statement)
            if not statement.object
            else _asserted(replace(statement, action="assert"), mine, fresh)
        )
    if statement.action == "reattribute":
        return _reattributed(statement, live)
    if statement.action == "close":
        ids = _ids(
            fact
            for fact in live
            if predicates.base(fact.predicate) in {"task", "plan"}
            and (_about(statement, fact) or is_done_by(fact.object, statement.object))
        )
        return Resolution("close", statement, ids) if ids else Resolution("nothing", statement)
    if statement.action == "correct":
        return _corrected(statement, mine, fresh)
    return _asserted(statement, mine, fresh)


def _same(one: str, other: str) -> bool:
    return one == other or normal_form(one) == normal_form(other)


def _ids(facts: Iterable[KnownFact]) -> tuple[str, ...]:
    return tuple(fact.id for fact in facts)


# -- which facts are meant ---------------------------------------------------------------------------------------


def _about(statement: Statement, fact: KnownFact) -> bool:
    """Tell whether a fact's value is the statement's, or holds all its words."""
    wanted, held = normal_form(statement.object), normal_form(fact.object)
    if not wanted or not held:
        return False
    if wanted == held:
        return True
    if not wanted.isascii() or not held.isascii():
        return min(len(wanted), len(held)) >= 2 and (
            wanted in held or (held in wanted and len(held) * 2 >= len(wanted))
        )
    few, many = content_of(statement.object), content_of(fact.object)
    if few <= many:
        return True
    return len(many) >= 2 and many <= few


def _compatible(statement: Statement, fact: KnownFact) -> bool:
    return statement.predicate == ANY or predicates.base(statement.predicate) == predicates.base(fact.predicate)


def _pointed_at(statement: Statement, live: Sequence[KnownFact]) -> list[KnownFact]:
    if not statement.object:
        newest = [fact for fact in live if predicates.base(fact.predicate) not in {"instruction", "prohibition"}]
        if not newest:
            return []
        key = normal_form(newest[-1].object)
        return [fact for fact in newest if fact.predicate == newest[-1].predicate and normal_form(fact.object) == key]
    exact = [
        fact
        for fact in live
        if _compatible(statement, fact) and normal_form(fact.object) == normal_form(statement.object)
    ]
    if statement.predicate == ANY:
        # What was done stays done; giving up the dog does not undo "got a dog".
        exact = [fact for fact in exact if predicates.base(fact.predicate) != "did"]
        return exact or [
            fact
            for fact in live
            if _about(statement, fact)
            and predicates.base(fact.predicate) not in {"did", "instruction", "prohibition", "dislikes", "avoids"}
        ]
    return exact or [fact for fact in live if _compatible(statement, fact) and _about(statement, fact)]


# -- outcomes ----------------------------------------------------------------------------------------------------


def _taking_back(statement: Statement, facts: Sequence[KnownFact]) -> Resolution:
    if not facts:
        return Resolution("nothing", statement)
    if statement.confidence < PENDING_BELOW:
        return Resolution("pending", statement, _ids(facts), "low_confidence")
    free = [fact for fact in facts if not fact.protected]
    if not free:
        return Resolution("pending", statement, _ids(facts), "protected")
    if len(free) == 1 and (rest := _without(free[0], statement.object)):
        fact = free[0]
        text = fact.text.replace(fact.object, rest) if fact.object in fact.text else rest
        kept = replace(
            statement, predicate=fact.predicate, object=rest, text=text, action="assert", polarity=fact.polarity,
            kind=predicates.lookup(fact.predicate).kind,
        )  # fmt: skip
        return Resolution("supersede", kept, (fact.id,))
    return Resolution("retract", statement, _ids(free))


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
    facts = _pointed_at(statement, live)
    person = statement.target
    free = [fact for fact in facts if not fact.protected]
    if facts and not free:
        return Resolution("pending", statement, _ids(facts), "protected", person)
    if not person:
        return Resolution("retract", statement, _ids(free)) if free else Resolution("nothing", statement)
    source = facts[-1] if facts else None
    if source is None and not statement.object:
        return Resolution("nothing", statement, person=person)
    moved = replace(
        statement,
        subject=person,
        action="assert",
        predicate=source.predicate if source else statement.predicate,
        object=source.object if source else statement.object,
        text=(source.text or statement.text) if source else statement.text,
        polarity=source.polarity if source else statement.polarity,
        kind=predicates.lookup(source.predicate if source else statement.predicate).kind,
    )
    return Resolution("reattribute", moved, _ids(free), person=person)


def _corrected(statement: Statement, mine: Sequence[KnownFact], fresh: bool) -> Resolution:
    live = [fact for fact in mine if fact.live]
    replaced: list[KnownFact] = []
    if statement.replaces:
        former = replace(statement, object=statement.replaces, predicate=ANY)
        replaced = [fact for fact in _pointed_at(former, live) if _may_replace(statement, fact)]
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
    elif not predicates.lookup(statement.predicate).single:
        replaced = []
    if statement.predicate == ANY:
        statement = replace(statement, predicate="about", kind="fact", replaces=statement.replaces)
    return _asserted(
        statement, mine, fresh, [fact for fact in replaced if normal_form(fact.object) != normal_form(statement.object)]
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
    statement: Statement, mine: Sequence[KnownFact], fresh: bool, replaced: Sequence[KnownFact] = ()
) -> Resolution:
    live = [fact for fact in mine if fact.live]
    wanted = normal_form(statement.object)
    again = [
        fact
        for fact in live
        if normal_form(fact.object) == wanted and fact.polarity == statement.polarity and _says_same(statement, fact)
    ]
    conflicts = _contradicted(statement, live) + [fact for fact in replaced if fact not in again]
    conflicts = [fact for fact in dict.fromkeys(conflicts) if fact not in again]
    if statement.due or statement.recurs:
        # The same appointment at another time has moved; it is not the same again.
        moved = [fact for fact in again if fact.text and normal_form(fact.text) != normal_form(statement.text)]
        again = [fact for fact in again if fact not in moved]
        conflicts += moved
    if again and not conflicts and again[-1].status == "pending" and predicates.base(statement.predicate) == "alias":
        return Resolution("confirm", statement, _ids(again[-1:]))  # two names are one person once it comes up twice
    if again and not conflicts:
        return Resolution("support", statement, _ids(again[-1:]))
    if not fresh and not again:
        closed = any(
            not fact.live
            and normal_form(fact.object) == wanted
            and fact.polarity == statement.polarity
            and _says_same(statement, fact)
            for fact in mine
        )
        if closed:
            return Resolution("nothing", statement)
    if statement.confidence < PENDING_BELOW:
        return Resolution("pending", statement, _ids(conflicts), "low_confidence")
    protected = [fact for fact in conflicts if fact.protected]
    if protected:
        return Resolution("pending", statement, _ids(protected), "protected")
    if conflicts:
        return Resolution("supersede", statement, _ids(conflicts))
    return Resolution("insert", statement)


def _says_same(statement: Statement, fact: KnownFact) -> bool:
    if fact.predicate == statement.predicate:
        return True
    one, other = predicates.base(statement.predicate), predicates.base(fact.predicate)
    if one == other == "uses":
        return True  # the qualifier is how much we knew of the tool
    return one != other and {one, other} <= {"owns", "uses", "detail"}


def _contradicted(statement: Statement, live: Sequence[KnownFact]) -> list[KnownFact]:
    """Return the live facts that cannot hold beside the statement."""
    predicate = predicates.lookup(statement.predicate)
    wanted = normal_form(statement.object)
    found: list[KnownFact] = []
    for fact in live:
        same_value = normal_form(fact.object) == wanted
        if fact.predicate == statement.predicate or (same_value and _says_same(statement, fact)):
            if fact.polarity != statement.polarity:
                if same_value:
                    found.append(fact)
            elif (
                predicate.single
                and statement.polarity
                and not same_value
                and not statement.additive
                and _settled(statement, fact)
            ):
                found.append(fact)
            continue
        other = predicates.lookup(fact.predicate)
        if (
            (
                same_value
                and predicate.valence
                and other.valence == -predicate.valence
                and fact.polarity == statement.polarity
            )
            or (
                same_value
                and predicate.valence < 0
                and fact.polarity
                and other.name in {"favourite", "about", "uses"}
                and statement.polarity
            )
            or (
                predicate.valence < 0
                and other.name == "about"
                and fact.polarity
                and _without_verb(fact.object) == wanted
            )
        ):
            found.append(fact)
    return found


def _without_verb(value: str) -> str:
    """Return the normal form of a verb phrase without its verb: what "take sugar" and 吃羊肉 are about."""
    form = normal_form(value)
    return form.partition(" ")[2] if form.isascii() else form[1:]


def _settled(statement: Statement, fact: KnownFact) -> bool:
    """Tell whether a new value replaces the old one, rather than saying it more fully ("Ghent", "Ghent, Belgium")."""
    return bool(statement.object) and bool(fact.object)


__all__ = ["PENDING_BELOW", "USER", "KnownFact", "Outcome", "Resolution", "resolve"]
