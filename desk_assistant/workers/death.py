"""Why a child is gone, in the words a person can act on."""

from __future__ import annotations

import signal
import sys
from typing import Final

from desk_assistant.errors import WorkerError

_SIGNAL_KEYS: Final = {
    "SIGKILL": "workers.died_killed",
    "SIGILL": "workers.died_illegal",
    "SIGSEGV": "workers.died_crash",
    "SIGBUS": "workers.died_crash",
    "SIGFPE": "workers.died_crash",
    "SIGABRT": "workers.died_abort",
}

_WINDOWS_KEYS: Final = {
    0xC0000005: "workers.died_crash",
    0xC00000FD: "workers.died_crash",
    0xC000001D: "workers.died_illegal",
    0xC0000409: "workers.died_abort",
    0xC0000017: "workers.died_killed",
}
"""Exit statuses of Windows for access violation, stack overflow, illegal instruction, abort, no memory."""


def death(name: str, status: int | None, log: object) -> WorkerError:
    """Return the error that tells how the child ended.

    Args:
        name: Which child, as the person reads it.
        status: Exit status as `subprocess` gives it (negative: the signal that ended it), None when unknown.
        log: The file that holds the rest, named in the sentence.
    """
    signal_name = _signal_name(status)
    if signal_name is not None:
        key = _SIGNAL_KEYS.get(signal_name, "workers.died_signal")
        return WorkerError(key, name=name, signal=signal_name, log=log, cause=f"{name}: {signal_name}")
    if sys.platform == "win32" and status is not None and (status & 0xFFFFFFFF) in _WINDOWS_KEYS:
        code = status & 0xFFFFFFFF
        return WorkerError(_WINDOWS_KEYS[code], name=name, signal=hex(code), log=log, cause=f"{name}: {code:#x}")
    code_text = "?" if status is None else str(status)
    return WorkerError(
        "workers.died_exit", name=name, code=code_text, log=log, cause=f"{name}: exit status {code_text}"
    )


def _signal_name(status: int | None) -> str | None:
    if status is None or status >= 0:
        return None
    try:
        return signal.Signals(-status).name
    except ValueError:
        return f"signal {-status}"
