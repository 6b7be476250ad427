from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from desk_assistant import __version__
from desk_assistant.workers import launch


def test_a_long_log_is_moved_aside(tmp_path: Path) -> None:
    path = tmp_path / "llm.log"
    path.write_bytes(b"x" * (launch.LOG_LIMIT + 1))
    with launch.open_log(path) as log:
        log.write(b"new\n")
    assert path.read_bytes() == b"new\n"
    assert (tmp_path / "llm.log.1").stat().st_size == launch.LOG_LIMIT + 1


def test_a_log_is_appended_to_and_private(tmp_path: Path) -> None:
    path = tmp_path / "logs" / "llm.log"
    for word in (b"one\n", b"two\n"):
        with launch.open_log(path) as log:
            log.write(word)
    assert path.read_bytes() == b"one\ntwo\n"
    if sys.platform != "win32":
        assert path.stat().st_mode & 0o077 == 0


def test_a_log_that_cannot_be_written_stops_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with launch.open_log(tmp_path / "file" / "llm.log") as log:
        log.write(b"dropped")


def test_a_frozen_program_is_its_own_interpreter(monkeypatch: pytest.MonkeyPatch) -> None:
    assert launch.command("llm") == [sys.executable, "-m", "desk_assistant", "__worker", "llm"]
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert launch.command("llm") == [sys.executable, "__worker", "llm"]


def test_the_version_is_told_without_loading_the_program() -> None:
    probe = (
        "import sys; sys.argv = ['desk-assistant', '--version']\n"
        "from desk_assistant.__main__ import main\n"
        "code = main()\n"
        "print(sorted({'asyncio', 'textual', 'torch', 'argparse'} & set(sys.modules)))\n"
        "sys.exit(code)\n"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == [f"desk-assistant {__version__}", "[]"]
    assert done.returncode == 0


def test_an_unknown_worker_is_refused() -> None:
    done = subprocess.run([sys.executable, "-m", "desk_assistant", "__worker", "x"], capture_output=True, timeout=60)
    assert done.returncode == 2


def test_what_lies_in_the_folder_the_person_is_in_is_no_code_of_a_child(tmp_path: Path) -> None:
    (tmp_path / "desk_assistant").mkdir()
    (tmp_path / "desk_assistant" / "__main__.py").write_text("print('a stranger')\n", encoding="utf-8")
    command = [*launch.command("nobody")[:-2], "--version"]

    done = subprocess.run(command, cwd=tmp_path, env=launch.environment(), capture_output=True, text=True, check=False)

    assert done.stdout.strip() == f"desk-assistant {__version__}"
