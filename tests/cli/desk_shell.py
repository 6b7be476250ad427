"""The program as a person's shell runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

Result = subprocess.CompletedProcess[str]
SURROUNDINGS: Final = {"LC_ALL": "C.UTF-8", "NO_COLOR": "1"}


class Desk:
    """Runs the program on one data folder and never accepts a traceback."""

    def __init__(self, data: Path) -> None:
        self.data = data

    def command(self, *arguments: str) -> list[str]:
        return [sys.executable, "-m", "desk_assistant", "--data-dir", str(self.data), *arguments]

    def __call__(
        self,
        *arguments: str,
        stdin: str | bytes | None = None,
        env: Mapping[str, str] | None = None,
        wrapper: tuple[str, ...] = (),
        timeout: float = 240,
    ) -> Result:
        given = stdin.encode("utf-8", "surrogatepass") if isinstance(stdin, str) else stdin
        done = subprocess.run(
            [*wrapper, *self.command(*arguments)],
            input=given if given is not None else b"",
            capture_output=True,
            timeout=timeout,
            env={**os.environ, **SURROUNDINGS, **(env or {})},
            check=False,
        )
        result = Result(done.args, done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
        assert "Traceback" not in result.stderr + result.stdout
        return result
