"""How many threads to compute with: one for each physical core that this process may use.

Two threads on the halves of one core wait for each other at every step of a matrix product.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

CPUS: Final = Path("/sys/devices/system/cpu")
CGROUP_LIMIT: Final = Path("/sys/fs/cgroup/cpu.max")


def physical_cores() -> int:
    """Return the number of physical cores that are ours, at least 1."""
    logical = _allowed()
    cores = _linux_cores(logical) if sys.platform == "linux" else _other_cores(len(logical))
    return max(1, min(cores, _quota(CGROUP_LIMIT) or cores))


def _allowed() -> set[int]:
    if sys.platform == "linux":
        return os.sched_getaffinity(0)
    return set(range(os.cpu_count() or 1))


def _linux_cores(logical: set[int], root: Path = CPUS) -> int:
    cores: set[str] = set()
    for cpu in logical:
        try:
            cores.add((root / f"cpu{cpu}" / "topology" / "thread_siblings_list").read_text().strip())
        except OSError:
            # Containers may hide the topology; then every logical core counts.
            return len(logical)
    return len(cores)


def _other_cores(logical: int) -> int:
    if sys.platform == "darwin":
        try:
            done = subprocess.run(["sysctl", "-n", "hw.physicalcpu"], capture_output=True, check=True, timeout=5)
            return int(done.stdout)
        except (OSError, subprocess.SubprocessError, ValueError):
            return logical
    # Windows tells it only through a call with a variable-length answer; most of its machines have two threads a core.
    return logical // 2 if logical > 2 else logical


def _quota(limit: Path) -> int | None:
    try:
        quota, period = limit.read_text().split()
        return None if quota == "max" else max(1, int(quota) // int(period))
    except (OSError, ValueError):
        return None
