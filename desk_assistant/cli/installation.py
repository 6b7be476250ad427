"""Checks of an installed copy: its files against the list that was packed with them, its processor, its libraries."""

from __future__ import annotations

import hashlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from desk_assistant.i18n import t
from desk_assistant.installed import Installation

NAMED: Final = 5
"""Files named in a finding; how many there are is always said."""
PATIENCE: Final = 180.0
"""Seconds for opening all libraries: read from a slow disk for the first time, they are some hundred megabytes."""

_OPEN_ALL: Final = """
import ctypes, sys
waiting = sys.stdin.read().splitlines()
while waiting:
    failed = {}
    for path in waiting:
        print(path, flush=True)
        try:
            ctypes.CDLL(path)
        except OSError as error:
            failed[path] = error
    if len(failed) == len(waiting):
        for error in failed.values():
            print("!", error, flush=True)
        break
    waiting = list(failed)
"""
"""Opens libraries in a process of its own: one that is damaged can end it. Says which it is about to open.

Some count on another one being open already, so those that fail are tried again as long as that opens more of them.
"""

_OTHER_PROCESSORS: Final = "libggml-cpu-"
"""Begins the names of libraries for one kind of processor each; most of them must not be opened on this one."""

Check = tuple[str, bool, str]
"""Name, whether all is well, and a sentence."""


def checks(installation: Installation, *, quick: bool = False) -> Iterator[Check]:
    """Yield what is found, each as soon as it is known.

    Args:
        installation: The installed copy.
        quick: Only look whether the files are there.
    """
    yield _files(installation, quick=quick)
    abilities = _abilities()
    if abilities is not None:
        lacking = sorted(installation.processor - abilities)
        key = "installation.processor_lacks" if lacking else "installation.processor"
        yield "processor", not lacking, t(key, what=", ".join(lacking))
    if not quick and installation.listed:
        yield _libraries(installation)


def _files(installation: Installation, *, quick: bool) -> Check:
    changed: list[str] = []
    count = size = 0
    try:
        for path, expected in installation.files():
            count += 1
            try:
                size += path.stat().st_size
                well = quick or _sha256(path) == expected
            except OSError:
                well = False
            if not well:
                changed.append(str(path.relative_to(installation.root)))
    except (OSError, ValueError) as error:
        return "files", False, t("installation.files_unreadable", path=installation.root, reason=error)
    if changed:
        named = ", ".join(changed[:NAMED]) + (" …" if len(changed) > NAMED else "")
        return "files", False, t("installation.files_changed", count=len(changed), files=named, path=installation.root)
    key = "installation.files_there" if quick else "installation.files"
    return "files", True, t(key, count=f"{count:,}", size=f"{size / 1e6:,.0f} MB", path=installation.root)


def _sha256(path: Path) -> str:
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def _abilities() -> frozenset[str] | None:
    """Return what the processor says it can do, None where that cannot be read."""
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="ascii", errors="replace").splitlines():
            name, _, words = line.partition(":")
            if name.strip() in ("flags", "Features"):
                return frozenset(words.split())
    except OSError:  # no such file: not Linux
        return None
    return None


def _libraries(installation: Installation) -> Check:
    paths = [path for path, _ in installation.files() if ".so" in path.suffixes and _OTHER_PROCESSORS not in path.name]
    try:
        done = subprocess.run(
            [sys.executable, "-I", "-c", _OPEN_ALL],
            input="\n".join(map(str, paths)),
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return "libraries", False, t("installation.libraries_slow", seconds=f"{PATIENCE:.0f}")
    said = done.stdout.splitlines()
    failed = [line.removeprefix("! ") for line in said if line.startswith("! ")]
    if done.returncode != 0:
        failed.append(said[-1] if said else str(sys.executable))
    if failed:
        return "libraries", False, t("installation.libraries_fail", count=len(failed), what="; ".join(failed[:NAMED]))
    return "libraries", True, t("installation.libraries", count=len(paths))
