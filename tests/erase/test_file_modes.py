from __future__ import annotations

import os
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from desk_assistant.paths import Locations
from desk_assistant.store import Store

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


def test_nor_any_file_of_a_whole_story(tmp_path: Path) -> None:
    root = tmp_path / "new" / "data"
    talk = tmp_path / "talk.jsonl"
    talk.write_text('{"session": "s", "id": "1", "role": "user", "content": "I keep bees."}\n', encoding="utf-8")
    run(root, "memory", "add", "I'm allergic to walnuts")
    run(root, "import", str(talk), "--format", "jsonl")
    run(root, "serve", "allow", "my-script")  # a token
    run(root, "profiles", "create", "work")
    run(root, "--profile", "work", "memory", "add", "I work at Yondermill")
    run(root, "memory", "forget", "--about", "walnuts", "--yes")  # database and table are written anew
    home = Locations.find(root)
    with closing(Store(home.database, home.backups)) as store:
        store.back_up("before-cleanup")
        store.transcripts.create_session(title="While it is open")
        names = {path.name for path in root.rglob("*")}
        assert {"assistant.db", "assistant.db-wal", "assistant.db-shm", "clients.toml", "episodes.lance"} <= names
        assert readable_by_others(root) == []


def test_a_profile_that_others_can_read_is_closed_to_them(locations: Locations) -> None:
    locations.home.chmod(0o755)
    locations.ensure()
    assert stat.S_IMODE(locations.home.stat().st_mode) == 0o700
