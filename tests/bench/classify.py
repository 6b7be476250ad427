"""Measures the classifier over sentence embeddings on sentences it has not seen, in both languages.

The sentences of `classify.tsv` were written apart from its examples. What counts is whether something lasting is told
from what is not: a proposal must be right, and a doubt must never fall on something lasting.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

from desk_assistant.index.client import IndexClient, IndexSetup
from desk_assistant.index.sorts import LASTING, Sort
from desk_assistant.memory.second_look import LEAST_MADE_UP, MADE_UP, MOST_LASTING, SURE_OF
from desk_assistant.models import ModelStore
from desk_assistant.paths import Locations
from tests.bench import Row, at_least, at_most, told

LINES: Final = Path(__file__).with_name("classify.tsv")


def rows() -> Iterable[Row]:
    """Yield the figures."""
    lines = [line.split("\t") for line in LINES.read_text(encoding="utf-8").splitlines()]
    found = asyncio.run(_classify([text for text, _ in lines]))
    wanted = [sort for _, sort in lines]
    lasting = [sum(share for sort, share in sorts.items() if sort in LASTING) for sorts in found]
    made_up = [sum(share for sort, share in sorts.items() if sort in MADE_UP) for sorts in found]
    lasts = [sort in LASTING for sort in wanted]
    right = sum(max(sorts, key=lambda one: sorts[one]) == sort for sorts, sort in zip(found, wanted, strict=True))
    yield told("sentences", len(lines), "")
    yield at_least("right of fifteen sorts", right / len(lines), "share", 0.75)
    agrees = sum((share > 0.5) == true for share, true in zip(lasting, lasts, strict=True))
    yield at_least("lasting told from not lasting", agrees / len(lines), "share", 0.9)
    proposed = [true for share, true in zip(lasting, lasts, strict=True) if share >= SURE_OF]
    yield at_least("precision of what would be proposed", sum(proposed) / max(len(proposed), 1), "share", 0.95)
    yield told("recall of what would be proposed", sum(proposed) / sum(lasts), "share")
    pairs = zip(made_up, lasting, wanted, strict=True)
    doubted = [sort for invented, share, sort in pairs if invented >= LEAST_MADE_UP and share <= MOST_LASTING]
    yield at_most("lasting sentences that would be doubted", sum(s in LASTING for s in doubted), "", 0)
    made = [sort for sort in wanted if sort in MADE_UP]
    yield told("share of the made up that would be doubted", sum(s in MADE_UP for s in doubted) / len(made), "share")


async def _classify(texts: Sequence[str]) -> Sequence[Mapping[Sort, float]]:
    home = Locations.find()
    model = ModelStore(home.model_folders, home.models).list("embedding")[0]
    with tempfile.TemporaryDirectory() as folder:
        setup = IndexSetup(Path(folder) / "memory.lance", model.path, model.id)
        client = IndexClient(setup, log=Path(folder) / "index.log")
        try:
            await client.wait_embedder()
            return await client.classify(texts)
        finally:
            await client.close()
