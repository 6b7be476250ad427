"""The installed copy: how the program finds out that it was put here by an installer, and what came with it."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MARK: Final = "installation.toml"
"""File at the top of the program folder; the folder of the interpreter lies beside it."""

MANIFEST: Final = "MANIFEST.sha256"


@dataclass(frozen=True)
class Installation:
    """The program folder of an installer.

    Attributes:
        root: The folder; it may be read-only, and belong to somebody else.
    """

    root: Path

    @property
    def models(self) -> Path:
        """Models that came with the installer; there need not be any."""
        return self.root / "models"

    @property
    def processor(self) -> frozenset[str]:
        """Abilities that the libraries expect of the processor, as Linux names them."""
        with (self.root / MARK).open("rb") as stream:
            return frozenset(tomllib.load(stream)["processor"])

    @property
    def listed(self) -> bool:
        """Whether the list of installed files is there."""
        return (self.root / MANIFEST).is_file()

    def files(self) -> Iterator[tuple[Path, str]]:
        """Yield each file that was installed, with the SHA-256 it had when it was packed."""
        with (self.root / MANIFEST).open(encoding="utf-8") as lines:
            for line in lines:
                digest, _, name = line.rstrip("\n").partition("  ")
                yield self.root / name, digest


def installation() -> Installation | None:
    """Return the installation that this interpreter belongs to, None for a checkout or an ordinary environment."""
    root = Path(sys.prefix).parent
    return Installation(root) if (root / MARK).is_file() else None
