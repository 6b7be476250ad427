"""Runs a helper program to its end while watching it: its output is kept, and stopping early ends it too."""

from __future__ import annotations

import os
import subprocess
import threading
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

POLL_SECONDS: Final = 0.5
GRACE_SECONDS: Final = 5
KEPT_LINES: Final = 40


@dataclass(frozen=True)
class Outcome:
    """How a helper program ended.

    Attributes:
        returncode: Its exit code; negative for a signal.
        output: The last lines it printed, both streams together.
    """

    returncode: int
    output: str


def run_watched(
    command: Sequence[str],
    *,
    environment: Mapping[str, str] | None = None,
    on_line: Callable[[str], None] | None = None,
    on_tick: Callable[[], None] | None = None,
) -> Outcome:
    """Run a program, without input, until it ends.

    Args:
        command: Program and arguments.
        environment: Variables set on top of this process's own.
        on_line: Receives each line that the program prints, in this thread.
        on_tick: Called about twice a second. An exception of either callback ends the program and goes on up.

    Raises:
        OSError: The program cannot be started.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        errors="replace",
        env={**os.environ, **(environment or {})},
    )
    kept: deque[str] = deque(maxlen=KEPT_LINES)
    fresh: deque[str] = deque()

    def read() -> None:
        if process.stdout is not None:
            for line in process.stdout:
                fresh.append(line.rstrip())

    def deliver() -> None:
        while fresh:
            line = fresh.popleft()
            kept.append(line)
            if on_line is not None and line:
                on_line(line)

    reader = threading.Thread(target=read, name="helper-output", daemon=True)
    reader.start()
    try:
        while reader.is_alive():
            reader.join(POLL_SECONDS)
            deliver()
            if on_tick is not None:
                on_tick()
        returncode = process.wait()
        deliver()
    finally:
        if process.poll() is None:
            process.terminate()
            try:
                process.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if process.stdout is not None:
            process.stdout.close()
    return Outcome(returncode, "\n".join(kept))
