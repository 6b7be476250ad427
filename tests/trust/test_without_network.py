"""The command line works where there is no network at all."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.desk_shell import Desk


def without_network() -> bool:
    """Whether this system lets us make a place without a network."""
    if sys.platform != "linux" or shutil.which("unshare") is None:
        return False
    return subprocess.run(["unshare", "-rn", "true"], check=False, capture_output=True).returncode == 0


@pytest.mark.skipif(not without_network(), reason="this system does not let a test cut off the network")
def test_the_command_line_works_with_the_network_cut_off(desk: Desk, tmp_path: Path) -> None:
    cut = ("unshare", "-rn")
    target = str(tmp_path / "mine.deskbackup")

    commands = (
        ("memory", "add", "I keep bees in Turku."),
        ("recall", "Where do I keep bees?"),
        ("memory", "search", "bees"),
        ("backup", target),
        ("export", str(tmp_path / "out")),
        ("restore", target, "--yes"),
    )
    done = [desk(*command, wrapper=cut) for command in commands]

    assert [result.returncode for result in done] == [0] * len(commands), [result.stderr for result in done]
    assert "bees" in done[1].stdout
