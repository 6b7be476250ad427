"""The interpreter: copied with the libraries it needs, so that it runs wherever the folder is moved to."""

from __future__ import annotations

import os
import shutil
import sys
import sysconfig
from pathlib import Path
from typing import Final

from installer import elf
from installer.plan import Plan
from installer.tools import run, say

LEFT_OUT: Final = (
    # Never imported by the program or a library of it.
    "test",
    "idlelib",
    "tkinter",
    "turtledemo",
    "lib2to3",
    "ensurepip",
    "site-packages",
    "dist-packages",
    "__pycache__",
    "config-*",
    # Modules in C for tests, for other systems, or with libraries of their own that nothing here uses.
    "_test*",
    "_ctypes_test*",
    "_xxtestfuzz*",
    "xxlimited*",
    "_tkinter*",
    "_curses*",
    "_crypt.*",
    "readline.*",
    "_dbm.*",
    "_gdbm.*",
    "nis.*",
    "ossaudiodev.*",
)
"""Names in the standard library, at any depth."""


def copy(plan: Plan) -> dict[str, Path]:
    """Copy the interpreter that runs this build into the program folder.

    Returns:
        System library → the file here that it was copied from, for the notices.
    """
    if os.name == "nt":
        return _copy_on_windows(plan)
    say(f"Copying Python {sys.version.split()[0]} from {sys.base_prefix}")
    shutil.copytree(
        sysconfig.get_path("stdlib", vars={"installed_base": sys.base_prefix}),
        plan.standard_library,
        ignore=shutil.ignore_patterns(*LEFT_OUT),
        symlinks=False,
    )
    plan.site_packages.mkdir()
    plan.python.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy2(Path(sys.executable).resolve(), plan.python)
    if sys.platform == "darwin":
        return {}
    libraries = _libraries(plan)
    for target in (plan.python, *plan.python_home.joinpath("lib").glob("*.so*")):
        run(["strip", "--strip-unneeded", target])
    _relocate(plan)
    return libraries


def _libraries(plan: Plan) -> dict[str, Path]:
    """Copy the libraries that the interpreter and its modules in C need, but for the system's own."""
    wanted: dict[str, Path] = {}
    for path in (plan.python, *elf.files(plan.standard_library)):
        wanted.update({name: found for name, found in elf.resolved(path).items() if not elf.SYSTEM.match(name)})
    for name, found in sorted(wanted.items()):
        target = plan.python_home / "lib" / name
        shutil.copy2(found.resolve(), target)
        target.chmod(0o755)
    return {name: found for name, found in wanted.items() if not name.startswith("libpython")}


def _relocate(plan: Plan) -> None:
    """Let each file look for its libraries from where it lies itself."""
    library = plan.python_home / "lib"
    for path in elf.files(plan.python_home):
        run(["patchelf", "--set-rpath", f"$ORIGIN/{os.path.relpath(library, path.parent)}", path])


def _copy_on_windows(plan: Plan) -> dict[str, Path]:
    # The interpreter of a Windows installation can be moved as it is: it looks for its library beside itself.
    base = Path(sys.base_prefix)
    ignored = shutil.ignore_patterns(*LEFT_OUT, "Doc", "Scripts", "tcl", "include", "libs", "Tools")
    shutil.copytree(base, plan.python_home, ignore=ignored)
    plan.site_packages.mkdir(exist_ok=True)
    return {}
