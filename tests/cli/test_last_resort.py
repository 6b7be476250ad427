from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from desk_assistant import cli
from desk_assistant.cli import paths
from desk_assistant.cli.arguments import Invocation
from tests.cli.desk_shell import SURROUNDINGS


def test_an_unforeseen_failure_is_a_sentence_and_its_place_is_logged_without_content(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(invocation: Invocation) -> int:
        raise LookupError("my secret words")

    monkeypatch.setattr(paths, "run", fail)

    code = cli.main(["--data-dir", str(data), "paths"])

    assert code == cli.UNEXPECTED
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "LookupError" in shown.err
    assert "secret" not in shown.err
    log = (data / "profiles" / "default" / "logs" / "app.log").read_text(encoding="utf-8")
    assert "LookupError" in log
    assert "test_last_resort.py" in log
    assert "secret" not in log


def test_an_interrupt_is_exit_code_130(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupt(invocation: Invocation) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr(paths, "run", interrupt)

    assert cli.main(["paths"]) == cli.INTERRUPTED
    assert "Interrupted" in capsys.readouterr().err


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="pipes break differently on Windows")
def test_a_reader_that_goes_away_is_no_failure_worth_words(data: Path) -> None:
    lines = "\n".join('{"text": "hello there"}' for _ in range(20_000))
    program = subprocess.Popen(
        [sys.executable, "-m", "desk_assistant", "--data-dir", str(data), "privacy", "check", "--jsonl", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, **SURROUNDINGS},
    )
    assert program.stdout is not None
    program.stdout.close()
    _, said = program.communicate(lines.encode(), timeout=60) if program.stdin else (b"", b"")

    assert said == b""
    assert program.returncode == cli.READER_GONE
