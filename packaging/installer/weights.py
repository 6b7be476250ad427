"""What each part weighs: the table at the end of a build."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final

from installer.libraries import weight
from installer.plan import Plan

SHOWN: Final = 12
"""Libraries listed by name; the rest are one line."""


def measure(plan: Plan) -> dict[str, int]:
    """Return part → bytes in the program folder, unpacked: Python, each library, the program, texts, models."""
    site = plan.site_packages
    counted = {_name(found): _size(found, site) for found in distributions(path=[str(site)])}
    parts = dict(sorted(counted.items(), key=lambda item: -item[1]))
    parts["Python and system libraries"] = weight(plan.python_home) - weight(site)
    parts["compiled modules and what no library claims"] = weight(site) - sum(counted.values())
    parts["texts, icons, licences"] = weight(plan.share)
    if plan.models.is_dir():
        parts |= {f"model {folder.name}": weight(folder) for folder in plan.models.iterdir() if folder.is_dir()}
    return parts


def table(parts: Mapping[str, int], files: Iterable[Path]) -> str:
    """Return the table for people: the heaviest parts, the finished files."""
    ordered = sorted(parts.items(), key=lambda item: -item[1])
    rows = [(name, size) for name, size in ordered[:SHOWN]]
    rows.append((f"{len(ordered[SHOWN:])} more", sum(size for _, size in ordered[SHOWN:])))
    rows.append(("together", sum(parts.values())))
    lines = [f"{size / 1e6:>9,.1f} MB  {name}" for name, size in rows]
    return "\n".join([*lines, "", *(f"{path.stat().st_size / 1e6:>9,.1f} MB  {path.name}" for path in files)])


def _name(found: Distribution) -> str:
    return str(found.metadata["Name"])


def _size(found: Distribution, site: Path) -> int:
    places = {site / file for file in found.files or ()}
    return sum(path.lstat().st_size for path in places if path.is_file() and not path.is_symlink())
