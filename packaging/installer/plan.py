"""What is built, from what, and where: one small property a path."""

from __future__ import annotations

import ast
import os
import platform
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Final

NAME: Final = "desk-assistant"
CHECKOUT: Final = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Plan:
    """One build.

    Attributes:
        work: Folder for everything in between; what is already there is used again.
        out: Folder that the finished files go to.
        epoch: Seconds since 1970 that every packed file is dated with, so that two builds of one commit are alike.
        root: The checkout.
    """

    work: Path
    out: Path
    epoch: int
    root: Path = CHECKOUT

    @property
    def version(self) -> str:
        """Version of the program, read from its source."""
        source = (self.root / "desk_assistant" / "__init__.py").read_text(encoding="utf-8")
        for node in ast.parse(source).body:
            if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__version__":
                return str(ast.literal_eval(node.value))
        raise ValueError("desk_assistant/__init__.py names no version")

    @property
    def machine(self) -> str:
        """Kind of processor that is built for, as the system names it."""
        return platform.machine().lower()

    @property
    def wheels(self) -> Path:
        """Wheels built here: llama.cpp and the program."""
        return self.work / "wheels"

    @property
    def program(self) -> Path:
        """The program folder."""
        return self.work / "stage" / NAME

    @property
    def python_home(self) -> Path:
        """The interpreter inside the program folder."""
        return self.program / "python"

    @property
    def python(self) -> Path:
        """The interpreter itself."""
        if os.name == "nt":
            return self.python_home / "python.exe"
        return self.python_home / "bin" / f"python{self.python_version}"

    @property
    def python_version(self) -> str:
        """Version of the interpreter, two numbers."""
        return f"{sys.version_info[0]}.{sys.version_info[1]}"

    @property
    def standard_library(self) -> Path:
        """Folder of the standard library in the program folder."""
        return self.python_home / ("Lib" if os.name == "nt" else f"lib/python{self.python_version}")

    @property
    def site_packages(self) -> Path:
        """Folder of the libraries and the program in the program folder."""
        return self.standard_library / "site-packages"

    @property
    def share(self) -> Path:
        """Icons, man pages, licences and the like in the program folder."""
        return self.program / "share"

    @property
    def models(self) -> Path:
        """The starter models for the full files, apart from the program folder."""
        return self.work / "models"

    def file(self, suffix: str, *, full: bool = False) -> Path:
        """Return the path of a finished file: `desk-assistant[-full]-0.1.0-linux-x86_64.run`."""
        name = f"{NAME}-full" if full else NAME
        return self.out / f"{name}-{self.version}-{platform.system().lower()}-{self.machine}{suffix}"


def commit_time(root: Path) -> int:
    """Return the time of the commit that is built, or of the last release when there is no history."""
    if fixed := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(fixed)
    asked = subprocess.run(
        ["git", "-C", str(root), "log", "-1", "--format=%ct"], capture_output=True, text=True, check=False
    )
    return int(asked.stdout) if asked.returncode == 0 else int((root / "CHANGELOG.md").stat().st_mtime)
