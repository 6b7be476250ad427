"""No acknowledged write is lost or doubled by a kill, whichever way it was written.

Two kills a path here; `python -m tests.bench trust` kills more than two hundred times.
"""

from __future__ import annotations

import itertools
import time
from pathlib import Path

import pytest

from tests.trust.kill_paths import PATHS, check_notes
from tests.trust.killing import KillPath, Run, Tally, kill_often

KILLS = 2


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.name.replace(" ", "-"))
def test_a_kill_loses_and_doubles_nothing(path: KillPath, tmp_path: Path) -> None:
    tally = kill_often(path, tmp_path, KILLS)

    assert tally.acknowledged > 0
    assert tally == Tally(path.name, KILLS, tally.acknowledged, lost=0, doubled=0)


async def acknowledge_too_soon(run: Run) -> None:
    for number in itertools.count():
        run.acknowledge(f"The lantern {run.number}-{number} hangs in the hall.")
        time.sleep(0.005)


def test_a_write_that_was_acknowledged_and_not_made_is_counted_as_lost(tmp_path: Path) -> None:
    tally = kill_often(KillPath("too soon", acknowledge_too_soon, check_notes), tmp_path, 1)

    assert tally.lost >= tally.acknowledged > 0
