"""A program of its own that forgets one record and kills itself, or its index child, in the middle of the erase."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

from desk_assistant.paths import Locations

MOMENTS: Final = ("before the index", "in the index", "before the database file")
_ROOT: Final = Path(__file__).parents[2]
_PROGRAM: Final = """
import asyncio, os, signal, sys
from pathlib import Path
from desk_assistant.assistant import Assistant
from desk_assistant.index import IndexClient, IndexSetup
from desk_assistant.paths import Locations
from desk_assistant.store import Store
from tests.scripted import ScriptedLlm

root, fact, moment, pause, model, name = sys.argv[1:]

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

async def die_at_work(self, ids):
    work = asyncio.ensure_future(self._ask("erase", ids=list(ids)))
    await asyncio.sleep(float(pause))
    os.kill(self.worker.pid, signal.SIGKILL)
    die()

async def main():
    locations = Locations.find(root)
    setup = IndexSetup(locations.index, Path(model) if model else None, name)
    index = IndexClient(setup, log=locations.logs / "index.log")
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


def forget_and_die(
    locations: Locations, fact: str, moment: str, *, pause: float = 0.03, model: Path | None = None, name: str = ""
) -> int:
    """Run the program and return how it ended, which is `-SIGKILL`.

    Args:
        locations: The profile, which no other program has open.
        fact: Id of the record.
        moment: One of `MOMENTS`.
        pause: Seconds into the work of the index, for "in the index".
        model: Folder of the embedding model; None for full text alone.
        name: Its id.
    """
    arguments = [str(locations.root), fact, moment, str(pause), str(model or ""), name]
    done = subprocess.run([sys.executable, "-c", _PROGRAM, *arguments], cwd=_ROOT, timeout=600, check=False)
    return done.returncode


KILLED: Final = -signal.SIGKILL
