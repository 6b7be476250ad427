"""The outbox: background work that must survive a crash, shared safely by several programs."""

from __future__ import annotations

import os
import secrets
import sys
import time
from collections.abc import Iterable
from typing import Final

from desk_assistant.store.database import Database
from desk_assistant.store.records import Job

LEASE_SECONDS: Final = 120.0
LONGEST_PAUSE: Final = 86_400.0
"""Seconds for which work is put off at most. What seems to wait longer was put off before the clock was set back."""

_LIVING: Final[set[str]] = set()
"""Owners of leases in this very process."""

RETRY_SECONDS: Final = (1.0, 5.0, 30.0, 300.0)


class Outbox:
    """A queue of jobs in the database, written in the same transaction as what they follow from.

    A job is claimed under a lease: if its program dies, another takes it up when the lease ends. There is one job for
    each kind and thing, so asking twice is harmless.
    """

    def __init__(self, database: Database) -> None:
        self._db = database
        self._owner = f"{os.getpid()}-{secrets.token_hex(4)}"
        _LIVING.add(self._owner)

    def retire(self) -> None:
        """Give up all leases: this program goes, and the next need not wait for their end."""
        _LIVING.discard(self._owner)

    def put(self, kind: str, refs: Iterable[str], payload: str | None = None, *, not_before: float = 0.0) -> None:
        """Add jobs, due at once or at `not_before` (seconds since 1970); one that waits already is made due anew."""
        with self._db.transaction():
            for ref in refs:
                self._db.execute(
                    """INSERT INTO outbox (kind, ref, payload, not_before) VALUES (?, ?, ?, ?)
                       ON CONFLICT (kind, ref) DO UPDATE SET payload = excluded.payload, attempts = 0,
                       not_before = excluded.not_before, leased_until = 0, lease_owner = NULL""",
                    (kind, ref, payload, not_before),
                )

    def claim(self, kinds: Iterable[str], limit: int) -> list[Job]:
        """Take up to `limit` due jobs of one of the kinds, oldest first, under a lease."""
        wanted = list(kinds)
        now = time.time()
        marks = ",".join("?" * len(wanted))
        with self._db.transaction():
            self._free_the_dead(now)
            self._free_the_misdated(now)
            rows = self._db.rows(
                f"""SELECT * FROM outbox WHERE kind IN ({marks}) AND not_before <= ? AND leased_until <= ?
                    ORDER BY id LIMIT ?""",
                [*wanted, now, now, limit],
            )
            for row in rows:
                self._db.execute(
                    "UPDATE outbox SET leased_until = ?, lease_owner = ? WHERE id = ?",
                    (now + LEASE_SECONDS, self._owner, row["id"]),
                )
        return [Job(row["id"], row["kind"], row["ref"], row["payload"], row["attempts"]) for row in rows]

    def _free_the_dead(self, now: float) -> None:
        """End the leases of programs that are gone, so that what they left is taken up at the next start."""
        for row in self._db.rows("SELECT DISTINCT lease_owner FROM outbox WHERE leased_until > ?", (now,)):
            if not _lives(row[0]):
                self._db.execute(
                    "UPDATE outbox SET leased_until = 0, lease_owner = NULL WHERE lease_owner = ?", (row[0],)
                )

    def _free_the_misdated(self, now: float) -> None:
        """Let what was put off by a clock that ran ahead be due: an erase must not wait a year for its time to undo."""
        self._db.execute(
            "UPDATE outbox SET not_before = 0 WHERE not_before > ? AND leased_until <= ?", (now + LONGEST_PAUSE, now)
        )

    def done(self, jobs: Iterable[Job]) -> None:
        """Remove finished jobs, unless one was asked for again meanwhile."""
        with self._db.transaction():
            for job in jobs:
                self._db.execute("DELETE FROM outbox WHERE id = ? AND lease_owner = ?", (job.id, self._owner))

    def failed(self, jobs: Iterable[Job]) -> None:
        """Give jobs back to be tried again later, each time after a longer pause."""
        with self._db.transaction():
            for job in jobs:
                pause = RETRY_SECONDS[min(job.attempts, len(RETRY_SECONDS) - 1)]
                self._db.execute(
                    """UPDATE outbox SET attempts = attempts + 1, not_before = ?, leased_until = 0, lease_owner = NULL
                       WHERE id = ? AND lease_owner = ?""",
                    (time.time() + pause, job.id, self._owner),
                )

    def retry(self) -> None:
        """Let the jobs that failed be due at once: a program that starts, or that is asked, finds things changed."""
        with self._db.transaction():
            now = time.time()
            self._db.execute("UPDATE outbox SET not_before = 0 WHERE attempts > 0 AND leased_until <= ?", (now,))

    def release(self, jobs: Iterable[Job]) -> None:
        """Give jobs back at once: they were interrupted, not failed."""
        with self._db.transaction():
            for job in jobs:
                self._db.execute(
                    "UPDATE outbox SET leased_until = 0, lease_owner = NULL WHERE id = ? AND lease_owner = ?",
                    (job.id, self._owner),
                )

    def hold(self, payload: str, until: float) -> None:
        """Let the jobs of a payload that wait for their time wait until `until` (seconds since 1970)."""
        with self._db.transaction():
            self._db.execute(
                "UPDATE outbox SET not_before = ? WHERE payload = ? AND not_before > ? AND lease_owner IS NULL",
                (until, payload, time.time()),
            )

    def hurry(self, kind: str, refs: Iterable[str]) -> None:
        """Let waiting jobs be due at once. Those that a program is at, and those that are done, are left alone."""
        with self._db.transaction():
            for ref in refs:
                self._db.execute(
                    "UPDATE outbox SET not_before = 0, attempts = 0 WHERE kind = ? AND ref = ? AND leased_until <= ?",
                    (kind, ref, time.time()),
                )

    def free(self, payload: str) -> None:
        """Let the jobs of a payload that wait for their time be due at once, in the order of their messages' times.

        Jobs are done in the order of their ids, and what was said later must be learnt later.
        """
        with self._db.transaction():
            waiting = self._db.rows(
                """SELECT o.kind, o.ref FROM outbox o LEFT JOIN messages m ON m.id = o.ref
                   WHERE o.payload = ? AND o.not_before > ? AND o.lease_owner IS NULL
                   ORDER BY m.epoch, m.seq, o.id""",
                (payload, time.time()),
            )
            for kind, ref in waiting:
                self._db.execute("DELETE FROM outbox WHERE kind = ? AND ref = ?", (kind, ref))
                self._db.execute("INSERT INTO outbox (kind, ref, payload) VALUES (?, ?, ?)", (kind, ref, payload))

    def drop(self, kind: str, refs: Iterable[str]) -> None:
        """Remove jobs whose thing is gone."""
        with self._db.transaction():
            for ref in refs:
                self._db.execute("DELETE FROM outbox WHERE kind = ? AND ref = ?", (kind, ref))

    def refs(self, kind: str) -> set[str]:
        """Return the things that jobs of a kind wait for."""
        return {row[0] for row in self._db.rows("SELECT ref FROM outbox WHERE kind = ?", (kind,))}

    def leased(self, kind: str) -> set[str]:
        """Return the things of jobs of a kind that a program is at right now."""
        rows = self._db.rows("SELECT ref FROM outbox WHERE kind = ? AND leased_until > ?", (kind, time.time()))
        return {row[0] for row in rows}

    def next_due(self, kinds: Iterable[str]) -> float | None:
        """Return when the next job of the kinds is due (seconds since 1970), or None when there is none."""
        wanted = list(kinds)
        row = self._db.row(
            f"SELECT min(max(not_before, leased_until)) FROM outbox WHERE kind IN ({','.join('?' * len(wanted))})",
            wanted,
        )
        return None if row is None or row[0] is None else float(row[0])

    def busy(self, kinds: Iterable[str]) -> int:
        """Return how many jobs of the kinds a program that is alive is doing now."""
        wanted = list(kinds)
        rows = self._db.rows(
            f"SELECT lease_owner FROM outbox WHERE leased_until > ? AND kind IN ({','.join('?' * len(wanted))})",
            [time.time(), *wanted],
        )
        return sum(_lives(row[0]) for row in rows)

    def pending(self) -> dict[str, int]:
        """Return how many jobs wait, by kind."""
        return {row[0]: int(row[1]) for row in self._db.rows("SELECT kind, count(*) FROM outbox GROUP BY kind")}


def _lives(owner: str) -> bool:
    """Tell whether the program that holds a lease still runs; where nobody can tell, its lease decides."""
    number = owner.partition("-")[0]
    if not number.isdigit():
        return True
    if int(number) == os.getpid():
        return owner in _LIVING
    if sys.platform == "win32":
        return True  # there, asking for a process by `os.kill` would end it
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
