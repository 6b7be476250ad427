"""Measures an erase by the real embedding model and vector index: ten thousand messages, killed in the middle of it.

Needs the embedding model and takes a quarter of an hour, most of it to embed. What was forgotten is looked for in every
byte of the profile, in the database, in every version of the table and in the dictionary of its full-text index.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from desk_assistant.assistant import Assistant
from desk_assistant.index import IndexClient, IndexSetup
from desk_assistant.models import ModelStore
from desk_assistant.paths import Locations
from tests.bench import Row, at_most, told
from tests.bench.erase import CANARY, MESSAGES, fill
from tests.erase.dying import KILLED, forget_and_die
from tests.erase.search import everywhere
from tests.scripted import ScriptedLlm

PAUSE: Final = 0.4
"""Seconds into the rewriting of the table at which everything is killed."""


def rows() -> Iterable[Row]:
    """Yield all figures; one that falls short when there is no embedding model."""
    home = Locations.find()
    models = ModelStore(home.model_folders, home.models).list("embedding")
    yield at_most("embedding models missing", 1 - len(models[:1]), "", 0)
    with tempfile.TemporaryDirectory() as folder:
        for model in models[:1]:
            yield from asyncio.run(_measure(Locations.find(folder), model.path, model.id))


async def _measure(locations: Locations, model: Path, name: str) -> list[Row]:
    locations.ensure()
    first = _open(locations, model, name)
    fill(first.store)
    await first.start(llm=False)
    began = time.perf_counter()
    await first.memory.settle()
    filled = time.perf_counter() - began
    (fact,) = await first.memory.facts(query=CANARY)
    await first.close()
    held = len(everywhere(locations, CANARY))
    killed = forget_and_die(locations, fact.id, "in the index", pause=PAUSE, model=model, name=name) == KILLED
    left = len(everywhere(locations, CANARY))
    began = time.perf_counter()
    second = _open(locations, model, name)
    await second.start(llm=False)
    await second.memory.settle()
    finished = time.perf_counter() - began
    check = await second.memory.check_forgotten()
    await second.close()
    return [
        told(f"remembering and embedding {MESSAGES:,} messages first", filled, "s"),
        told("places that held the word", held, ""),
        Row("killed in the middle of the erase", float(killed), "", "= 1", killed),
        told("places that held it then", left, ""),
        told("the next start with the rest of the erase", finished, "s"),
        at_most("places that hold it afterwards", len(everywhere(locations, CANARY)) + len(check.records), "", 0),
    ]


def _open(locations: Locations, model: Path, name: str) -> Assistant:
    setup = IndexSetup(locations.index, model, name)
    index = IndexClient(setup, log=locations.logs / "index.log")
    return Assistant.open(locations, llm=ScriptedLlm(), index=index)
