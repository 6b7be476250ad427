"""Tasks, insights, what grew old and relations as rows of the memory panel."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from itertools import groupby
from typing import Final

from desk_assistant.i18n import t
from desk_assistant.memory.extract import USER, predicates
from desk_assistant.memory.graph import MENTIONS
from desk_assistant.store import Entity, Episode, Fact, Insight, Relation
from desk_assistant.tui.dates import long_day, moment, when
from desk_assistant.tui.rows import PENDING, fact_row
from desk_assistant.tui.widgets.row_list import Row

OPEN: Final = "○"
LATE: Final = "!"
DONE: Final = "●"
WEEK: Final = 7


def due_words(due: str, today: date) -> tuple[str, str]:
    """Return the group a task belongs to (`late`, `today`, `soon`, `later`) and when it is due, in words."""
    at = moment(due)
    if at is None:
        return "later", t("tui.due", when=due)
    days = (at.date() - today).days
    clock = at.strftime(" %H:%M") if "T" in due else ""
    if days < 0:
        return "late", t("panel.overdue", when=_day(at.date(), days) + clock)
    if days == 0:
        return "today", t("panel.due_today") + clock
    return ("soon" if days < WEEK else "later"), t("tui.due", when=_day(at.date(), days) + clock)


def _day(day: date, days: int) -> str:
    if days == 1:
        return t("panel.tomorrow")
    if days == -1:
        return t("tui.yesterday")
    return t(f"tui.weekday_{day.weekday()}") if 1 < days < WEEK else long_day(day)


def task_rows(open_tasks: Sequence[Fact], pending: Sequence[Fact], done: Sequence[Fact], today: date) -> list[Row]:
    """Return tasks by when they are due, those that wait to be confirmed first and those that are done last."""
    rows: list[Row] = []
    if pending:
        rows.append(Row("", t("tui.pending_heading", count=len(pending))))
        rows.extend(_task(fact, today, PENDING) for fact in pending)
    by_group = [(due_words(fact.due, today)[0] if fact.due else "undated", fact) for fact in open_tasks]
    for group in ("late", "today", "soon", "later", "undated"):
        found = [fact for name, fact in by_group if name == group]
        if found:
            rows.append(Row("", t(f"panel.tasks_{group}", count=len(found))))
            rows.extend(_task(fact, today, LATE if group == "late" else OPEN) for fact in found)
    if done:
        rows.append(Row("", t("panel.tasks_done", count=len(done))))
        rows.extend(Row(f.id, f.text, t("panel.done_when", when=when(f.valid_to, today)), DONE, 2) for f in done)
    return rows


def _task(fact: Fact, today: date, mark: str) -> Row:
    parts = [due_words(fact.due, today)[1]] if fact.due else []
    if fact.subject != USER:
        parts.append(fact.subject)
    parts.append(t("panel.said_when", when=when(fact.last_seen or fact.created_at, today)))
    return Row(fact.id, fact.text, " · ".join(parts), mark, 2)


def review_rows(stale: Sequence[Fact], archived: Sequence[Fact], turns: Sequence[Episode], today: date) -> list[Row]:
    """Return what has not come up for long, then what stepped aside."""
    rows: list[Row] = []
    if stale:
        rows.append(Row("", t("panel.review_stale", count=len(stale))))
        rows.extend(fact_row(fact, today) for fact in stale)
    if archived:
        rows.append(Row("", t("panel.review_archived", count=len(archived))))
        rows.extend(fact_row(fact, today) for fact in archived)
    if turns:
        rows.append(Row("", t("panel.review_turns", count=len(turns))))
        rows.extend(Row(e.id, e.text, when(e.created_at, today), "", 2) for e in turns)
    return rows


def insight_rows(insights: Iterable[Insight], today: date) -> list[Row]:
    """Return conclusions by their kind."""
    rows: list[Row] = []
    ordered = sorted(insights, key=lambda insight: insight.kind)
    for kind, group in groupby(ordered, key=lambda insight: insight.kind):
        rows.append(Row("", t(f"panel.insight_{kind}")))
        rows.extend(
            Row(i.id, i.text, t("panel.insight_rests", count=i.sessions, when=when(i.updated_at, today)), "", 3)
            for i in group
        )
    return rows


def matching(rows: Sequence[Row], query: str) -> list[Row]:
    """Return the rows that hold every word, with the headings that still have one below them."""
    words = query.casefold().split()
    if not words:
        return list(rows)
    kept: list[Row] = []
    heading: Row | None = None
    for row in rows:
        if not row.id:
            heading = row
        elif all(word in f"{row.text} {row.note}".casefold() for word in words):
            if heading is not None:
                kept.append(heading)
                heading = None
            kept.append(row)
    return kept


# --- the graph --------------------------------------------------------------------------------------------------------


def entity_name(entity: Entity) -> str:
    """Return what an entity is called; the person is addressed."""
    return t("panel.you") if entity.form == USER else entity.name


def entity_kind(entity: Entity) -> str:
    """Return what kind of thing it is."""
    return t(f"panel.entity_{entity.kind}")


def relation_name(predicate: str) -> str:
    """Return the name of a relation."""
    return t("panel.relation_mentions") if predicate == MENTIONS else predicates.label(predicate)


def relation_rows(centre: Entity, relations: Sequence[Relation], further: Callable[[Entity], int]) -> list[Row]:
    """Return what stands one step away from an entity, by the relation; the row's id names the step.

    Args:
        centre: The entity that is shown.
        relations: Its relations, both those that begin at it and those that end there.
        further: Counts the relations of a neighbour that lead on.
    """
    steps: list[tuple[str, str, Entity]] = []
    for number, relation in enumerate(relations):
        outward = relation.source.form == centre.form
        there = relation.target if outward else relation.source
        key = "panel.relation_out" if outward else "panel.relation_in"
        steps.append((t(key, name=relation_name(relation.predicate)), f"{number}", there))
    rows: list[Row] = []
    steps.sort(key=lambda step: step[0])
    for heading, group in groupby(steps, key=lambda step: step[0]):
        rows.append(Row("", heading))
        for _, place, there in group:
            count = further(there)
            note = entity_kind(there) + (" · " + t("panel.leads_on", count=count) if count else "")
            rows.append(Row(place, entity_name(there), note, "→" if count else ""))
    return rows


def path_rows(relations: Sequence[Relation]) -> list[Row]:
    """Return a way between two entities, one relation a row."""
    return [
        Row(f"{number}", f"{entity_name(r.source)} → {entity_name(r.target)}", relation_name(r.predicate))
        for number, r in enumerate(relations)
    ]


def entity_rows(entities: Iterable[Entity], degree: Mapping[str, int] | None = None) -> Iterator[Row]:
    """Yield entities by name."""
    for entity in entities:
        count = degree.get(entity.form, 0) if degree else 0
        note = entity_kind(entity) + (" · " + t("panel.leads_on", count=count) if count else "")
        yield Row(entity.form, entity_name(entity), note)
