"""The list of everything in the program folder, and the mark by which the program knows that it is installed."""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from installer.plan import Plan

MANIFEST: Final = "MANIFEST.sha256"
MARK: Final = "installation.toml"

EXPECTED: Final = {"x86_64": ("avx2", "fma", "f16c", "bmi2"), "amd64": ("avx2", "fma", "f16c", "bmi2")}
"""Machine → abilities of the processor that cannot be done without. They are LanceDB's, whose wheels are compiled for
processors made since 2013; llama.cpp and torch choose at run time."""


def mark(plan: Plan, glibc: tuple[int, ...], glibcxx: tuple[int, ...]) -> None:
    """Write the mark of an installed copy, read by `desk_assistant.installed` and by the installers."""
    lines = [
        "# Tells the program that it was installed; written by the build.",
        f'version = "{plan.version}"',
        f'machine = "{plan.machine}"',
        f"processor = {list(EXPECTED.get(plan.machine, ()))}".replace("'", '"'),
    ]
    if sys.platform == "linux":
        lines += [f'glibc = "{_dotted(glibc)}"', f'libstdcxx = "{_dotted(glibcxx)}"']
    (plan.program / MARK).write_text("\n".join(lines) + "\n", encoding="utf-8")


def write(folder: Path, *, also: Path | None = None) -> str:
    """Return the list of all files below a folder: SHA-256, two spaces, path, as `sha256sum --check` reads it.

    Args:
        folder: The program folder.
        also: A folder of models that will lie in it as `models`.
    """
    rows = [(path.relative_to(folder).as_posix(), path) for path in _files(folder)]
    if also is not None:
        rows += [(f"models/{path.relative_to(also).as_posix()}", path) for path in _files(also)]
    return "".join(f"{sha256(path)}  {name}\n" for name, path in sorted(rows) if name != MANIFEST)


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def tidy(folder: Path, epoch: int) -> None:
    """Give every file the date of the commit, and rights that do not depend on who builds."""
    for path in [folder, *folder.rglob("*")]:
        if not path.is_symlink():
            runs = path.is_dir() or bool(path.stat().st_mode & 0o100)
            path.chmod(0o755 if runs else 0o644)
        os.utime(path, (epoch, epoch), follow_symlinks=False)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file() and not path.is_symlink())


def _dotted(version: tuple[int, ...]) -> str:
    return ".".join(map(str, version))
