"""Upkeep: what has not come up for long is offered for review, and what was never sure and never used steps aside.

Nothing is deleted here. An archived fact or turn is out of recall and out of the prompt, still listed, and can be
restored. What is pinned or hand-edited, and the turns it rests on, is never touched.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from desk_assistant.memory.resolve import PENDING_BELOW
from desk_assistant.memory.retention import Exchange, exchanges, over_capacity
from desk_assistant.settings import Settings
from desk_assistant.store import Episode, Fact, Store, epoch_of, now_iso

DAY: Final = 86_400.0
REVIEW_AFTER_DAYS: Final = 30
"""A fact neither said again, confirmed nor recalled for so long is offered for review."""

ARCHIVE_AFTER_DAYS: Final = 90
"""After so long unrecalled, a fact that never was sure is archived."""

ERRAND_DAYS: Final = 7
"""How long a task or appointment stays after its day has passed, and how long a request for one answer stays."""

NEW_DAYS: Final = 7
"""What was kept within so many days is not put aside by itself, however long ago it was said: an import brings old
talk, and the person wants to see it there."""

BULK: Final = 10
"""From so many changes at once on, a backup is written first."""

PASSING: Final = frozenset({"task", "schedule"})
ARCHIVED: Final = "archived"
_LAST: Final = "upkeep_at"


@dataclass(frozen=True)
class Archive:
    """What stepped aside.

    Attributes:
        facts: Archived facts, the most recently seen first.
        episodes: Archived turns, newest first.
    """

    facts: tuple[Fact, ...] = ()
    episodes: tuple[Episode, ...] = ()


class Upkeep:
    """Finds stale facts and archives what is past. Synchronous; writes through the store's transactions.

    Args:
        store: The database.
        settings: How much is kept, and for how long.
    """

    def __init__(self, store: Store, settings: Settings) -> None:
        self._store = store
        self._settings = settings

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

    def run(self, now: float | None = None, *, also_new: bool = False) -> list[str]:
        """Archive what is past; returns the ids. Many at once are preceded by a backup.

        Args:
            now: Seconds since 1970; the present when None.
            also_new: Put aside also what was kept only days ago; when the person asks for a clean-up.
        """
        moment = time.time() if now is None else now
        facts = [fact.id for fact in self._store.facts.all(("active", "pending")) if _is_past(fact, moment)]
        episodes = self._past_exchanges(moment, also_new=also_new)
        if len(facts) + len(episodes) >= BULK:
            self._store.back_up("before-cleanup")
        with self._store.transaction():
            self._set_aside(facts, episodes, "upkeep")
            self._store.meta.set(_LAST, str(moment))
        return facts + episodes

    def archive(self, fact_ids: Iterable[str]) -> list[Fact]:
        """Put facts aside because the person says so.

        Raises:
            NotFoundError: There is no such fact; nothing is changed.
        """
        ids = [self._store.facts.get(fact_id).id for fact_id in dict.fromkeys(fact_ids)]
        with self._store.transaction():
            self._set_aside(ids, [], "person")
        return [self._store.facts.get(fact_id) for fact_id in ids]

    def archived(self) -> Archive:
        """Return all that stepped aside."""
        return Archive(tuple(self._store.facts.all((ARCHIVED,))), tuple(self._store.episodes.archived()))

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

    def restore_episodes(self, episode_ids: Iterable[str]) -> list[Episode]:
        """Bring archived turns back into recall; they count as used now, so that they do not leave again at once.

        Raises:
            NotFoundError: There is no such episode; nothing is changed.
        """
        ids = [self._store.episodes.get(episode_id).id for episode_id in dict.fromkeys(episode_ids)]
        with self._store.transaction():
            self._store.episodes.set_archived(ids, False)
            self._store.episodes.touch(ids)
            self._store.outbox.put("index", ids)
            self._store.audit.write("person", "restored", "episodic", ids)
        return list(self._store.episodes.by_id(ids).values())

    def _set_aside(self, facts: list[str], episodes: list[str], actor: str) -> None:
        for fact_id in facts:
            self._store.facts.change(fact_id, actor=actor, action=ARCHIVED, status=ARCHIVED)
        self._store.episodes.set_archived(episodes, True)
        self._store.outbox.put("index", [*facts, *episodes])
        self._store.audit.write(actor, ARCHIVED, "semantic", facts)
        self._store.audit.write(actor, ARCHIVED, "episodic", episodes)

    def _past_exchanges(self, now: float, *, also_new: bool) -> list[str]:
        """Return the turns to archive: passing requests after a week, what is too old, what is too much."""
        most = self._settings.integer("memory.max_exchanges")
        oldest = self._settings.integer("memory.max_age_days")
        kept = exchanges(self._store.episodes.present(), self._protected_messages(), self._pinned_sessions())
        free = [e for e in kept if not e.protected and (also_new or now - e.stored > NEW_DAYS * DAY)]
        past = [
            e
            for e in free
            if (e.passing and now - e.touched > ERRAND_DAYS * DAY) or (oldest and now - e.touched > oldest * DAY)
        ]
        gone = {id(e) for e in past}
        left = [e for e in free if id(e) not in gone]
        past += over_capacity(left, len(kept) - len(past), most, now)
        return [episode_id for exchange in past for episode_id in exchange.episodes]

    def _protected_messages(self) -> set[str]:
        facts = self._store.facts.all(("active", "pending"))
        return {source.message_id for fact in facts if _protected(fact) for source in fact.sources}

    def _pinned_sessions(self) -> set[str]:
        return {session.id for session in self._store.transcripts.sessions() if session.pinned}


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


__all__ = ["Archive", "Exchange", "Upkeep"]
