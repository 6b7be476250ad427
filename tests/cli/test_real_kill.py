from __future__ import annotations

import json
import os
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from tests.cli.desk_shell import SURROUNDINGS, Desk

pytestmark = [pytest.mark.real, pytest.mark.timeout(300)]


def wait_for_streamed_words(database: Path, seconds: float = 120) -> None:
    """Wait until part of an answer has been written to the database."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if database.exists():
            with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
                try:
                    query = "SELECT count(*) FROM messages WHERE role = 'assistant' AND length(content) > 5"
                    if connection.execute(query).fetchone()[0]:
                        return
                except sqlite3.OperationalError:
                    pass  # its tables are not there yet
        time.sleep(0.02)
    raise AssertionError("no part of an answer was ever written")


def test_a_kill_during_an_answer_keeps_the_message_and_what_was_streamed(desk: Desk, data: Path) -> None:
    # The starter for memory questions answers in a sentence, which may be through before the kill.
    desk("models", "use", "smollm2-135m-instruct")
    question = "Write a long story about a lighthouse keeper and the sea."
    program = subprocess.Popen(
        desk.command("ask", question),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, **SURROUNDINGS},
    )
    wait_for_streamed_words(data / "profiles" / "default" / "assistant.db")
    program.kill()
    program.communicate()

    (session,) = map(json.loads, desk("sessions", "--json").stdout.splitlines())
    (shown,) = map(json.loads, desk("memory", "show", session["id"], "--json").stdout.splitlines())
    said, answered = shown["transcript"]

    assert said["content"] == question
    assert len(answered["content"]) > 5
    assert answered["state"] == "stopped"
