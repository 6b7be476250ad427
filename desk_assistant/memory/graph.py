"""The graph: who and what the facts speak of, and how they hang together.

It is made from the active facts alone and made anew when those have changed, so it can hold nothing that is not also a
fact with its source. An edge is what a fact says (the person *lives in* Porto) or that a fact names somebody or
something that is an entity already ("visits Noor in Lyon" *mentions* Noor and Lyon).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from desk_assistant.memory.extract import USER, normal_form, predicates
from desk_assistant.memory.people import name_of
from desk_assistant.store import Entity, Fact, Relation, Store

KIND_OF_OBJECT: Final = {
    "relation": "person",
    "lives_in": "place",
    "born_in": "place",
    "grew_up_in": "place",
    "from": "place",
    "employer": "organisation",
    "school": "organisation",
    "uses": "product",
    "owns": "product",
    "choosing": "product",
    "did": "event",
    "plan": "event",
    "schedule": "event",
    "decision": "event",
}
"""Kind of entity that a predicate's object is; a `concept` where none is named."""

NOT_ENTITIES: Final = frozenset(
    {"alias", "instruction", "prohibition", "note", "task", "age", "birthday", "name", "nickname"}
)
"""Predicates whose object is a sentence, a figure or a name of the subject rather than a thing of its own."""

MENTIONS: Final = "mentions"
LONGEST_NAME: Final = 60
SHORTEST_MENTION: Final = 2
"""Characters of a name below which it is not looked for inside other facts."""


@dataclass(frozen=True)
class Subgraph:
    """Part of the graph around an entity.

    Attributes:
        entities: The entity asked for first, then by distance.
        relations: Every relation between two of them.
    """

    entities: tuple[Entity, ...] = ()
    relations: tuple[Relation, ...] = ()


class Graph:
    """Answers questions about how things hang together. Synchronous, like the store.

    Args:
        store: The facts, and the tables that the graph is kept in.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def refresh(self) -> None:
        """Make the graph anew when the facts have changed since it was made."""
        if self._store.graph.is_current():
            return
        with self._store.transaction():
            facts = self._store.facts.all(("active",))
            self._store.graph.replace(relations_of(sorted(facts, key=lambda fact: (fact.created_at, fact.id))))

    def entities(self) -> list[Entity]:
        """Return all entities by name."""
        self.refresh()
        return self._store.graph.entities()

    def around(self, name: str, depth: int = 1, *, hidden: Iterable[str] = ()) -> Subgraph:
        """Return the entity called `name` with everything up to `depth` steps away; empty when there is none.

        The person is a step like any other in depth, but what is reached only through them is left out beyond the
        first step: everything hangs together by way of the person, which says nothing.
        """
        relations = self._relations(hidden)
        start = self._find(name, relations)
        if start is None:
            return Subgraph()
        steps = _steps(relations)
        distance = {start.form: 0}
        order = [start]
        queue = deque([start])
        while queue:
            entity = queue.popleft()
            reached = distance[entity.form]
            if reached == depth or (entity.form == USER and entity is not start):
                continue
            for neighbour in steps.get(entity.form, ()):
                if neighbour.form not in distance:
                    distance[neighbour.form] = reached + 1
                    order.append(neighbour)
                    queue.append(neighbour)
        kept = tuple(r for r in relations if r.source.form in distance and r.target.form in distance)
        return Subgraph(tuple(order), kept)

    def path(self, first: str, second: str, *, hidden: Iterable[str] = ()) -> tuple[Relation, ...]:
        """Return the relations on a shortest way between two entities, in order; empty when there is none.

        A way that does not lead through the person is preferred to one that does, however long it is.
        """
        relations = self._relations(hidden)
        start, goal = self._find(first, relations), self._find(second, relations)
        if start is None or goal is None or start.form == goal.form:
            return ()
        others = [r for r in relations if USER not in (r.source.form, r.target.form)]
        return _shortest(others, start.form, goal.form) or _shortest(relations, start.form, goal.form)

    def _relations(self, hidden: Iterable[str]) -> list[Relation]:
        self.refresh()
        gone = set(hidden)
        return [r for r in self._store.graph.relations() if r.fact_id not in gone]

    def _find(self, name: str, relations: Iterable[Relation]) -> Entity | None:
        """Return the entity of this name, or of somebody's other name."""
        wanted = normal_form(name)
        known = {e.form: e for r in relations for e in (r.source, r.target)}
        if wanted in known:
            return known[wanted]
        for fact in self._store.facts.all(("active",), predicate="alias"):
            if normal_form(fact.object) == wanted:
                return known.get(normal_form(fact.subject))
        return next((e for form, e in known.items() if normal_form(name_of(e.name)) == wanted), None)


def relations_of(facts: Sequence[Fact]) -> list[Relation]:
    """Return the relations that facts give, oldest first."""
    names = _one_name(facts)
    stated = [relation for fact in facts if (relation := _stated(fact, names)) is not None]
    entities: dict[str, Entity] = {}
    for relation in stated:
        for entity in (relation.source, relation.target):
            known = entities.get(entity.form)
            if known is None or (known.kind == "concept" and entity.kind != "concept"):
                entities[entity.form] = entity
    found = [Relation(r.fact_id, entities[r.source.form], r.predicate, entities[r.target.form]) for r in stated]
    found.extend(_mentioned(facts, entities))
    return found


def _one_name(facts: Iterable[Fact]) -> dict[str, str]:
    """Return, for the normal form of every other name, the name that all is kept under."""
    return {
        normal_form(fact.object): fact.subject
        for fact in facts
        if predicates.base(fact.predicate) == "alias" and fact.subject != USER
    }


def _stated(fact: Fact, names: Mapping[str, str]) -> Relation | None:
    base = predicates.base(fact.predicate)
    name = names.get(normal_form(fact.object), fact.object.strip())
    if base in NOT_ENTITIES or not fact.polarity or not normal_form(name) or len(name) > LONGEST_NAME:
        return None
    kind = KIND_OF_OBJECT.get(base, "concept")
    subject = names.get(normal_form(fact.subject), fact.subject)
    source = Entity(subject, normal_form(subject), "person")
    target = Entity(name, normal_form(name), kind)
    return None if source.form == target.form else Relation(fact.id, source, fact.predicate, target)


def _mentioned(facts: Iterable[Fact], entities: Mapping[str, Entity]) -> Iterator[Relation]:
    """Yield an edge from a fact's object, or its subject where the object is no entity, to every entity it names."""
    named = {
        e.name: e
        for e in entities.values()
        if e.kind in ("person", "place", "organisation", "product")
        and e.form != USER
        and len(e.name) >= SHORTEST_MENTION
        and (e.name[:1].isupper() or not e.name[:1].isascii())
    }
    if not named:
        return
    longest_first = sorted(named, key=len, reverse=True)
    pattern = re.compile("|".join(_as_word(name) for name in longest_first))
    for fact in facts:
        source = entities.get(normal_form(fact.object)) or entities.get(normal_form(fact.subject))
        if source is None:
            continue
        for match in pattern.finditer(fact.object):
            target = named[match[0]]
            if target.form != source.form:
                yield Relation(fact.id, source, MENTIONS, target)


def _as_word(name: str) -> str:
    escaped = re.escape(name)
    return rf"(?<![A-Za-z0-9]){escaped}(?![A-Za-z0-9])" if name.isascii() else escaped


def _steps(relations: Iterable[Relation]) -> dict[str, list[Entity]]:
    steps: dict[str, list[Entity]] = {}
    for relation in relations:
        steps.setdefault(relation.source.form, []).append(relation.target)
        steps.setdefault(relation.target.form, []).append(relation.source)
    return steps


def _shortest(relations: Iterable[Relation], start: str, goal: str) -> tuple[Relation, ...]:
    """Breadth first, following relations in both directions."""
    edges: dict[str, list[tuple[str, Relation]]] = {}
    for relation in relations:
        edges.setdefault(relation.source.form, []).append((relation.target.form, relation))
        edges.setdefault(relation.target.form, []).append((relation.source.form, relation))
    came_from: dict[str, tuple[str, Relation] | None] = {start: None}
    queue = deque([start])
    while queue and goal not in came_from:
        here = queue.popleft()
        for there, relation in edges.get(here, ()):
            if there not in came_from:
                came_from[there] = (here, relation)
                queue.append(there)
    way: list[Relation] = []
    step = came_from.get(goal)
    while step is not None:
        way.append(step[1])
        step = came_from[step[0]]
    return tuple(reversed(way))
