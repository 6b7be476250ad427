"""Measures what comes in and what is served: an export of a thousand conversations, and four clients at once."""

from __future__ import annotations

import asyncio
import os
import resource
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Final

import httpx2

from desk_assistant.assistant import Assistant
from desk_assistant.assistant.importer import Importer
from desk_assistant.index.client import IndexClient, IndexSetup
from desk_assistant.memory.service import Memory
from desk_assistant.paths import Locations
from desk_assistant.privacy import PrivacyGate
from desk_assistant.server.clients import Clients
from desk_assistant.server.running import over_http
from desk_assistant.settings import Settings
from desk_assistant.store import Store
from tests.bench import Row, at_least, at_most, told
from tests.importers.exports import NOON, gpt_line, write
from tests.scripted import ScriptedLlm, WordIndex

TALKS: Final = 1000
EXCHANGES: Final = 3
CLIENTS: Final = 4
LOAD_SECONDS: Final = 10.0
CANARY: Final = "zarbolune"
PLACES: Final = ("Oslo", "Kyoto", "Lima", "Turku", "Porto")
THINGS: Final = ("kiln", "lantern", "violin", "ledger", "kayak", "trellis", "compass")

CHILD: Final = """
import sys
from pathlib import Path
from desk_assistant.assistant.importer import Importer
from desk_assistant.paths import Locations
from desk_assistant.privacy import PrivacyGate
from desk_assistant.store import Store
found = Locations.find(sys.argv[1]); found.ensure()
store = Store(found.database, found.backups)
Importer(store, PrivacyGate()).run(Path(sys.argv[2]), lambda _p, done, _t: print(done, flush=True))
"""


def rows() -> Iterable[Row]:
    """Yield all figures."""
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_imported(Path(folder)))
    with tempfile.TemporaryDirectory() as folder:
        yield from asyncio.run(_served(Path(folder)))


def export(path: Path, talks: int = TALKS) -> Path:
    """Write a ChatGPT export, newest first as that program writes it."""
    found = []
    for number in range(talks, 0, -1):
        said = []
        for turn in range(EXCHANGES):
            thing, place = THINGS[(number + turn) % len(THINGS)], PLACES[number % len(PLACES)]
            word = f" It is called {CANARY}." if (number, turn) == (talks // 2, 0) else ""
            said.append(("user", f"My {thing} number {number}-{turn} came from {place}.{word} I like old {thing}s."))
            said.append(("assistant", f"Good to know about {number}-{turn}; shall we talk about the {thing}?"))
        found.append(gpt_line(f"c{number}", f"Talk {number}", said, at=NOON + number * 3600))
    return write(path, found)


async def _imported(folder: Path) -> list[Row]:
    path = export(folder / "conversations.json")
    messages = TALKS * EXCHANGES * 2
    locations = Locations.find(folder / "data")
    locations.ensure()
    kills = 0
    for share in (0.2, 0.5, 0.8):
        kills += _killed(locations, path, share)
    store = Store(locations.database, locations.backups)
    before = store.transcripts.count()[1]
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began, cpu = time.perf_counter(), time.process_time()
    resumed = Importer(store, PrivacyGate()).run(path)
    rest = time.perf_counter() - began, time.process_time() - cpu
    again = time.perf_counter()
    second = Importer(store, PrivacyGate()).run(path)
    again = time.perf_counter() - again
    refs = Counter((m.session_id, m.ref) for batch in store.transcripts.walk() for m in batch)
    store.close()

    fresh = Locations.find(folder / "fresh")
    fresh.ensure()
    store = Store(fresh.database, fresh.backups)
    began, cpu = time.perf_counter(), time.process_time()
    Importer(store, PrivacyGate()).run(path)
    stored = time.perf_counter() - began, time.process_time() - cpu
    index = IndexClient(IndexSetup(fresh.index, None, ""), log=fresh.logs / "index.log")
    memory = Memory(store, index, Settings.load(fresh.settings), fresh, PrivacyGate)
    try:
        began = time.perf_counter()
        await memory.settle()
        remembered = time.perf_counter() - began
        hit = (await memory.recall(f"What is called {CANARY}?")).items
    finally:
        await memory.stop()
        await index.close()
        store.close()
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - peak) / 1024
    return [
        told("size of the export", path.stat().st_size / 1e6, "MB"),
        told(f"storing {messages:,} messages of {TALKS:,} conversations", stored[0], "s"),
        told("the same in processor time", stored[1], "s"),
        told("remembering them and making them searchable by words", remembered, "s"),
        at_least("the one asked for is found", float(any(CANARY in item.text for item in hit)), "", 1),
        at_most("memory of the process grown by all that", grown, "MB", 150),
        at_least("imports killed in the middle", kills, "", 3),
        told("messages kept when the last kill came", before, ""),
        told("going on to the end", rest[0], "s"),
        at_most("messages missing after going on", messages - before - resumed.messages, "", 0),
        at_most("messages doubled", sum(count - 1 for count in refs.values()), "", 0),
        told("importing all of it again", again, "s"),
        at_most("messages added by that", second.messages, "", 0),
    ]


def _killed(locations: Locations, path: Path, share: float) -> int:
    process = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(locations.root), str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    for line in process.stdout:
        if int(line) >= share * path.stat().st_size:
            os.kill(process.pid, signal.SIGKILL)
            break
    return int(process.wait() == -signal.SIGKILL)


async def _served(folder: Path) -> list[Row]:
    locations = Locations.find(folder / "data")
    locations.ensure()
    assistant = Assistant.open(locations, llm=ScriptedLlm(), index=WordIndex())
    await assistant.start(llm=False)
    port: asyncio.Future[int] = asyncio.get_running_loop().create_future()
    clients = Clients(locations.home)
    tokens = [clients.allow(f"client{number}", writes=True) for number in range(CLIENTS)]
    serving = asyncio.create_task(over_http(assistant, 0, port.set_result))
    bound = await port
    done: Counter[str] = Counter()
    pools = [threading.Thread(target=_client, args=(bound, token, number, done)) for number, token in enumerate(tokens)]
    for pool in pools:
        pool.start()
    while any(pool.is_alive() for pool in pools):
        await asyncio.sleep(0.05)
    kept = assistant.store.transcripts.count()[1]
    serving.cancel()
    await asyncio.gather(serving, return_exceptions=True)
    await assistant.close()
    return [
        told(f"writes a second from {CLIENTS} clients", done["add 200"] / LOAD_SECONDS, "/s"),
        told("recalls a second beside them", done["recall 200"] / LOAD_SECONDS, "/s"),
        told("calls told to wait", done["add 429"] + done["recall 429"], ""),
        at_most(
            "calls neither served nor told to wait",
            sum(count for name, count in done.items() if not name.endswith((" 200", " 429"))),
            "",
            0,
        ),
        at_most("acknowledged writes lost or doubled", abs(kept - done["add 200"]), "", 0),
    ]


def _client(port: int, token: str, number: int, done: Counter[str]) -> None:
    mine: Counter[str] = Counter()
    headers = {"Authorization": f"Bearer {token}"}
    until = time.monotonic() + LOAD_SECONDS
    with httpx2.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=30, trust_env=False) as http:
        turn = 0
        while time.monotonic() < until:
            turn += 1
            text = f"The {THINGS[turn % len(THINGS)]} of shelf {number} carries the mark {number}-{turn}."
            mine[f"add {http.post('/v1/add', json={'text': text}).status_code}"] += 1
            for _ in range(2):
                answer = http.post("/v1/recall", json={"query": f"What carries the mark on shelf {number}?"})
                mine[f"recall {answer.status_code}"] += 1
    done.update(mine)
