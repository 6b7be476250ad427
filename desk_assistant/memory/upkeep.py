"""Upkeep: what has not come up for long is offered for review, and what was never sure and never used steps aside.

Nothing is deleted here. An archived fact is out of recall and out of the prompt, still listed, and can be restored.
Pinned and hand-edited facts are never touched.
"""

from __future__ import annotations

import time
from typing import Final

from desk_assistant.memory.resolve import PENDING_BELOW
from desk_assistant.store import Fact, Store, epoch_of, now_iso

DAY: Final = 86_400.0
REVIEW_AFTER_DAYS: Final = 30
"""A fact neither said again, confirmed nor recalled for so long is offered for review."""

ARCHIVE_AFTER_DAYS: Final = 90
"""After so long unrecalled, a fact that never was sure is archived."""

ERRAND_DAYS: Final = 7
"""How long a task or appointment stays after its day has passed."""

BULK: Final = 10
"""From so many changes at once on, a backup is written first."""

PASSING: Final = frozenset({"task", "schedule"})
ARCHIVED: Final = "archived"
_LAST: Final = "upkeep_at"


class Upkeep:
    """Finds stale facts and archives what is past. Synchronous; writes through the store's transactions.

    Args:
        store: The database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def is_due(self, now: float | None = None) -> bool:
        """Tell whether a day has passed since the last upkeep, by any program."""
        last = self._store.meta.get(_LAST)
        return last is None or (time.time() if now is None else now) - float(last) >= DAY

    def stale(self, now: float | None = None) -> list[Fact]:
        """Return the facts to review, longest untouched first."""
        moment = time.time() if now is None else now
        facts = [
            fact
            for fact in self._store.facts.all(("active", "pending"))
            if not _protected(fact) and moment - _touched(fact) > REVIEW_AFTER_DAYS * DAY
        ]
        return sorted(facts, key=_touched)

    def run(self, now: float | None = None) -> list[str]:
        """Archive what is past; returns the ids. Many at once are preceded by a backup."""
        moment = time.time() if now is None else now
        passing = [fact for fact in self._store.facts.all(("active", "pending")) if _is_past(fact, moment)]
        if len(passing) >= BULK:
            self._store.back_up("before-cleanup")
        with self._store.transaction():
            for fact in passing:
                self._store.facts.change(fact.id, actor="upkeep", action=ARCHIVED, status=ARCHIVED)
            ids = [fact.id for fact in passing]
            self._store.outbox.put("index", ids)
            self._store.audit.write("upkeep", ARCHIVED, "semantic", ids)
            self._store.meta.set(_LAST, str(moment))
        return ids

    def restore(self, fact_id: str) -> Fact:
        """Bring an archived fact back, as sure as it was.

        Raises:
            NotFoundError: There is no such fact.
        """
        with self._store.transaction():
            fact = self._store.facts.get(fact_id)
            changed = self._store.facts.change(
                fact_id,
                actor="person",
                action="restored",
                status="active" if fact.confidence >= PENDING_BELOW else "pending",
                last_seen=now_iso(),
            )
            self._store.outbox.put("index", [fact_id])
            self._store.audit.write("person", "restored", "semantic", [fact_id])
        return changed


def _protected(fact: Fact) -> bool:
    return fact.pinned or fact.edited


def _touched(fact: Fact) -> float:
    """Return when a fact was last said, confirmed or recalled."""
    return max(epoch_of(moment) for moment in (fact.last_seen, fact.last_access) if moment)


def _is_past(fact: Fact, now: float) -> bool:
    if _protected(fact):
        return False
    if fact.kind in PASSING and fact.due and len(fact.due) >= len("2026-05-11"):
        return now - epoch_of(fact.due) > (ERRAND_DAYS + 1) * DAY and now - _touched(fact) > ERRAND_DAYS * DAY
    unsure = fact.status == "pending" or fact.confidence < PENDING_BELOW
    return unsure and now - _touched(fact) > ARCHIVE_AFTER_DAYS * DAY
