"""Who is who: the people that facts are about, their other names, and two that turn out to be one.

Somebody may be spoken of by what they are ("my sister plays the harp") before their name comes up ("my sister Noor"),
or by a name before it is said to be a nickname. Their facts are then put under one subject. Every such move is an entry
in the fact's history, so it can be taken back.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from desk_assistant.memory.extract import USER, KnownPeople, Person, normal_form, predicates, statement_key
from desk_assistant.memory.extract.relatives import is_relation
from desk_assistant.store import Fact, Store

MERGED: Final = "merged"
SPLIT: Final = "split"
LIVE: Final = ("active", "pending")


def name_of(subject: str) -> str:
    """Return the name in a subject such as "Alex (sister)"."""
    return subject.partition(" (")[0]


class People:
    """Reads the people known from facts and keeps each under one subject. Writes through the store's transactions."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def known(self) -> KnownPeople:
        """Return the people that facts are kept about, with how they are related and what else they are called."""
        people: dict[str, Person] = {}
        facts = self._store.facts.all(LIVE)
        for fact in facts:
            if fact.subject != USER:
                people.setdefault(fact.subject, _person(fact.subject))
        for fact in sorted(facts, key=lambda f: (f.created_at, f.id)):
            if fact.status == "active" and fact.subject == USER and predicates.base(fact.predicate) == "relation":
                relation = predicates.qualifier(fact.predicate)
                own = f"{fact.object} ({relation})"
                subject = own if own in people else fact.object
                person = people.get(subject) or Person(subject, fact.object)
                if not person.relation:
                    people[subject] = replace(person, relation=relation)
        for fact in facts:
            if fact.status == "active" and predicates.base(fact.predicate) == "alias" and fact.subject in people:
                person = people[fact.subject]
                people[fact.subject] = replace(person, aliases=(*person.aliases, fact.object))
        return KnownPeople.of(people.values())

    def join(self, fact: Fact) -> list[str]:
        """Put together what a new fact shows to be one person; returns the ids of the facts that moved."""
        if fact.status != "active":
            return []
        base = predicates.base(fact.predicate)
        if base == "alias" and fact.subject != USER:
            return self._move(fact.object, fact.subject, fact)
        if base == "relation" and fact.subject == USER:
            relation = predicates.qualifier(fact.predicate)
            same = self._store.facts.all(("active",), subject=USER, predicate=fact.predicate)
            # With two sisters known by name, "my sister" was either of them.
            if len({normal_form(f.object) for f in same}) == 1:
                return self._move(relation, fact.object, fact)
        return []

    def part(self, fact: Fact) -> list[str]:
        """Take back what `join` did for a fact that turned out wrong; returns the ids of the facts that moved."""
        base = predicates.base(fact.predicate)
        if base == "alias":
            name, subject = fact.object, fact.subject
        elif base == "relation" and fact.subject == USER:
            name, subject = predicates.qualifier(fact.predicate), fact.object
        else:
            return []
        moved: list[str] = []
        for other in self._store.facts.of_subject(subject):
            before = [c.before for c in self._store.facts.history(other.id) if c.action in (MERGED, SPLIT)]
            if before and before[-1] is not None and normal_form(before[-1]) == normal_form(name):
                self._rename(other, before[-1], SPLIT)
                moved.append(other.id)
        return moved

    def _move(self, old: str, new: str, because: Fact) -> list[str]:
        moved: list[str] = []
        for fact in self._store.facts.of_subject(old):
            if fact.id != because.id and normal_form(old) != normal_form(new):
                self._rename(fact, new, MERGED)
                moved.append(fact.id)
        return moved

    def _rename(self, fact: Fact, subject: str, action: str) -> None:
        key = statement_key(subject, fact.predicate, fact.object)
        self._store.facts.note(fact.id, actor="extraction", action=action, before=fact.subject, after=subject)
        self._store.facts.change(fact.id, actor="extraction", action="moved", subject=subject, key=key)


def _person(subject: str) -> Person:
    """Read a subject such as "Alex (sister)" or "sister" back into a name and a relation."""
    if is_relation(subject):
        return Person(subject, "", subject)
    name, _, rest = subject.partition(" (")
    return Person(subject, name, rest.removesuffix(")"))
