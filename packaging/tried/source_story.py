"""The wheel and the source archive: nothing missing, and the program runs from a fresh environment."""

from __future__ import annotations

import subprocess
import tarfile
import venv
import zipfile
from pathlib import Path
from typing import Final

import environment
from installer import llama
from installer.plan import CHECKOUT, Plan
from installer.tools import BuildError, run
from tried.bare import Done
from tried.checks import Checks

PACKAGE: Final = "desk_assistant/"
ADDED: Final = {"desk_assistant/models/catalogue.toml"}
"""In the wheel from another place of the checkout."""


def tell(checks: Checks, out: Path, folder: Path, work: Path) -> None:
    """Tell the story of wheel and source archive.

    Args:
        checks: Where what held is noted.
        out: Folder with the finished files.
        folder: Folder for the environment.
        work: Folder of the build, with the compiled llama.cpp.
    """
    wheel, source = (_only(out, pattern) for pattern in ("desk_assistant-*.whl", "desk_assistant-*.tar.gz"))
    tracked = set(run(["git", "-C", CHECKOUT, "ls-files", PACKAGE]).splitlines())
    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if name.startswith(PACKAGE)}
    differs = sorted(packed ^ (tracked | ADDED))
    checks.that(f"the wheel has all {len(packed)} files of the package and no other", not differs, "\n".join(differs))
    with tarfile.open(source) as archive:
        sources = {name.partition("/")[2] for name in archive.getnames()}
    lost = sorted((tracked | {"models/catalogue.toml", "README.md", "LICENSE", "pyproject.toml"}) - sources)
    checks.that("the source archive has them too", not lost, "\n".join(lost))

    home = folder / "environment"
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    portable = llama.wheel(Plan(work, out, 0))
    command: list[str | Path] = [python, "-m", "pip", "install", "--quiet", "--no-input"]
    command += ["--constraint", CHECKOUT / "constraints.txt", *environment.cpu_wheels(python)]
    run([*command, portable, wheel])
    checks.that("it installs in a fresh environment", True)
    program = str(home / "bin" / "desk-assistant")
    surroundings = {
        "PATH": "/usr/bin:/bin",
        "HOME": str(folder),
        "LANG": "C.UTF-8",
        "DESK_ASSISTANT_MODELS": str(work / "models"),
    }
    for words in (["--version"], ["doctor"], ["privacy", "check", "My PIN is 4711"], ["models", "list"], ["demo"]):
        done = subprocess.run(
            ["unshare", "--net", program, *words], env=surroundings, capture_output=True, text=True, check=False
        )
        checks.ran(
            f"and runs there without a network: {' '.join(words)}", Done(done.returncode, done.stdout, done.stderr)
        )


def _only(out: Path, pattern: str) -> Path:
    found = sorted(out.glob(pattern))
    if not found:
        raise BuildError(f"There is no {pattern} in {out}; build it with “make package”.")
    return found[-1]
