"""Kills programs with SIGKILL while they write, and compares what they had acknowledged with what is there afterwards.

Each program keeps a ledger outside the profile: one synced line a write, put down after the write was acknowledged and
before the next begins. So whatever is in the ledger must be in the profile, whenever the kill comes.
"""

from __future__ import annotations

import asyncio
import contextlib
import multiprocessing
import os
import random
import time
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from desk_assistant.paths import Locations

WAIT_SECONDS: Final = 120.0
"""For the first acknowledged write of a program, on a machine that is busy with other things."""

Acknowledge = Callable[[str], None]


@dataclass(frozen=True)
class Run:
    """One program's run on a path.

    Attributes:
        locations: The profile.
        number: Which run it is, from 0.
        folder: For files beside the profile.
        acknowledge: Puts a line into the ledger.
    """

    locations: Locations
    number: int
    folder: Path
    acknowledge: Acknowledge


@dataclass(frozen=True)
class Verdict:
    """What was found after a kill: how many acknowledged writes were not there, and how many things were twice."""

    lost: int = 0
    doubled: int = 0


@dataclass(frozen=True)
class KillPath:
    """One way to write.

    Attributes:
        name: For people.
        work: Writes until it is killed. It runs in a process of its own.
        check: Compares a profile with all lines of the ledger; the last one may have been followed by one write more.
        prepare: Sets the profile up first.
    """

    name: str
    work: Callable[[Run], Coroutine[Any, Any, None]]
    check: Callable[[Run, Sequence[str]], Coroutine[Any, Any, Verdict]]
    prepare: Callable[[Run], Coroutine[Any, Any, None]] | None = None


@dataclass(frozen=True)
class Tally:
    """What came of all kills on one path."""

    name: str
    kills: int
    acknowledged: int
    lost: int
    doubled: int


class Ledger:
    """A file of acknowledged writes that no kill can take back."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def write(self, line: str) -> None:
        """Put down one line and wait until it is on the disk."""
        handle = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            os.write(handle, f"{line}\n".encode())
            os.fsync(handle)
        finally:
            os.close(handle)

    def lines(self) -> list[str]:
        """Return the complete lines."""
        with contextlib.suppress(FileNotFoundError):
            return self._path.read_text(encoding="utf-8").split("\n")[:-1]
        return []


def kill_often(path: KillPath, folder: Path, kills: int, seed: int = 1) -> Tally:
    """Kill one program after the other in the middle of its work and check the profile after each.

    Args:
        path: How they write.
        folder: An empty folder for the profile and the ledger.
        kills: How many.
        seed: The moments of the kills follow from it.
    """
    chance = random.Random(f"{seed} {path.name}")
    locations = Locations.find(folder / "data")
    locations.ensure()
    ledger = Ledger(folder / "ledger")
    if path.prepare is not None:
        asyncio.run(path.prepare(Run(locations, 0, folder, ledger.write)))
    lost = doubled = done = 0
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.trust.kill_paths"])
    for number in range(kills):
        before = len(ledger.lines())
        program = context.Process(target=_program, args=(path, locations, number, folder), daemon=True)
        program.start()
        deadline = time.monotonic() + WAIT_SECONDS
        wanted = before + chance.randint(1, 3)
        while len(ledger.lines()) < wanted and program.is_alive() and time.monotonic() < deadline:
            time.sleep(0.002)
        time.sleep(chance.uniform(0, 0.03))
        assert program.is_alive(), f"{path.name}: the program ended by itself"
        program.kill()
        program.join()
        done += program.exitcode == -9
        verdict = asyncio.run(path.check(Run(locations, number, folder, ledger.write), ledger.lines()))
        lost, doubled = lost + verdict.lost, doubled + verdict.doubled
    return Tally(path.name, done, len(ledger.lines()), lost, doubled)


def _program(path: KillPath, locations: Locations, number: int, folder: Path) -> None:
    os.setsid()
    asyncio.run(path.work(Run(locations, number, folder, Ledger(folder / "ledger").write)))
