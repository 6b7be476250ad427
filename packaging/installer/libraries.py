"""The libraries and the program itself: installed into the program folder, pruned, compiled."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import environment
from installer import elf
from installer.plan import Plan
from installer.tools import run, say

RULES: Final = Path(__file__).with_name("prune.toml")

OPENMP: Final = "libgomp.so.1"

BESIDE: Final = ("pip", "zstandard")
"""Carried beside the program: pip fetches models from the package registry, zstandard unpacks the installer."""


NOT_OURS: Final = r"py31[2-9]_"
"""Modules in the syntax of a later Python, which libraries carry for that."""


def install(plan: Plan, llama: Path, program: Path) -> None:
    """Install the program's wheel with all it needs, at the tested versions."""
    say("Installing the libraries into the program folder")
    command: list[str | Path] = ["python", "-m", "pip", "install", "--no-input", "--no-compile", "--quiet"]
    command += ["--target", plan.site_packages, "--constraint", plan.root / "constraints.txt"]
    run([*command, *environment.cpu_wheels("python"), llama, f"{program}[server]", *BESIDE])


def carry_openmp(plan: Plan) -> dict[str, Path]:
    """Put the OpenMP library beside llama.cpp's own, which are compiled here and find only the build machine's.

    Returns:
        Its name → the file it was copied from, for the notices.
    """
    folder = plan.site_packages / "llama_cpp" / "lib"
    for path in elf.files(folder):
        if found := elf.resolved(path).get(OPENMP):
            shutil.copy2(found.resolve(), folder / OPENMP)
            return {OPENMP: found}
    return {}


def prune(plan: Plan) -> int:
    """Take out what the program never uses, by the rules in `prune.toml`; return the bytes that were saved."""
    before = weight(plan.site_packages)
    rules: dict[str, Any] = tomllib.loads(RULES.read_text(encoding="utf-8"))
    _prune_everywhere(plan.site_packages, rules["everywhere"])
    for part in rules["part"]:
        _drop(plan.site_packages, part["drop"], part.get("keep", ()))
    if sys.platform == "linux":
        for pattern in rules["strip"]["files"]:
            for path in plan.site_packages.glob(pattern):
                if not path.is_symlink():
                    run(["strip", "--strip-unneeded", path])
        _link_copies(plan.site_packages)
    return before - weight(plan.site_packages)


def compile_all(plan: Plan) -> None:
    """Compile every module, never to be compared with its source again: the files do not change once they are packed.

    It is done by the interpreter in the program folder, which must start for that.
    """
    say("Compiling all modules")
    command: list[str | Path] = [plan.python, "-I", "-B", "-m", "compileall", "-q", "-j", str(os.cpu_count() or 1)]
    command += ["-s", plan.program, "--invalidation-mode", "unchecked-hash", "-x", NOT_OURS]
    run([*command, plan.standard_library])


def check(plan: Plan) -> elf.Floor:
    """Look at every library: none may need one that is not in the program folder and not the system's.

    Returns:
        The oldest system libraries that they run on.

    Raises:
        BuildError: A library would not be found.
    """
    from installer.tools import BuildError

    say("Looking at what every library needs")
    libraries = list(elf.files(plan.program))
    here = {path.name for path in libraries} | {path.name for path in plan.program.rglob("*.so*") if path.is_symlink()}
    lost = {
        f"{path.relative_to(plan.program)} needs {name}"
        for path in libraries
        for name in elf.needed(path)
        if name not in here and not elf.SYSTEM.match(name)
    }
    if lost:
        raise BuildError("Libraries are not in the program folder:\n" + "\n".join(sorted(lost)))
    return elf.floor(libraries)


def weight(folder: Path) -> int:
    """Return the bytes of all files below a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def _prune_everywhere(site: Path, rules: dict[str, list[str]]) -> None:
    kept = [site / path for path in rules["keep"]]

    def stays(path: Path) -> bool:
        return any(path == keep or keep in path.parents or path in keep.parents for keep in kept)

    for name in rules["folders"]:
        for path in list(site.rglob(name)):
            if path.is_dir() and path.parent != site and not stays(path):
                shutil.rmtree(path, ignore_errors=True)
    for pattern in rules["files"]:
        for path in list(site.rglob(pattern)):
            if path.is_file() and not stays(path):
                path.unlink()


def _drop(site: Path, patterns: Sequence[str], keep: Sequence[str]) -> None:
    kept = {path for pattern in keep for path in site.glob(pattern)}
    for pattern in patterns:
        for path in sorted(site.glob(pattern)):
            if path in kept or not path.exists():
                continue
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()


def _link_copies(site: Path) -> None:
    """Make links again of libraries that a wheel, which knows no links, carries under several names."""
    for folder in {path.parent for path in site.rglob("*.so.*")}:
        first: dict[str, Path] = {}
        for path in sorted(folder.glob("*.so*"), key=lambda path: -len(path.name)):
            if path.is_symlink():
                continue
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            original = first.setdefault(digest, path)
            if original != path:
                path.unlink()
                path.symlink_to(original.name)
