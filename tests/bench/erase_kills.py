"""Kills an erase at many moments drawn by lot and looks, after the next start, whether it came to its end.

A profile is written once and copied for every trial. A program of its own forgets a fact, a message and a whole
conversation in the copy and is killed somewhere between its first step and its last: alone, or together with its index
child. The next start must leave exactly what an erase leaves that nobody disturbed, and no byte of the words.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from desk_assistant.assistant import Assistant
from desk_assistant.index import IndexClient, IndexSetup
from desk_assistant.paths import Locations
from tests.bench import Row, at_least, at_most, told
from tests.erase.search import everywhere
from tests.scripted import ScriptedLlm

TRIALS: Final = 72
ROWS: Final = 300
SEED: Final = 20261
WORDS: Final = ("zarbolune", "quovadrix", "fimblethorn", "drovenpike")
"""In a fact, in a message that no fact rests on, in an answer, and in a conversation that goes as a whole."""

_ROOT: Final = Path(__file__).parents[2]
_PROGRAM: Final = """
import asyncio, sys
from tests.bench.erase_kills import opened
from desk_assistant.paths import Locations

async def main():
    assistant = opened(Locations.find(sys.argv[1]))
    await assistant.start(llm=False)
    while assistant.status.index.state != "ready":
        await asyncio.sleep(0.01)
    print("erasing", flush=True)
    memory = assistant.memory
    await memory.erase_now(await memory.forget(sys.argv[2:], undo_seconds=0))
    print("erased", flush=True)
    await assistant.close()

asyncio.run(main())
"""

State = dict[str, list[tuple[object, ...]]]


def rows() -> Iterable[Row]:
    """Yield all figures."""
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_measure(Path(folder)))


def opened(locations: Locations) -> Assistant:
    """Return the profile with its real index child and a model that answers from a script."""
    index = IndexClient(IndexSetup(locations.index, None, ""), log=locations.logs / "index.log")
    llm = ScriptedLlm((f"The {WORDS[2]} stands beside the {WORDS[1]}.", "Understood."))
    return Assistant.open(locations, llm=llm, index=index)


async def _measure(folder: Path) -> list[Row]:
    base = folder / "base"
    ids = await _write(Locations.find(base), folder)
    whole = folder / "whole"
    shutil.copytree(base, whole)
    seconds = _erase(whole, ids, after=None)[1]
    wanted, faults = await _after(Locations.find(whole))
    lots = random.Random(SEED)
    outcomes: dict[str, int] = {}
    bad = [f"undisturbed: {fault}" for fault in faults]
    for number in range(TRIALS):
        copy = folder / f"trial-{number}"
        shutil.copytree(base, copy)
        moment, together = lots.uniform(0.0, seconds), lots.random() < 0.5
        killed = _erase(copy, ids, after=moment, together=together)[0]
        outcomes[killed] = outcomes.get(killed, 0) + 1
        state, faults = await _after(Locations.find(copy))
        faults += [f"{table} differs" for table in wanted if state[table] != wanted[table]]
        for fault in faults:
            bad.append(f"{moment:.3f} s, {'both' if together else 'alone'}: {fault}")
            print(bad[-1], file=sys.stderr, flush=True)
        shutil.rmtree(copy)
    return [
        told("an erase that nobody disturbs", seconds, "s"),
        at_least("killed before it was through", outcomes.get("killed", 0), "", 50),
        told("through before the kill came", outcomes.get("through", 0), ""),
        at_most("faults after the next start", len(bad), "", 0),
    ]


async def _write(locations: Locations, folder: Path) -> list[str]:
    """Write the profile; return what is to be forgotten in it."""
    fact, message, _, session = WORDS
    locations.ensure()
    assistant = opened(locations)
    await assistant.start(llm=False)
    lines = [f"Line {number}: the ferry left at dawn with {number} crates." for number in range(ROWS)]
    await _import(assistant, folder, "filler", lines)
    await _import(assistant, folder, "talk", [f"We met {session} at the fair.", "My favourite tea is sencha."])
    conversation = assistant.conversation()
    for text in (f"The brass {message} hangs by the door.", f"I'm allergic to {fact}.", "I decided to paint the shed."):
        async for _ in assistant.send(conversation, text):
            pass
    await assistant.end_session(conversation)
    await assistant.memory.settle()
    (allergy,) = await assistant.memory.facts(query=fact)
    said = next(m for m in conversation.messages if message in m.content and m.role == "user")
    await assistant.close()
    assert all(everywhere(locations, word) for word in WORDS)
    return [allergy.id, said.id, "talk"]


async def _import(assistant: Assistant, folder: Path, session: str, lines: list[str]) -> None:
    source = folder / f"{session}.jsonl"
    told_by = [{"session": session, "id": f"{session}-{n}", "role": "user", "content": t} for n, t in enumerate(lines)]
    source.write_text("\n".join(map(json.dumps, told_by)), encoding="utf-8")
    await assistant.imports.run(source)


def _erase(root: Path, ids: list[str], *, after: float | None, together: bool = False) -> tuple[str, float]:
    """Run the erase; kill it `after` so many seconds. Returns how it ended, and the seconds it took."""
    command = [sys.executable, "-c", _PROGRAM, str(root), *ids]
    with subprocess.Popen(command, cwd=_ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "erasing\n"
        began = time.monotonic()
        if after is not None:
            time.sleep(after)
            if together:
                os.killpg(program.pid, signal.SIGKILL)
            else:
                program.kill()
        through = program.stdout.readline() == "erased\n"
        seconds = time.monotonic() - began
        program.wait()
    return "through" if through else "killed", seconds


async def _after(locations: Locations) -> tuple[State, list[str]]:
    """Open the profile anew and let it finish; return what it holds then, and what is wrong with it."""
    assistant = opened(locations)
    await assistant.start(llm=False)
    await assistant.memory.settle()
    store, faults = assistant.store, []
    state: State = {
        "facts": sorted((f.id, f.text, f.status) for batch in store.facts.walk() for f in batch),
        "messages": sorted((m.id, m.content, m.parent_id) for batch in store.transcripts.walk() for m in batch),
        "episodes": sorted((e.id, e.text, e.lexical) for batch in store.episodes.walk() for e in batch),
        "sessions": sorted((s.id, s.title, s.head_id) for s in store.transcripts.sessions(ROWS)),
        "marks": sorted((mark,) for mark in store.tombstones.since()),
    }
    if waiting := store.outbox.pending():
        faults.append(f"waiting: {waiting}")
    if differing := await assistant.memory.reconcile():
        faults.append(f"the index differs in {differing} records")
    check = await assistant.memory.check_forgotten()
    if not check.clean:
        faults.append(f"found again: {check}")
    await assistant.close()
    return state, faults + [f"{word} in {where}" for word in WORDS for where in everywhere(locations, word)]
