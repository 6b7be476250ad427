"""Several programs at once on one profile: the app's core, the service and two writers like the command line."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from desk_assistant.errors import DeskError
from desk_assistant.paths import Locations
from tests.trust.kill_paths import opened
from tests.trust.killing import Ledger

PROGRAMS: Final = ("app", "service", "shell one", "shell two")


@dataclass(frozen=True)
class Hammered:
    """What came of it.

    Attributes:
        writes: Acknowledged by any of the programs.
        lost: Of these, not there afterwards.
        doubled: There more than once.
        refused: Calls that ended with an error, such as a locked database.
        bumped: How often one number was raised by one, by all programs together.
        number: What it stands at in the end.
        seen: Changes by other programs that were announced in the open app.
    """

    writes: int
    lost: int
    doubled: int
    refused: int
    bumped: int
    number: int
    seen: int


def hammer(folder: Path, seconds: float) -> Hammered:
    """Let four programs write to one profile for some seconds.

    Each remembers statements, and raises one shared number inside a transaction: read, add one, write back. A lost
    update shows in the number.
    """
    locations = Locations.find(folder / "data")
    locations.ensure()
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.trust.hammering"])
    programs = [context.Process(target=_program, args=(name, folder, seconds), daemon=True) for name in PROGRAMS]
    for program in programs:
        program.start()
    for program in programs:
        program.join(seconds * 10 + 120)
        assert program.exitcode == 0, "a program is stuck or has failed"
    return asyncio.run(_outcome(locations, folder))


async def _outcome(locations: Locations, folder: Path) -> Hammered:
    lines = [line.partition("\t") for name in PROGRAMS for line in Ledger(folder / name).lines()]
    counts = Counter(kind for kind, _, _ in lines)
    written = [text for kind, _, text in lines if kind == "wrote"]
    async with opened(locations) as assistant:
        said = Counter(m.content for batch in assistant.store.transcripts.walk() for m in batch)
        number = int(assistant.store.meta.get("number") or 0)
    return Hammered(
        writes=len(written),
        lost=sum(not said[text] for text in written),
        doubled=sum(said[text] - 1 for text in written if said[text]),
        refused=counts["refused"],
        bumped=counts["bumped"],
        number=number,
        seen=counts["seen"],
    )


def _program(name: str, folder: Path, seconds: float) -> None:
    asyncio.run(_write(name, folder, seconds))


async def _write(name: str, folder: Path, seconds: float) -> None:
    ledger = Ledger(folder / name)
    async with opened(Locations.find(folder / "data")) as assistant:
        store = assistant.store
        assistant.memory.on_change(lambda: ledger.write("seen\t"))
        until, number = time.monotonic() + seconds, 0
        while time.monotonic() < until:
            number += 1
            text = f"The lantern of {name} number {number} hangs in the hall."
            try:
                await assistant.memory.add(text)
                ledger.write(f"wrote\t{text}")
                with store.transaction():
                    store.meta.set("number", str(int(store.meta.get("number") or 0) + 1))
                ledger.write("bumped\t")
            except DeskError as error:
                ledger.write(f"refused\t{error.key}")
            await asyncio.sleep(0)
