"""What a Linux library asks for: other libraries, and how new a C library."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from installer.tools import BuildError, run

MAGIC: Final = b"\x7fELF"

SYSTEM: Final = re.compile(r"^(ld-linux|libc|libm|libdl|libpthread|librt|libresolv|libutil|libstdc\+\+|libgcc_s)[.-]")
"""Libraries that are the system's to give: the C library, which cannot be carried, and the C++ one, which every desktop
has and which may only be there once in a process."""

_NEEDED: Final = re.compile(r"^\s*NEEDED\s+(\S+)", re.MULTILINE)
_GLIBC: Final = re.compile(r"\bGLIBC_(\d+)\.(\d+)")
_GLIBCXX: Final = re.compile(r"\bGLIBCXX_(\d+)\.(\d+)\.(\d+)")
_FOUND: Final = re.compile(r"^\s*(\S+) => (/\S+)", re.MULTILINE)
_MISSING: Final = re.compile(r"^\s*(\S+) => not found", re.MULTILINE)


@dataclass(frozen=True)
class Floor:
    """The oldest system libraries that a set of files runs on, as version numbers."""

    glibc: tuple[int, ...]
    glibcxx: tuple[int, ...]


def files(folder: Path) -> Iterator[Path]:
    """Yield the programs and libraries below a folder, links left out."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink():
            with path.open("rb") as stream:
                if stream.read(4) == MAGIC:
                    yield path


def needed(path: Path) -> list[str]:
    """Return the names of the libraries that a file names itself."""
    return _NEEDED.findall(run(["objdump", "-p", path]))


def resolved(path: Path) -> dict[str, Path]:
    """Return the libraries that the loader finds for a file here, with all they need in turn, by name."""
    return {name: Path(found) for name, found in _FOUND.findall(run(["ldd", path]))}


def missing(path: Path) -> list[str]:
    """Return the libraries that the loader does not find for a file here."""
    try:
        return _MISSING.findall(run(["ldd", path]))
    except BuildError:  # not a dynamic file
        return []


def floor(paths: Iterable[Path]) -> Floor:
    """Return the oldest C and C++ libraries that all the files run on."""
    glibc: tuple[int, ...] = (2, 17)
    glibcxx: tuple[int, ...] = (3, 4, 19)
    for path in paths:
        headers = run(["objdump", "-p", path])
        glibc = max(glibc, *(tuple(map(int, found)) for found in _GLIBC.findall(headers)), (0,))
        glibcxx = max(glibcxx, *(tuple(map(int, found)) for found in _GLIBCXX.findall(headers)), (0,))
    return Floor(glibc, glibcxx)
