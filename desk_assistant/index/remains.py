"""What an erase may have left in the table's folder: files of no version, and words in any of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

UNFINISHED: Final = ".tmp"
"""Beginning of the names of files that are being written."""


def sweep_unfinished(folder: Path) -> None:
    """Delete files that a killed process had not finished: of no version, they are never cleaned up by the library.

    It writes `.tmp…`, or the name with a number behind a `#`, and renames that when all is written.

    Args:
        folder: The table's folder. Its lock must be held, so that nobody is writing just now.

    Raises:
        OSError: One of them cannot be deleted.
    """
    for path in list(_files(folder)):
        if path.name.startswith(UNFINISHED) or "#" in path.name:
            path.unlink(missing_ok=True)


def stray_files(folder: Path, limits: Mapping[str, int]) -> list[str]:
    """Return what there is too much of, in words for the log.

    After a rewrite one version stands alone: as many data files as it has fragments, one full-text index, no marks of
    deleted rows.

    Args:
        folder: The table's folder.
        limits: For each folder in it the most entries it may have.
    """
    stray = []
    for name, limit in limits.items():
        entries = list((folder / name).iterdir()) if (folder / name).is_dir() else []
        if len(entries) > limit:
            stray.append(f"{name}: {len(entries)} of {limit}")
    manifests = list((folder / "_versions").glob("*.manifest"))
    if len(manifests) != 1:
        stray.append(f"_versions: {len(manifests)}")
    return stray


def files_with(folder: Path, texts: Sequence[str], kept: Sequence[str]) -> list[str]:
    """Return the names of the files that hold one of the texts, those aside that a kept record holds as well."""
    needles = [text for text in texts if text.strip() and not any(text in other for other in kept)]
    encoded = [needle.encode("utf-8") for needle in needles]
    return [file.name for file in _files(folder) if _holds(file, encoded)]


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in folder.rglob("*") if path.is_file())


def _holds(file: Path, needles: Sequence[bytes]) -> bool:
    if not needles:
        return False
    content = file.read_bytes()
    return any(needle in content for needle in needles)
