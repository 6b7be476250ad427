"""Measures what a long bilingual talk leaves behind: are the facts right, are they all there, do they cite their words.

The 200 messages of `soak.tsv` hold facts, changes, questions, requests, fiction and small talk; `soak_second.tsv` was
written by somebody who had not looked at the rules. They go through the import and the whole write path of the running
assistant, with its models, twice: the second time must change nothing.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from desk_assistant.assistant import Assistant
from desk_assistant.assistant.importer import Importer
from desk_assistant.memory.service import Memory
from desk_assistant.paths import Locations
from desk_assistant.privacy import PrivacyGate
from desk_assistant.store import Fact
from tests.bench import Row, at_least, at_most, told

TALKS: Final = {"first talk": "soak.tsv", "second talk": "soak_second.tsv"}
LEAST_PRECISION: Final = 0.95
LEAST_RECALL: Final = 0.85


def rows() -> Iterable[Row]:
    """Yield the figures."""
    for name, file in TALKS.items():
        yield from _figures(name, Path(__file__).with_name(file))


def _figures(name: str, talk: Path) -> Iterable[Row]:
    said, wanted = _talk(talk)
    with tempfile.TemporaryDirectory() as folder:
        first, second, spans, models = asyncio.run(_live_through(said, Path(folder)))
    lines = [_line(fact) for fact in first]
    missing = [p for p in wanted if not any(re.search(p, line) for line in lines)]
    wrong = [line for line in lines if not any(re.search(p, line) for p in wanted)]
    for text in (f"with {models}", *(f"missing: {p}" for p in missing), *(f"not expected: {line}" for line in wrong)):
        print(f"  {name}: {text}")
    yield told(f"{name}: messages", len(said), "")
    yield at_least(f"{name}: precision of active facts", 1 - len(wrong) / len(lines), "share", LEAST_PRECISION)
    yield at_least(f"{name}: recall of expected facts", 1 - len(missing) / len(wanted), "share", LEAST_RECALL)
    yield at_most(f"{name}: facts whose words are not where they point", len(first) - spans, "", 0)
    changed = set(map(_line, first)) ^ set(map(_line, second))
    yield at_most(f"{name}: facts that a second import changes", len(changed), "", 0)
    yield at_most(f"{name}: rows that a second import adds", len(second) - len(first), "", 0)


def _talk(talk: Path) -> tuple[list[str], list[str]]:
    said: list[str] = []
    wanted: list[str] = []
    for line in talk.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            message, patterns = line.split("\t")
            said.append(message)
            wanted += [] if patterns == "-" else patterns.split(" ;; ")
    return said, wanted


async def _live_through(said: list[str], folder: Path) -> tuple[list[Fact], list[Fact], int, str]:
    """Import the talk twice; return the active facts after each time, how many cite their words, and the models."""
    locations = Locations.find(folder / "data")
    locations.ensure()
    file = folder / "talk.jsonl"
    file.write_text(
        "".join(
            json.dumps(
                {
                    "session": "soak",
                    "id": str(number),
                    "role": "user",
                    "content": message,
                    "time": f"2026-05-{11 + number // 40:02d}T09:{number % 40:02d}:00",
                },
                ensure_ascii=False,
            )
            + "\n"
            for number, message in enumerate(said)
        ),
        encoding="utf-8",
    )
    running = Assistant.open(locations)
    try:
        await running.start(llm=True, index=True)
        await _started(running)
        memory = running.memory
        states: list[list[Fact]] = []
        for _ in range(2):
            Importer(running.store, PrivacyGate()).run(file)
            await memory.settle()
            states.append(await memory.facts(("active",)))
        spans = sum([await _is_grounded(memory, fact) for fact in states[0]])
        models = f"{running.status.llm.detail or running.status.llm.state} and embeddings {running.status.index.state}"
        return states[0], states[1], spans, models
    finally:
        await running.close()


async def _started(running: Assistant) -> None:
    """Wait until the models are loaded or have failed."""
    changed = asyncio.Event()
    unsubscribe = running.on_status(lambda _status: changed.set())
    try:
        while "starting" in (running.status.llm.state, running.status.index.state):
            changed.clear()
            await changed.wait()
    finally:
        unsubscribe()


async def _is_grounded(memory: Memory, fact: Fact) -> bool:
    sources = await memory.sources(fact.id)
    return bool(sources) and all(
        span is not None and 0 <= span[0] < span[1] <= len(message.content) for message, span in sources
    )


def _line(fact: Fact) -> str:
    return f"{fact.subject} {fact.predicate} {fact.object} | {fact.text}"
