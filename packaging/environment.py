"""Makes the virtual environment that `make` works in.

    python3 packaging/environment.py FOLDER [--dev]

Run by whatever `python3` there is: the syntax is of Python 3.7, so that an older one gets a sentence and not a
traceback. Nothing is asked. The long steps say how long they take, and pip's own output goes through.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

OLDEST = (3, 11)
CPU_WHEELS = "https://download.pytorch.org/whl/cpu"
ROOT = Path(__file__).resolve().parent.parent
CONSTRAINTS = ROOT / "constraints.txt"
PIP = ("-m", "pip", "install", "--no-input", "--disable-pip-version-check", "--constraint", str(CONSTRAINTS))
AGAIN = "The lines above say why. Running the same command again goes on from here."


def main(arguments: list[str]) -> int:
    """Create or update the environment; return the exit code."""
    if sys.version_info < OLDEST:
        needed, here = (".".join(map(str, version[:2])) for version in (OLDEST, sys.version_info))
        return fail(
            f"Desk Assistant needs Python {needed} or newer; {sys.executable} is {here}.",
            "Install a newer Python and name it: make PYTHON=/path/to/python3.11 run",
        )
    folder = Path(arguments[0]).resolve()
    python = folder / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    if not works(python):
        say(f"Creating the virtual environment in {folder}")
        if subprocess.call([sys.executable, "-m", "venv", "--clear", str(folder)]) != 0:
            shutil.rmtree(folder, ignore_errors=True)
            return fail(
                "The virtual environment could not be created.",
                "If the lines above name ensurepip or venv, install that part of Python "
                "(Debian and Ubuntu: apt install python3-venv).",
            )
    if not installed(python, "llama_cpp"):
        say("Installing llama.cpp. Where there is no ready build it is compiled here, which takes 3 to 10 minutes.")
        started = time.monotonic()
        if install(python, "llama-cpp-python") != 0:
            return fail("llama.cpp could not be installed.", compiler_hint())
        say(f"llama.cpp is ready ({time.monotonic() - started:.0f} s).")
    say("Installing the other libraries. The first time, some hundred megabytes are downloaded.")
    what = f"{ROOT}[dev]" if "--dev" in arguments[1:] else str(ROOT)
    if install(python, *torch_options(python), "--editable", what) != 0:
        return fail("The libraries could not be installed.", AGAIN)
    return 0


def install(python: Path, *arguments: str) -> int:
    """Install into the environment, within the tested versions; return pip's exit code."""
    return subprocess.call([str(python), *PIP, *arguments], cwd=str(ROOT), stdin=subprocess.DEVNULL)


def torch_options(python: Path) -> list[str]:
    """Return the options for an environment, none when torch is in it already."""
    return [] if installed(python, "torch") else cpu_wheels(python)


def cpu_wheels(python: Path | str) -> list[str]:
    """Return the options that keep torch from bringing gigabytes of CUDA libraries, which the program never uses.

    On Linux the registry's own build is the CUDA one. Where pip would take it, the index of CPU builds is added; where
    the person's pip settings already lead to a CPU build, and on other systems, nothing is.
    """
    if not sys.platform.startswith("linux"):
        return []
    asked = subprocess.run(
        [str(python), *PIP, "--dry-run", "--ignore-installed", "--no-deps", "torch"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    would_install = asked.stdout.rstrip().rpartition("\n")[2]
    return [] if "+cpu" in would_install else ["--extra-index-url", CPU_WHEELS]


def works(python: Path) -> bool:
    """Return whether an environment is there and can install; one that was moved or half made cannot."""
    return quiet(python, f"import sys, pip; sys.exit(sys.version_info < {OLDEST})")


def installed(python: Path, module: str) -> bool:
    """Return whether a module is in the environment, without importing it."""
    return quiet(python, f"import importlib.util as util, sys; sys.exit(util.find_spec({module!r}) is None)")


def quiet(python: Path, code: str) -> bool:
    """Run a line of Python in the environment; return whether it succeeded."""
    try:
        return subprocess.run([str(python), "-c", code], capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def compiler_hint() -> str:
    """Return what to do when llama.cpp did not build."""
    if any(shutil.which(name) for name in ("c++", "g++", "clang++", "cl")):
        return AGAIN
    return (
        "There is no C++ compiler here. Debian and Ubuntu: apt install build-essential. Fedora: dnf install gcc-c++. "
        "macOS: xcode-select --install. Windows: Visual Studio Build Tools."
    )


def say(text: str) -> None:
    """Print a step at once, before the output of the programs it starts."""
    print(f"==> {text}", flush=True)


def fail(what: str, then: str) -> int:
    """Print what happened and what to do; return the exit code."""
    print(f"\n{what}\n{then}", file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
