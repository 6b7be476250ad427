"""Records as rows and cards: what is shown of a fact, an episode, a message or a session in one or two lines."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import groupby
from typing import Final

from desk_assistant.i18n import t
from desk_assistant.memory.extract import predicates
from desk_assistant.memory.records import RecalledItem, SearchHit
from desk_assistant.store import Episode, Fact, Message, Session
from desk_assistant.tui.blackout import shown
from desk_assistant.tui.dates import day_name, moment, when
from desk_assistant.tui.widgets.row_list import Row

KIND_ORDER: Final = (
    "identity",
    "fact",
    "preference",
    "instruction",
    "prohibition",
    "relation",
    "task",
    "decision",
    "schedule",
)
"""Kinds of facts from what changes least to what changes most; others follow in their own order."""

PINNED: Final = "⚑"
PENDING: Final = "?"


@dataclass(frozen=True)
class Card:
    """One remembered thing as a card under a question, or as an answer's citation."""

    id: str
    kind: str
    text: str
    at: str


def kind_label(kind: str) -> str:
    """Return what people call a kind of facts; the bare name of one that this version does not know."""
    try:
        return predicates.kind_label(kind)
    except KeyError:
        return kind.replace("_", " ")


def fact_rows(facts: Sequence[Fact], today: date) -> list[Row]:
    """Return the profile: pending facts on top, then by kind, pinned ones first in each."""
    pending = [fact for fact in facts if fact.status == "pending"]
    active = [fact for fact in facts if fact.status != "pending"]
    rows: list[Row] = []
    if pending:
        rows.append(Row("", t("tui.pending_heading", count=len(pending))))
        rows.extend(fact_row(fact, today) for fact in pending)
    active.sort(key=_profile_order)
    for kind, group in groupby(active, key=lambda fact: fact.kind):
        rows.append(Row("", kind_label(kind)))
        rows.extend(fact_row(fact, today) for fact in group)
    return rows


def _profile_order(fact: Fact) -> tuple[int, str, bool]:
    place = KIND_ORDER.index(fact.kind) if fact.kind in KIND_ORDER else len(KIND_ORDER)
    return (place, fact.kind, not fact.pinned)


def fact_row(fact: Fact, today: date) -> Row:
    """Return one fact as a row."""
    mark = PENDING if fact.status == "pending" else PINNED if fact.pinned else ""
    return Row(fact.id, fact.text, _fact_note(fact, today), mark, height=2)


def _fact_note(fact: Fact, today: date) -> str:
    parts = [predicates.label(fact.predicate)] if fact.predicate else []
    if fact.subject not in ("user", ""):
        parts.insert(0, fact.subject)
    if fact.due:
        parts.append(t("tui.due", when=when(fact.due, today)))
    parts.append(when(fact.last_seen or fact.created_at, today))
    if fact.support > 1:
        parts.append(t("tui.times_said", count=fact.support))
    return " · ".join(part for part in parts if part)


def episode_rows(episodes: Iterable[Episode], today: date, last_day: date | None = None) -> list[Row]:
    """Return a timeline with a heading for each day; `last_day` is the day of the row above the first."""
    rows: list[Row] = []
    day = last_day
    for episode in episodes:
        at = moment(episode.created_at)
        if at is not None and at.date() != day:
            day = at.date()
            rows.append(Row("", day_name(day, today)))
        clock = at.strftime("%H:%M") if at is not None else ""
        name = t("tui.summary") if episode.kind == "summary" else t("tui.turn")
        rows.append(
            Row(episode.id, shown(episode.text), f"{clock} · {name}", "Σ" if episode.kind == "summary" else "", 2)
        )
    return rows


def message_rows(messages: Iterable[Message], today: date) -> list[Row]:
    """Return the messages in the model's window."""
    return [
        Row(message.id, shown(message.content), f"{speaker(message)} · {when(message.created_at, today)}", height=2)
        for message in messages
    ]


def speaker(message: Message) -> str:
    """Return who says a message."""
    return message.name or t(f"tui.role_{message.role}")


def session_rows(sessions: Iterable[Session], today: date) -> list[Row]:
    """Return conversations: pinned ones, then by day."""
    rows: list[Row] = []
    for heading, group in groupby(sessions, key=lambda session: _session_heading(session, today)):
        rows.append(Row("", heading))
        rows.extend(
            Row(session.id, session.title or t("tui.untitled"), mark=PINNED if session.pinned else "")
            for session in group
        )
    return rows


def _session_heading(session: Session, today: date) -> str:
    if session.pinned:
        return t("tui.pinned")
    at = moment(session.updated_at)
    return day_name(at.date(), today) if at is not None else ""


def hit_rows(hits: Iterable[SearchHit], today: date) -> list[Row]:
    """Return the results of a search over everything."""
    return [
        Row(hit.id, shown(hit.text), f"{t(f'tui.layer_{hit.layer}')} · {when(hit.created_at, today)}", height=2)
        for hit in hits
    ]


def item_card(item: RecalledItem) -> Card:
    """Return a recalled item as a card."""
    return Card(item.id, item.kind, item.text, item.created_at)


def record_card(record: Fact | Episode) -> Card:
    """Return a stored fact or episode as a card."""
    if isinstance(record, Fact):
        return Card(record.id, "fact", record.text, record.last_seen or record.created_at)
    return Card(record.id, record.kind, record.text, record.created_at)
