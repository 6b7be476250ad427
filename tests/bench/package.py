"""What an installed copy costs beside this environment: its size, and how soon it paints and says its first word.

The copy is looked for in /opt, or where `DESK_INSTALLED` says (its `bin/desk-assistant`). Cold means that nothing of
its files is in the system's memory: they are dropped from it before each round, which needs no privilege and disturbs
nobody else.
"""

from __future__ import annotations

import os
import select
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from desk_assistant.paths import Locations
from tests.bench import Row, told
from tests.bench._engine_start import _until_painted

ROUNDS: Final = 3
PATIENCE: Final = 180.0
QUESTION: Final = "Say yes."
DEFAULT: Final = "/opt/desk-assistant/bin/desk-assistant"


def rows() -> Iterator[Row]:
    """Yield the figures; none when no installed copy is here."""
    installed = Path(os.environ.get("DESK_INSTALLED", DEFAULT))
    if not installed.exists() or sys.platform != "linux":
        print(f"No installed copy at {installed}; name one in DESK_INSTALLED.", file=sys.stderr)
        return
    root = installed.resolve().parents[1]
    site = Path(sys.prefix) / "lib"
    yield told("installed copy, models aside", _megabytes(root) - _megabytes(root / "models"), "MB")
    yield told("this environment's libraries", _megabytes(site), "MB")
    ours, theirs = [str(installed)], [sys.executable, "-m", "desk_assistant"]
    places = {"installed": (ours, (root,)), "environment": (theirs, (site, Path(sys.base_prefix)))}
    for warm in (False, True):
        for name, (command, folders) in places.items():
            yield from _start(f"{name}, {'warm' if warm else 'cold'}", command, () if warm else folders)


def _start(name: str, command: Sequence[str], cold: Sequence[Path]) -> Iterator[Row]:
    painted, spoken = [], []
    models = Locations.find().models
    with tempfile.TemporaryDirectory() as folder:
        words = [*command, "--data-dir", folder]
        for _ in range(ROUNDS):
            _forget_pages(cold)
            painted.append(_until_painted(words, b"Desk")[0])
            _forget_pages([*cold, models] if cold else [])
            spoken.append(_until_first_word([*words, "ask", "--private", QUESTION]))
    yield told(f"first paint, {name}", statistics.median(painted), "s")
    yield told(f"first word of an answer, {name}", statistics.median(spoken), "s")


def _until_first_word(command: Sequence[str]) -> float:
    """Return the seconds until a command has printed anything, all helper processes started from nothing."""
    began = time.perf_counter()
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as run:
        assert run.stdout is not None
        if not select.select([run.stdout], [], [], PATIENCE)[0] or not os.read(run.stdout.fileno(), 1):
            raise TimeoutError(f"{command[0]} has said nothing")
        seconds = time.perf_counter() - began
        run.stdout.read()
    return seconds


def _forget_pages(folders: Sequence[Path]) -> None:
    """Drop the files below some folders from the system's page cache."""
    for folder in folders:
        for path in _files(folder):
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            finally:
                os.close(descriptor)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in _files(folder)) / 1e6 if folder.is_dir() else 0.0
