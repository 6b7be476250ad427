"""How much memory a program may still take: the system's own figure, lowered by a control-group limit."""

from __future__ import annotations

import ctypes
import logging
import re
import subprocess
import sys
from pathlib import Path
from typing import Final

log = logging.getLogger(__name__)

MEMINFO: Final = Path("/proc/meminfo")
OWN_GROUPS: Final = Path("/proc/self/cgroup")
GROUP_ROOT: Final = Path("/sys/fs/cgroup")
NO_LIMIT: Final = 2**60
"""Version 1 groups say "no limit" with a number near 2**63."""


def available_memory() -> int | None:
    """Return the bytes that can be taken without swapping, or None when the system does not say."""
    if sys.platform == "win32":
        return _windows()
    if sys.platform == "darwin":
        return _macos()
    return least(_linux(), group_headroom())


def least(*figures: int | None) -> int | None:
    """Return the smallest known figure, or None when none is known."""
    return min((figure for figure in figures if figure is not None), default=None)


def _linux(meminfo: Path = MEMINFO) -> int | None:
    text = _read(meminfo)
    found = re.search(r"^MemAvailable:\s+(\d+) kB", text, re.MULTILINE) if text else None
    return int(found.group(1)) * 1024 if found else None


def group_headroom(groups: Path = OWN_GROUPS, root: Path = GROUP_ROOT) -> int | None:
    """Return what the control groups of this process leave free, or None without a limit.

    Limits apply from every level up to the root, for version 2 (`memory.max`) and version 1
    (`memory.limit_in_bytes`) alike. File cache that the kernel drops under pressure counts as free.
    """
    figures: list[int | None] = []
    for line in _read(groups).splitlines():
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if controllers == "":
            base, files = root, ("memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            base, files = root / "memory", ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        else:
            continue
        folder = base / path.lstrip("/")
        while True:
            figures.append(_headroom(folder, *files))
            if folder == base or base not in folder.parents:
                break
            folder = folder.parent
    return least(*figures)


def _headroom(folder: Path, limit_file: str, usage_file: str, cache_key: str) -> int | None:
    limit, usage = _read(folder / limit_file).strip(), _read(folder / usage_file).strip()
    if not (limit.isdigit() and usage.isdigit()) or int(limit) >= NO_LIMIT:
        return None
    cache = re.search(rf"^{cache_key} (\d+)$", _read(folder / "memory.stat"), re.MULTILINE)
    return max(0, int(limit) - int(usage) + (int(cache.group(1)) if cache else 0))


def _macos() -> int | None:
    """Pages that are free or can be taken back, as `vm_stat` prints them."""
    try:
        text = subprocess.run(["/usr/bin/vm_stat"], capture_output=True, text=True, timeout=5, check=True).stdout
    except (OSError, subprocess.SubprocessError) as error:
        log.warning("vm_stat did not answer: %r", error)
        return None
    return parse_vm_stat(text)


def parse_vm_stat(text: str) -> int | None:
    """Return the reclaimable bytes from the output of macOS's `vm_stat`."""
    page = re.search(r"page size of (\d+) bytes", text)
    pages = re.findall(r"^Pages (?:free|inactive|speculative|purgeable):\s+(\d+)\.", text, re.MULTILINE)
    return int(page.group(1)) * sum(map(int, pages)) if page and pages else None


class _MemoryStatus(ctypes.Structure):
    """`MEMORYSTATUSEX` of the Windows API."""

    _fields_ = (
        ("length", ctypes.c_uint32),
        ("load", ctypes.c_uint32),
        ("total_physical", ctypes.c_uint64),
        ("available_physical", ctypes.c_uint64),
        ("total_page_file", ctypes.c_uint64),
        ("available_page_file", ctypes.c_uint64),
        ("total_virtual", ctypes.c_uint64),
        ("available_virtual", ctypes.c_uint64),
        ("available_extended_virtual", ctypes.c_uint64),
    )


def _windows() -> int | None:
    status = _MemoryStatus()
    status.length = ctypes.sizeof(status)
    library = getattr(ctypes, "windll", None)
    if library is None or not library.kernel32.GlobalMemoryStatusEx(ctypes.byref(status)):
        return None
    return int(status.available_physical)


def _read(path: Path) -> str:
    """Return the text of a small system file, "" when it is not there."""
    try:
        return path.read_text(encoding="ascii", errors="replace") if path.exists() else ""
    except OSError as error:
        log.debug("%s: %r", path, error)
        return ""
