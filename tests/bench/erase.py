"""Measures an erase: one memory among ten thousand, by the real index child, until every byte was looked through."""

from __future__ import annotations

import asyncio
import gc
import json
import tempfile
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from desk_assistant.index.client import IndexClient, IndexSetup
from desk_assistant.memory.service import Memory
from desk_assistant.paths import Locations
from desk_assistant.privacy import PrivacyGate
from desk_assistant.settings import Settings
from desk_assistant.store import Message, Store, new_id
from tests.bench import Row, at_most, told

MESSAGES: Final = 10_000
BATCH: Final = 500
CANARY: Final = "zarbolune"
SECONDS_LIMIT: Final = 15.0
STALL_P99: Final = 50.0
"""Milliseconds that the app's event loop may be held up by the erase, 99 times in a hundred."""
STALL_MOST: Final = 150.0
IDLE_SECONDS: Final = 3.0
"""How long the loop is watched with nothing going on: what the machine itself holds it up."""


def rows() -> Iterable[Row]:
    """Yield all figures."""
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_measure(Locations.find(folder)))


async def _measure(locations: Locations) -> list[Row]:
    locations.ensure()
    store = Store(locations.database, locations.backups)
    index = IndexClient(IndexSetup(locations.index, None, ""), log=locations.logs / "index.log")
    memory = Memory(store, index, Settings.load(locations.settings), locations, PrivacyGate)
    try:
        fill(store)
        began = time.perf_counter()
        await memory.settle()
        filled = time.perf_counter() - began
        # As the app does once it is open: else the collector goes through all modules when an erase reads many records,
        # and holds every thread up for as long, 35 ms at rest and some 115 on a busy machine.
        gc.collect()
        gc.freeze()
        (fact,) = await memory.facts(query=CANARY)
        idle, watch = _watched()
        await asyncio.sleep(IDLE_SECONDS)
        watch.cancel()
        before = _stamps(locations.home)
        stalls, watch = _watched()
        began = time.perf_counter()
        report = await memory.erase_now(await memory.forget([fact.id], undo_seconds=0))
        seconds = time.perf_counter() - began
        watch.cancel()
        after = _stamps(locations.home)
        rewritten = sum(size for path, (size, stamp) in after.items() if before.get(path, (0, 0))[1] != stamp)
        began = time.perf_counter()
        check = await memory.check_forgotten()
        checked = time.perf_counter() - began
        everything = await memory.choose.everything()
        began = time.perf_counter()
        last = await memory.erase_now(await memory.forget(everything.ids, undo_seconds=0))
        all_gone = time.perf_counter() - began
    finally:
        await memory.stop()
        await index.close()
        store.close()
    total = sum(size for size, _ in after.values())
    return [
        told(f"remembering {MESSAGES:,} messages first", filled, "s"),
        at_most(f"erase of one memory among {MESSAGES:,}", seconds, "s", SECONDS_LIMIT),
        told("bytes rewritten by it", rewritten / 1e6, "MB"),
        told("bytes of the profile after it", total / 1e6, "MB"),
        told("stall of the app with nothing going on, p99", _share(idle, 0.99), "ms"),
        told("the longest of those", _share(idle, 1), "ms"),
        at_most("stall of the app during the erase, p99", _share(stalls, 0.99), "ms", STALL_P99),
        at_most("the longest of those", _share(stalls, 1), "ms", STALL_MOST),
        at_most("files and records that still hold it", len(report.leftovers) + len(check.records), "", 0),
        told("looking through the profile for what was forgotten", checked, "s"),
        Row(f"erase of all {MESSAGES:,}", all_gone, "s", "", last.verified),
    ]


def fill(store: Store) -> None:
    """Write `MESSAGES` messages into several sessions, one of which says `CANARY`, and leave them to be remembered."""
    transcripts = store.transcripts
    numbers = iter(range(MESSAGES))
    for first in range(0, MESSAGES, BATCH):
        session = transcripts.create_session(f"s{first}", at="2026-05-11T09:00:00").id
        head: str | None = None
        with store.transaction():
            for number in (next(numbers) for _ in range(BATCH)):
                text = f"Crate {number} came by the ferry of dock {number % 97} and holds {number * 7 % 1013} lamps."
                if number == MESSAGES // 2:
                    text = f"I'm allergic to {CANARY}."
                recalled = json.dumps({"items": [{"id": f"e_{number}"}]}) if number % 2 else None
                message = Message(
                    new_id("message"), session, "assistant" if number % 2 else "user", text, "2026-05-11T09:00:00",
                    parent_id=head, recalled=recalled,
                )  # fmt: skip
                head = transcripts.append(message).id
                store.outbox.put("remember", [message.id])


def _watched() -> tuple[list[float], asyncio.Task[None]]:
    """Return a growing list of how late the event loop was, and the task that measures it."""
    late: list[float] = []

    async def watch() -> None:
        while True:
            began = time.perf_counter()
            await asyncio.sleep(0.01)
            late.append(time.perf_counter() - began - 0.01)

    return late, asyncio.create_task(watch())


def _share(late: list[float], share: float) -> float:
    """The value in milliseconds below which `share` of them are."""
    ordered = sorted(late) or [0.0]
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))] * 1000


def _stamps(folder: Path) -> dict[Path, tuple[int, int]]:
    def files() -> Iterator[Path]:
        return (path for path in folder.rglob("*") if path.is_file())

    return {path: (path.stat().st_size, path.stat().st_mtime_ns) for path in files()}
