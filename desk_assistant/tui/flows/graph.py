"""Walking through the graph: from an entity to what stands beside it, ways between two, names that are one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from desk_assistant.i18n import t
from desk_assistant.memory.extract import USER, predicates
from desk_assistant.store import Entity, Relation
from desk_assistant.tui.flows.curation import CurationFlow
from desk_assistant.tui.host import Host
from desk_assistant.tui.memory_rows import entity_name, entity_rows, path_rows, relation_rows
from desk_assistant.tui.messages import OpenRecord
from desk_assistant.tui.screens.dialog import TextDialog
from desk_assistant.tui.widgets.graph_view import Act, GraphView
from desk_assistant.tui.widgets.row_list import Row

MOST_ENTITIES: Final = 500
"""Entities listed for a filter."""

ALIAS: Final = "alias"
SHOWN_STEPS: Final = 4
"""Steps of the way here that are named."""


@dataclass(frozen=True)
class Step:
    """Where a row leads, and the fact that says so."""

    there: Entity
    fact_id: str = ""


class GraphFlow:
    """Keeps where the person is in the graph.

    Args:
        host: The app.
        curation: Joins and parts names.
    """

    def __init__(self, host: Host, curation: CurationFlow) -> None:
        self._host = host
        self._curation = curation
        self._trail: list[str] = [USER]
        self._path_to = ""
        self._steps: dict[str, Step] = {}
        self._alias = ""

    async def fill(self, view: GraphView, query: str) -> None:
        """Show the entity one is at; the entities with a name that fits when a filter is typed."""
        if query:
            await self._found(view, query)
        elif self._path_to:
            await self._path(view)
        else:
            await self._around(view)

    async def ask(self, act: Act, row_id: str) -> bool:
        """Do what was asked; whether the view has to be filled again, without a filter.

        Raises:
            DeskError: The facade refuses; one stays where one is.
        """
        step = self._steps.get(row_id)
        match act:
            case "step" if step is not None:
                self._path_to = ""
                if step.there.name in self._trail:  # a step back to where one was is no longer way
                    del self._trail[self._trail.index(step.there.name) + 1 :]
                else:
                    self._trail.append(step.there.name)
            case "back" if self._path_to:
                self._path_to = ""
            case "back" if len(self._trail) > 1:
                self._trail.pop()
            case "home":
                self._trail, self._path_to = [USER], ""
            case "fact" if step is not None and step.fact_id:
                self._host.post_message(OpenRecord(step.fact_id))
                return False
            case "path":
                return await self._ask_path()
            case "join" if self._here != USER:
                await self._curation.join(self._here)
            case "part" if self._alias:
                await self._curation.part(self._alias)
            case _:
                return False
        return True

    @property
    def _here(self) -> str:
        return self._trail[-1]

    async def _ask_path(self) -> bool:
        name = _shown(self._here)
        hint = t("panel.path_hint")
        other = await self._host.ask(TextDialog(t("panel.path_title", name=name), "", hint))
        if other is None:
            return False
        self._path_to = other
        return True

    async def _around(self, view: GraphView) -> None:
        memory = self._host.assistant.memory
        found = await memory.graph(self._here, 2)
        while not found.entities and len(self._trail) > 1:  # it was forgotten, or goes by another name now
            self._trail.pop()
            found = await memory.graph(self._here, 2)
        if not found.entities:
            self._steps, self._alias = {}, ""
            view.show("", [], ("home",) if len(self._trail) > 1 else ())
            return
        centre = found.entities[0]
        near = [r for r in found.relations if centre.form in (r.source.form, r.target.form)]
        degree: dict[str, int] = {}
        for relation in found.relations:
            for entity in (relation.source, relation.target):
                degree[entity.form] = degree.get(entity.form, 0) + 1
        beside = {form: degree[form] - sum(form in _ends(r) for r in near) for form in degree}
        rows = relation_rows(centre, near, lambda entity: max(0, beside.get(entity.form, 0)))
        self._steps = {f"{n}": Step(_other(r, centre), r.fact_id) for n, r in enumerate(near)}
        rows += await self._names(centre)
        possible: list[Act] = ["back"] if len(self._trail) > 1 else []
        if centre.form != USER:
            possible += ["home", "join"]
        possible += ["fact", "path"] if near else []
        possible += ["part"] if self._alias else []
        view.show(self._where(), rows, possible)

    async def _names(self, centre: Entity) -> list[Row]:
        """Return the other names of an entity as rows, and keep the newest for taking apart."""
        self._alias = ""
        facts = await self._host.assistant.memory.facts(("active",), f"{ALIAS} {centre.name}")
        aliases = [f for f in facts if predicates.base(f.predicate) == ALIAS and f.subject == centre.name]
        if not aliases:
            return []
        self._alias = aliases[-1].id
        rows = [Row("", t("panel.other_names"))]
        for alias in aliases:
            self._steps[alias.id] = Step(centre, alias.id)
            rows.append(Row(alias.id, alias.object))
        return rows

    async def _path(self, view: GraphView) -> None:
        way = await self._host.assistant.memory.path(self._here, self._path_to)
        self._steps = {f"{n}": Step(entity, r.fact_id) for n, (r, entity) in enumerate(_walked(way))}
        head = t("panel.path_from_to", first=_shown(self._here), second=self._path_to)
        head += "\n" + (t("panel.path_steps", count=len(way)) if way else t("panel.path_none"))
        view.show(head, path_rows(way), ("back", "home", "fact") if way else ("back", "home"))

    async def _found(self, view: GraphView, query: str) -> None:
        words = query.casefold().split()
        entities = [
            entity
            for entity in await self._host.assistant.memory.entities()
            if all(word in entity_name(entity).casefold() for word in words)
        ][:MOST_ENTITIES]
        self._steps = {entity.form: Step(entity) for entity in entities}
        view.show(t("panel.graph_found", count=len(entities)), list(entity_rows(entities)), ())

    def _where(self) -> str:
        names = [_shown(name) for name in self._trail[-SHOWN_STEPS:]]
        return ("… › " if len(self._trail) > SHOWN_STEPS else "") + " › ".join(names)


def _shown(name: str) -> str:
    return t("panel.you") if name == USER else name


def _ends(relation: Relation) -> tuple[str, str]:
    return relation.source.form, relation.target.form


def _other(relation: Relation, centre: Entity) -> Entity:
    return relation.target if relation.source.form == centre.form else relation.source


def _walked(way: Sequence[Relation]) -> list[tuple[Relation, Entity]]:
    return [(relation, relation.target) for relation in way]
