from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from desk_assistant.paths import Locations

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="permissions are kept otherwise there")


def readable_by_others(folder: Path) -> list[str]:
    return [
        f"{path.relative_to(folder.parent)} {stat.filemode(path.stat().st_mode)}"
        for path in [folder, *folder.rglob("*")]
        if path.stat().st_mode & 0o077
    ]


def run(root: Path, *arguments: str) -> None:
    surroundings = {**os.environ, "DESK_ASSISTANT_MODELS": str(root.parent / "no-models")}
    command = [sys.executable, "-m", "desk_assistant", "--data-dir", str(root), "-q", *arguments]
    subprocess.run(command, check=True, umask=0o022, env=surroundings, timeout=120, capture_output=True)


def test_nobody_else_can_read_any_file_of_a_profile(tmp_path: Path) -> None:
    root = tmp_path / "new" / "data"
    run(root, "memory", "add", "I'm allergic to walnuts")
    run(root, "memory", "pause")
    run(root, "recall", "walnuts")  # starts the index child, which writes the table and its log
    names = {path.name for path in root.rglob("*")}
    assert {"assistant.db", "episodes.lance", "settings.toml", "index.log", "app.log"} <= names
    assert readable_by_others(root) == []


def test_a_profile_that_others_can_read_is_closed_to_them(locations: Locations) -> None:
    locations.home.chmod(0o755)
    locations.ensure()
    assert stat.S_IMODE(locations.home.stat().st_mode) == 0o700
