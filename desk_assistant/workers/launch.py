"""How a child is started: its command, its surroundings, its log."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, BinaryIO, Final

COMMAND: Final = "__worker"
"""The hidden sub-command; `desk_assistant.__main__` knows the children by name."""

LOG_LIMIT: Final = 1_000_000
"""Bytes after which a log is moved to `.1`, replacing the one before, when its child starts."""

QUIET: Final[Mapping[str, str]] = {
    # Models are files on this machine: nothing is looked up, and no newer or converted copy of one.
    "HF_HUB_OFFLINE": "1",
    "TRANSFORMERS_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "DISABLE_SAFETENSORS_CONVERSION": "1",
    # Nothing is reported: by the hub's libraries, by its downloader, or by spans that a library draws up.
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "DISABLE_TELEMETRY": "1",
    "DO_NOT_TRACK": "1",
    "HF_XET_TELEMETRY_ENABLED": "false",
    "OTEL_SDK_DISABLED": "true",
    "OTEL_TRACES_EXPORTER": "none",
    "OTEL_METRICS_EXPORTER": "none",
    "OTEL_LOGS_EXPORTER": "none",
    # No token of the person's for some website goes along with anything.
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
}
"""What keeps the libraries from calling home. It must be set before they are imported."""

FIXED: Final[Mapping[str, str]] = {
    **QUIET,
    # A log line must be there when the process dies right after it, and must be readable whatever the locale.
    "PYTHONUNBUFFERED": "1",
    "PYTHONIOENCODING": "utf-8:backslashreplace",
    "PYTHONFAULTHANDLER": "1",
    # A child starts in whatever folder the person is in: a file there must not pass for a library.
    "PYTHONSAFEPATH": "1",
    # Texts are embedded side by side on threads of our own. Where numpy's BLAS starts others for each of them, they
    # wait for each other, and it takes four times as long.
    "OPENBLAS_NUM_THREADS": "1",
    "VECLIB_MAXIMUM_THREADS": "1",
}
"""Settings of every child that nothing may override."""

TUNING: Final[Mapping[str, str]] = {
    # Threads that wait for each other by spinning hold the cores they wait for. With one other busy program on two
    # cores, the starter model wrote 2 to 20 tokens a second that way, and 67 with threads that sleep.
    "OMP_WAIT_POLICY": "passive",
    # Threads and helpers that libraries start on their own account, and that a small machine pays for.
    "TOKENIZERS_PARALLELISM": "false",
    "JOBLIB_MULTIPROCESSING": "0",
}
"""Settings of every child unless the person's own environment says otherwise."""


def command(name: str) -> list[str]:
    """Return the command line of the child `name`: this very program with the hidden sub-command.

    A frozen program is its own interpreter and has no `-m`.
    """
    program = [sys.executable] if getattr(sys, "frozen", False) else [sys.executable, "-m", "desk_assistant"]
    return [*program, COMMAND, name]


def environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a child: this process's own, ours, then `extra`.

    The folder this package was imported from goes first on the import path, so that the child runs the same code
    however the app was started.
    """
    merged = {**TUNING, **os.environ, **FIXED, **(extra or {})}
    if not getattr(sys, "frozen", False):
        here = str(Path(__file__).resolve().parents[2])
        rest = [part for part in merged.get("PYTHONPATH", "").split(os.pathsep) if part and part != here]
        merged["PYTHONPATH"] = os.pathsep.join([here, *rest])
    return merged


def open_log(path: Path) -> BinaryIO:
    """Open the log of a child for appending, readable by its owner alone, moved aside first when it is long.

    A log that cannot be written is no reason to refuse work: then what the child says is dropped.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        if path.exists() and path.stat().st_size > LOG_LIMIT:
            path.replace(path.with_name(path.name + ".1"))
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    except OSError:
        descriptor = os.open(os.devnull, os.O_WRONLY)
    return os.fdopen(descriptor, "wb", buffering=0)


def process_options() -> dict[str, Any]:
    """Return the options that keep a child out of the terminal's way on this platform.

    On POSIX it gets a session of its own, so that neither Ctrl+C nor Ctrl+Z in the terminal reaches it; on Windows it
    opens no console window.
    """
    if sys.platform == "win32":
        return {"creationflags": subprocess.CREATE_NO_WINDOW}
    return {"start_new_session": True}
