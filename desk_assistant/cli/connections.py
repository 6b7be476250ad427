"""Which network connections this program and its children hold, as the Linux kernel tells."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

TABLES: Final = ("tcp", "tcp6", "udp", "udp6", "raw", "raw6")
_PROC: Final = Path("/proc")


def held() -> list[str] | None:
    """Return a line for each internet socket of this process and its descendants; None where it cannot be told."""
    if not (_PROC / "self" / "net" / "tcp").exists():
        return None
    inodes = {inode for pid in _family(os.getpid()) for inode in _sockets(pid)}
    found: list[str] = []
    for table in TABLES:
        with contextlib.suppress(OSError):
            rows = (_PROC / "self" / "net" / table).read_text(encoding="ascii").splitlines()[1:]
            # Columns of /proc/net/tcp (see proc_pid_net(5)): 1 local, 2 remote address, 9 inode.
            found += [f"{table} {c[1]} {c[2]}" for c in map(str.split, rows) if len(c) > 9 and c[9] in inodes]
    return found


def _family(pid: int) -> list[int]:
    found, waiting = [], [pid]
    while waiting:
        current = waiting.pop()
        found.append(current)
        for path in (_PROC / str(current) / "task").glob("*/children"):
            with contextlib.suppress(OSError):
                waiting += map(int, path.read_text(encoding="ascii").split())
    return found


def _sockets(pid: int) -> list[str]:
    found: list[str] = []
    with contextlib.suppress(OSError):
        for descriptor in (_PROC / str(pid) / "fd").iterdir():
            with contextlib.suppress(OSError):
                target = str(descriptor.readlink())
                if target.startswith("socket:["):
                    found.append(target[len("socket:[") : -1])
    return found
