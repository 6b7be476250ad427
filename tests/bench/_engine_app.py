"""Measures how long the app's event loop stands still: the whole app, in a terminal, with its real children."""

from __future__ import annotations

import fcntl
import json
import os
import pty
import struct
import sys
import tempfile
import termios
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tests.bench import Row, at_most

ROWS: Final = 40
COLUMNS: Final = 120
SETTINGS: Final = "[prompt]\nanswer_tokens = 64\n"
TARGETED: Final = ("opens", "models load", "it answers", "memory is written")
"""Phases with a target for the usual stall too; of the others, a megabyte pasted and sent, the worst one counts."""


def measured(model: str) -> Iterator[Row]:
    """Yield the figures. What the loop waited for a processor that other programs had is left out of them.

    Args:
        model: Id of the installed model to measure with.
    """
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "profiles" / "default"
        home.mkdir(parents=True)
        (home / "settings.toml").write_text(f'[model]\nname = "{model}"\n\n{SETTINGS}', encoding="utf-8")
        stalls = _run(Path(folder), Path(folder) / "stalls.json")
    for phase, lags in stalls.items():
        ordered = sorted(lags)
        p99, worst = ordered[int(len(ordered) * 0.99)], ordered[-1]
        if phase in TARGETED:
            yield at_most(f"app, stall while {phase}, p99", p99, "ms", 50)
        yield at_most(f"app, stall while {phase}, worst", worst, "ms", 150)


def _run(folder: Path, out: Path) -> dict[str, list[float]]:
    """Run the probe to its end and return what it has seen."""
    pid, terminal = pty.fork()
    if pid == 0:
        os.environ.update(TERM="xterm-256color", COLORTERM="truecolor", LC_ALL="C.UTF-8", LANG="C.UTF-8")
        os.execv(sys.executable, [sys.executable, "-m", "tests.bench._app_probe", str(folder), str(out)])
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        while True:
            try:
                if not os.read(terminal, 1 << 16):
                    break
            except OSError:  # the program has ended
                break
    finally:
        os.close(terminal)
        os.waitpid(pid, 0)
    found: dict[str, list[float]] = json.loads(out.read_text(encoding="utf-8"))
    return found
