"""A program that is killed in the middle of an erase: the next one finishes it."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from desk_assistant.paths import Locations
from tests.erase.conftest import Opener, fact_about, import_lines
from tests.erase.search import everywhere, in_database

WORD = "zarbolune"
ROOT = Path(__file__).parents[2]

PROGRAM = """
import asyncio, os, signal, sys
from desk_assistant.assistant import Assistant
from desk_assistant.index import IndexClient, IndexSetup
from desk_assistant.paths import Locations
from desk_assistant.store import Store
from tests.scripted import ScriptedLlm

root, fact, moment = sys.argv[1:]

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

async def die_at_work(self, ids):
    work = asyncio.ensure_future(self._ask("erase", ids=list(ids)))
    await asyncio.sleep(0.03)
    os.kill(self.worker.pid, signal.SIGKILL)
    die()

async def main():
    locations = Locations.find(root)
    index = IndexClient(IndexSetup(locations.index, None, ""), log=locations.logs / "index.log")
    assistant = Assistant.open(locations, llm=ScriptedLlm(), index=index)
    await index.open()
    if moment == "before the index":
        IndexClient.erase = die
    elif moment == "in the index":
        IndexClient.erase = die_at_work
    else:
        Store.scrub = die
    await assistant.memory.erase_now(await assistant.memory.forget([fact], undo_seconds=0))

asyncio.run(main())
"""


@pytest.mark.parametrize("moment", ["before the index", "in the index", "before the database file"])
async def test_the_next_start_completes_it(
    open_real: Opener, locations: Locations, tmp_path: Path, moment: str
) -> None:
    first = open_real()
    await first.start(llm=False)
    await import_lines(first, tmp_path, "talk", [f"I'm allergic to {WORD}.", *(f"Crate {n}." for n in range(60))])
    fact = await fact_about(first, WORD)
    await first.close()
    assert in_database(locations.database, WORD)
    killed = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(locations.root), fact.id, moment], cwd=ROOT, timeout=120, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    second = open_real()
    await second.start(llm=False)
    await second.memory.settle()
    assert second.store.outbox.pending() == {}
    assert await second.memory.facts(None) == []
    await second.close()
    assert everywhere(locations, WORD) == []
