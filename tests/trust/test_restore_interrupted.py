"""A restore that is killed at any step leaves the old profile or the new one, and nothing lying about for long."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from desk_assistant.memory import backup
from desk_assistant.paths import Locations
from tests.trust.test_backup import fill, said

# Ends like a kill at the n-th call of one of the functions that change something on the disk.
KILLED = """
import os, sys, shutil
from pathlib import Path
from desk_assistant.memory import backup
from desk_assistant.memory.backup import archive, restoring
from desk_assistant.paths import Locations
from desk_assistant.store import copying
left = int(sys.argv[3])
def dying(function):
    def call(*args, **kwargs):
        global left
        left -= 1
        if left == 0: os._exit(9)
        return function(*args, **kwargs)
    return call
for owner, name in ((copying, "copy"), (copying, "pour"), (copying, "contents"), (copying, "sync"),
                    (copying, "set_aside"), (copying, "put_in_place"), (shutil, "rmtree"), (Path, "replace"),
                    (restoring.atomic, "write_text"), (archive, "write")):
    setattr(owner, name, dying(getattr(owner, name)))
backup.restore(Locations.find(sys.argv[1]), Path(sys.argv[2]))
"""


@pytest.mark.parametrize("damaged", [False, True])
def test_a_kill_at_any_step_leaves_one_whole_profile(locations: Locations, tmp_path: Path, damaged: bool) -> None:
    fill(locations, "old")
    target = tmp_path / "mine.deskbackup"
    backup.write(locations, target)
    fill(locations, *(f"new {number}" for number in range(400)))
    new = said(locations)
    if damaged:
        locations.database.write_bytes(b"SQLite format 3\x00" + b"\xff" * 9000)
    spoilt = locations.database.read_bytes()
    deaths = 0
    for step in range(1, 60):
        done = subprocess.run(
            [sys.executable, "-c", KILLED, str(locations.root), str(target), str(step)], check=False, cwd=Path.cwd()
        )
        if done.returncode == 0:
            break
        assert done.returncode == 9
        deaths += 1
        if not damaged:
            assert said(locations) in (["old"], new)
        elif locations.database.read_bytes() != spoilt:
            assert said(locations) == ["old"]
            locations.database.write_bytes(spoilt)

    assert deaths >= 5
    assert done.returncode == 0
    assert said(locations) == ["old"]
    assert list(locations.home.glob(".staging-*")) == []
