"""Measures an import of 5,000 turns through the command line: time, and memory of each process while it goes on.

Everything is real: the filter, extraction, the index child with the embedding model. `DESK_BENCH_TURNS` makes it
smaller for a first look.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final

from tests.bench import Row, at_most, told

TURNS: Final = int(os.environ.get("DESK_BENCH_TURNS", "5000"))
TURNS_A_SESSION: Final = 20
LOOK_SECONDS: Final = 0.5
MOST_GROWTH: Final = 80.0
"""Megabytes that the app's process may gain over the second half of the import: memory stays flat."""

_SUBJECTS: Final = ("the greenhouse", "my sister Maren", "the old boat", "our choir", "the night train", "the boiler")
_EVENTS: Final = (
    "needs a new pump before the frost comes",
    "is booked for the second week of June",
    "reminded me of the summer in Aldby",
    "costs more than I had thought it would",
    "was the best thing about the whole week",
    "has to be painted again, this time in green",
)
_ANSWERS: Final = (
    "That sounds like a plan; what is the next step?",
    "I see. Would a reminder help?",
    "Noted. Tell me how it went.",
)


def rows() -> Iterable[Row]:
    """Yield the figures."""
    with tempfile.TemporaryDirectory() as folder:
        chat = Path(folder) / "chat.jsonl"
        chat.write_text("\n".join(json.dumps(line) for line in _lines()), encoding="utf-8")
        command = [sys.executable, "-m", "desk_assistant", "--data-dir", str(Path(folder) / "data")]
        began = time.perf_counter()
        with subprocess.Popen(
            [*command, "import", str(chat), "--format", "jsonl"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ) as process:
            watch = _Watch(process.pid)
            watch.start()
            code = process.wait()
            watch.end()
        seconds = time.perf_counter() - began
        yield told(f"import of {TURNS:,} turns, until all is searchable", seconds, "s")
        yield told("turns a second", TURNS / seconds, "")
        yield told("exit code", code, "")
        yield from watch.figures()


def _lines() -> Iterator[dict[str, str]]:
    chooser = random.Random(5)
    start = datetime(2026, 1, 1, 9)
    for number in range(TURNS):
        told_by = "user" if number % 2 == 0 else "assistant"
        said = f"Day {number}: {chooser.choice(_SUBJECTS)} {chooser.choice(_EVENTS)}."
        yield {
            "session": f"s{number // TURNS_A_SESSION}",
            "id": f"m{number}",
            "role": told_by,
            "content": said if told_by == "user" else chooser.choice(_ANSWERS),
            "time": (start + timedelta(minutes=7 * number)).isoformat(),
        }


class _Watch(threading.Thread):
    """Notes the memory of a process and of its children until told to end."""

    def __init__(self, pid: int) -> None:
        super().__init__(daemon=True)
        self._pid = pid
        self._over = threading.Event()
        self._own: list[float] = []
        self._children: list[float] = []

    def run(self) -> None:
        while not self._over.wait(LOOK_SECONDS):
            own = _resident(self._pid)
            if own:
                self._own.append(own)
                self._children.append(sum(map(_resident, _children(self._pid))))

    def end(self) -> None:
        """Stop looking."""
        self._over.set()
        self.join()

    def figures(self) -> Iterator[Row]:
        """Yield what was seen."""
        half = self._own[len(self._own) // 2 :]
        yield told("memory of the app's process, at most", max(self._own, default=0.0), "MB")
        yield told("memory of its children, at most", max(self._children, default=0.0), "MB")
        growth = half[-1] - half[0] if half else 0.0
        yield at_most("what the app's process gained over the second half", growth, "MB", MOST_GROWTH)


def _children(pid: int) -> list[int]:
    try:
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii")
    except OSError:
        return []
    return [int(child) for child in found.split()]


def _resident(pid: int) -> float:
    """Return the megabytes a process holds; 0 when it is gone."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
