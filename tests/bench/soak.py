"""Measures what a long bilingual talk leaves behind: are the facts right, are they all there, do they cite their words.

The 200 messages of `soak.tsv` hold facts, changes, questions, requests, fiction and small talk. They go through the
import and the whole write path, twice: the second time must change nothing.
"""

from __future__ import annotations

import asyncio
import json
import re
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from desk_assistant.assistant.importer import Importer
from desk_assistant.memory.service import Memory
from desk_assistant.paths import Locations
from desk_assistant.privacy import PrivacyGate
from desk_assistant.settings import Settings
from desk_assistant.store import Fact, Store
from tests.bench import Row, at_least, at_most, told

TALK: Final = Path(__file__).with_name("soak.tsv")
LEAST_PRECISION: Final = 0.95
LEAST_RECALL: Final = 0.85


def rows() -> Iterable[Row]:
    """Yield the figures."""
    said, wanted = _talk()
    with tempfile.TemporaryDirectory() as folder:
        first, second, spans = asyncio.run(_live_through(said, Path(folder)))
    lines = [_line(fact) for fact in first]
    missing = [p for p in wanted if not any(re.search(p, line) for line in lines)]
    wrong = [line for line in lines if not any(re.search(p, line) for p in wanted)]
    for text in (*(f"missing: {p}" for p in missing), *(f"not expected: {line}" for line in wrong)):
        print(f"  {text}")
    yield told("messages", len(said), "")
    yield at_least("precision of active facts", 1 - len(wrong) / len(lines), "share", LEAST_PRECISION)
    yield at_least("recall of expected facts", 1 - len(missing) / len(wanted), "share", LEAST_RECALL)
    yield at_most("facts whose words are not where they point", len(first) - spans, "", 0)
    yield at_most("facts that a second import changes", len(set(map(_line, first)) ^ set(map(_line, second))), "", 0)
    yield at_most("rows that a second import adds", len(second) - len(first), "", 0)


def _talk() -> tuple[list[str], list[str]]:
    said: list[str] = []
    wanted: list[str] = []
    for line in TALK.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            message, patterns = line.split("\t")
            said.append(message)
            wanted += [] if patterns == "-" else patterns.split(" ;; ")
    return said, wanted


async def _live_through(said: list[str], folder: Path) -> tuple[list[Fact], list[Fact], int]:
    """Import the talk twice; return the active facts after each time, and how many cite words that are there."""
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
    store = Store(locations.database, locations.backups)
    memory = Memory(store, None, Settings.load(locations.settings), locations, PrivacyGate)
    try:
        states: list[list[Fact]] = []
        for _ in range(2):
            Importer(store, PrivacyGate()).run(file)
            await memory.settle()
            states.append(await memory.facts(("active",)))
        spans = sum([await _is_grounded(memory, fact) for fact in states[0]])
        return states[0], states[1], spans
    finally:
        await memory.stop()
        store.close()


async def _is_grounded(memory: Memory, fact: Fact) -> bool:
    sources = await memory.sources(fact.id)
    return bool(sources) and all(
        span is not None and 0 <= span[0] < span[1] <= len(message.content) for message, span in sources
    )


def _line(fact: Fact) -> str:
    return f"{fact.subject} {fact.predicate} {fact.object} | {fact.text}"
