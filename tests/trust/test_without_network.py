"""Everything works where there is no network at all, and no library is left free to look for one."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from desk_assistant.workers.launch import FIXED, environment
from tests.cli.desk_shell import Desk

SWITCHES = {
    "huggingface-hub": ("HF_HUB_OFFLINE", "HF_HUB_DISABLE_TELEMETRY"),
    "transformers": ("TRANSFORMERS_OFFLINE",),
}
"""Installed packages that can call home, and what keeps each from it."""


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


def test_what_could_call_home_is_told_not_to_before_a_child_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    names = (dist.metadata["Name"] or "" for dist in metadata.distributions())
    installed = {name.lower().replace("_", "-") for name in names}
    wanted = {switch for package, switches in SWITCHES.items() if package in installed for switch in switches}
    for switch in wanted:
        monkeypatch.setenv(switch, "0")

    assert wanted
    assert {switch: environment()[switch] for switch in wanted} == dict.fromkeys(wanted, "1")
    assert FIXED["DO_NOT_TRACK"] == "1"
