"""Measures how far the data can be trusted: kills on every way to write, faults survived, and bad inputs tried."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from desk_assistant.models import ModelStore
from desk_assistant.paths import Locations
from tests.bench import Row, _faults, at_least, at_most, told
from tests.trust.hammering import hammer
from tests.trust.kill_paths import PATHS, REAL_PATHS
from tests.trust.killing import kill_often

KILLS_A_PATH: Final = 16
LEAST_KILLS: Final = 200
HAMMER_SECONDS: Final = 60.0


def rows() -> Iterable[Row]:
    """Yield all figures."""
    yield from _faults.rows()
    yield from _kills()
    with tempfile.TemporaryDirectory() as folder:
        yield from _hammered(Path(folder))


def _hammered(folder: Path) -> Iterable[Row]:
    found = hammer(folder, HAMMER_SECONDS)
    yield told("writes of four programs on one profile", found.writes / HAMMER_SECONDS, "/s")
    yield at_most("  of these lost or doubled", found.lost + found.doubled, "", 0)
    yield at_most("  refused, such as for a locked database", found.refused, "", 0)
    yield at_most("  updates of one shared number lost", found.bumped - found.number, "", 0)


def _kills() -> Iterable[Row]:
    kills = acknowledged = lost = doubled = 0
    found = Locations.find()
    real = REAL_PATHS if ModelStore(found.model_folders, found.models).list("llm") else ()
    for path in (*PATHS, *real):
        with tempfile.TemporaryDirectory() as folder:
            tally = kill_often(path, Path(folder), KILLS_A_PATH)
        kills, acknowledged = kills + tally.kills, acknowledged + tally.acknowledged
        lost, doubled = lost + tally.lost, doubled + tally.doubled
        yield told(f"kills: {path.name}", tally.kills, "")
        yield told("  writes acknowledged before them", tally.acknowledged, "")
        yield at_most("  of these lost or doubled", tally.lost + tally.doubled, "", 0)
    yield at_least("kills over all ways to write", kills, "", LEAST_KILLS)
    yield told("writes acknowledged", acknowledged, "")
    yield at_most("acknowledged writes lost", lost, "", 0)
    yield at_most("writes doubled", doubled, "", 0)
