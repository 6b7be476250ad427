from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.desk_shell import SURROUNDINGS, Desk


@pytest.mark.parametrize(
    "command", [["memory", "list"], ["memory", "add", "I keep bees"], ["ask", "hello"], ["sessions"]]
)
def test_a_data_folder_that_cannot_be_written_is_a_sentence(tmp_path: Path, command: list[str]) -> None:
    blocked = tmp_path / "file"
    blocked.write_bytes(b"not a folder")

    result = Desk(blocked / "data")(*command)

    assert result.returncode == 5
    assert result.stdout == ""
    assert str(blocked) in result.stderr
    assert len(result.stderr.splitlines()) == 1


def test_a_damaged_database_is_said_and_left_as_it_is(desk: Desk, data: Path) -> None:
    database = data / "profiles" / "default" / "assistant.db"
    database.parent.mkdir(parents=True)
    database.write_bytes(b"this is no database at all, but long enough to be read as one" * 100)
    before = database.read_bytes()

    result = desk("memory", "list")

    assert result.returncode == 5
    assert "damaged" in result.stderr
    assert database.read_bytes() == before


def test_a_settings_file_with_a_mistake_is_said(desk: Desk, data: Path) -> None:
    settings = data / "profiles" / "default" / "settings.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text("[model\n", encoding="utf-8")

    result = desk("memory", "list")

    assert result.returncode == 2
    assert str(settings) in result.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="a full disk is made with a Linux mount")
def test_a_full_disk_is_said_and_what_was_saved_before_stays(tmp_path: Path) -> None:
    folder = tmp_path / "small"
    folder.mkdir()
    desk = Desk(folder)
    python = sys.executable
    script = f"""
        set -e
        mount -t tmpfs -o size=512k none {folder}
        {python} -m desk_assistant --data-dir {folder} memory add 'I keep bees' >&2
        dd if=/dev/zero of={folder}/filler bs=4k 2>/dev/null || true
        set +e
        i=0
        while [ $i -lt 40 ]; do
            {python} -m desk_assistant --data-dir {folder} memory add "I own boat $i" >/dev/null 2>{folder}.said
            code=$?
            [ $code -ne 0 ] && break
            i=$((i + 1))
        done
        echo "code $code"
        cat {folder}.said
        rm {folder}/filler
        {python} -m desk_assistant --data-dir {folder} memory list
    """
    result = subprocess.run(
        ["unshare", "-rm", "sh", "-c", script],
        capture_output=True,
        text=True,
        env={**os.environ, **SURROUNDINGS},
        timeout=120,
        check=False,
    )

    assert desk.data == folder
    assert "code 5" in result.stdout, result.stdout + result.stderr
    assert "full" in result.stdout
    assert "bees" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr
