"""Jobs that failed wait longer each time, but not longer than until the program is started or asked again."""

from __future__ import annotations

import time

from desk_assistant.paths import Locations
from desk_assistant.store import Store


def test_failed_jobs_are_due_again_and_others_keep_their_time(locations: Locations) -> None:
    store = Store(locations.database, locations.backups)
    store.outbox.put("erase", ["f_1"])
    store.outbox.put(
        "erase", ["f_2"], not_before=time.time() + 600
    )  # hidden, and to be brought back for some seconds yet
    for _ in range(3):
        store.outbox.retry()
        (job,) = store.outbox.claim(["erase"], 10)
        store.outbox.failed([job])
        assert store.outbox.claim(["erase"], 10) == []
    store.outbox.retry()
    assert [job.ref for job in store.outbox.claim(["erase"], 10)] == ["f_1"]
    store.outbox.retry()  # a job that a program is at is not taken from it
    assert store.outbox.claim(["erase"], 10) == []
    store.close()
