"""A program that is killed in the middle of an erase: the next one finishes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from desk_assistant.paths import Locations
from tests.erase.conftest import Opener, fact_about, import_lines
from tests.erase.dying import KILLED, MOMENTS, forget_and_die
from tests.erase.search import everywhere, in_database

WORD = "zarbolune"


@pytest.mark.parametrize("moment", MOMENTS)
async def test_the_next_start_completes_it(
    open_real: Opener, locations: Locations, tmp_path: Path, moment: str
) -> None:
    first = open_real()
    await first.start(llm=False)
    await import_lines(first, tmp_path, "talk", [f"I'm allergic to {WORD}.", *(f"Crate {n}." for n in range(60))])
    fact = await fact_about(first, WORD)
    await first.close()
    assert in_database(locations.database, WORD)
    assert forget_and_die(locations, fact.id, moment) == KILLED
    second = open_real()
    await second.start(llm=False)
    await second.memory.settle()
    assert second.store.outbox.pending() == {}
    assert await second.memory.facts(None) == []
    await second.close()
    assert everywhere(locations, WORD) == []
