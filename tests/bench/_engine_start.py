"""Measures how soon the program is there and what its own process takes, beside the least a Textual app can do."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tests.bench import Row, at_most, told

ROUNDS: Final = 5
ROWS: Final = 40
COLUMNS: Final = 120
PATIENCE: Final = 60.0
COMPOSER: Final = b"Enter sends"
"""What the app's text field says while it is empty: the frame is there once one can type into it."""
SETTLE: Final = 0.3
"""Seconds after the first paint at which the memory is read: the children have not told anything yet."""

HELLO: Final = """
from textual.app import App
from textual.widgets import Static
class Hello(App):
    def compose(self):
        yield Static("HelloBench")
Hello().run()
"""


def measured() -> Iterator[Row]:
    """Yield the figures, each the middle of some rounds in which the two take turns."""
    yield from _version()
    if sys.platform != "win32":
        yield from _paint()


def _version() -> Iterator[Row]:
    ours, theirs = [], []
    for _ in range(ROUNDS * 2):
        theirs.append(_run([sys.executable, "-c", "pass"]))
        ours.append(_run([sys.executable, "-m", "desk_assistant", "--version"]))
    yield told("--version", statistics.median(ours), "s")
    yield at_most("--version against python -c pass", statistics.median(ours) / statistics.median(theirs), "times", 5)


def _run(command: Sequence[str]) -> float:
    began = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def _paint() -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as folder:
        desk = [sys.executable, "-m", "desk_assistant", "--data-dir", folder]
        ours, theirs = [], []
        for _ in range(ROUNDS):
            theirs.append(_until_painted([sys.executable, "-c", HELLO], b"HelloBench"))
            ours.append(_until_painted(desk, COMPOSER))
    seconds, bare = (statistics.median(s for s, _ in each) for each in (ours, theirs))
    memory, least = (statistics.median(m for _, m in each) for each in (ours, theirs))
    yield told("first paint", seconds, "s")
    yield at_most("first paint against a bare Textual app", seconds / bare, "times", 1.5)
    yield told("memory of the app's process once painted", memory, "MB")
    yield at_most("memory against a bare Textual app", memory / least, "times", 2.5)


def _until_painted(command: Sequence[str], sign: bytes) -> tuple[float, float]:
    """Return the seconds until a program in a terminal of its own has drawn `sign`, and its memory in MB then."""
    began = time.perf_counter()
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", LC_ALL="C.UTF-8", LANG="C.UTF-8")
        os.execv(command[0], list(command))
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        drawn = b""
        while sign not in drawn:
            if time.perf_counter() - began > PATIENCE or not select.select([terminal], [], [], PATIENCE)[0]:
                raise TimeoutError(f"{command[-1]} has drawn nothing")
            drawn += os.read(terminal, 1 << 16)
        seconds = time.perf_counter() - began
        time.sleep(SETTLE)
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8")
        resident = next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS")) / 1024
    finally:
        os.kill(pid, signal.SIGKILL)
        os.close(terminal)
        os.waitpid(pid, 0)
    return seconds, resident
