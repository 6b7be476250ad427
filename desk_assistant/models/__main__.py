"""Installs the starter models: `python -m desk_assistant.models setup`. Used by the Makefile."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from typing import Final, TextIO

from desk_assistant import i18n
from desk_assistant.errors import DeskError
from desk_assistant.models.install import Installer
from desk_assistant.models.progress import Progress
from desk_assistant.models.registry import ModelStore
from desk_assistant.paths import Locations

INTERRUPTED: Final = 130
QUIET_SECONDS: Final = 3.0
"""Seconds between two lines of the same stage when the output is not a terminal."""


class ProgressLines:
    """Prints progress: one line that is rewritten on a terminal, a line every few seconds elsewhere.

    Args:
        stream: Where to print.
        clock: Seconds, ever rising.
    """

    def __init__(self, stream: TextIO, clock: Callable[[], float] = time.monotonic) -> None:
        self._stream = stream
        self._clock = clock
        self._live = stream.isatty()
        self._stage: tuple[str, str] | None = None
        self._last = 0.0
        self._width = 0

    def __call__(self, progress: Progress) -> None:
        """Print one report, unless it would only repeat the last one."""
        stage, now = (progress.model, progress.stage), self._clock()
        pause = 0.1 if self._live else QUIET_SECONDS
        if stage == self._stage and now - self._last < pause and progress.stage != "convert":
            return
        self._last = now
        line = str(progress)
        if self._live:
            ended = stage != self._stage and self._stage is not None
            print("\n" if ended else "\r", line.ljust(self._width), sep="", end="", file=self._stream, flush=True)
            self._width = len(line)
        else:
            print(line, file=self._stream, flush=True)
        self._stage = stage

    def finish(self) -> None:
        """End the line that was being rewritten."""
        if self._live and self._stage is not None:
            print(file=self._stream, flush=True)
        self._stage = None


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code."""
    parser = argparse.ArgumentParser(prog="python -m desk_assistant.models", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    setup = commands.add_parser("setup", help="install the starter models that are missing")
    setup.add_argument("models", nargs="*", metavar="MODEL", help="ids from the catalogue; all starters by default")
    options = parser.parse_args(arguments)
    i18n.set_language("auto")
    try:
        return _setup(options.models)
    except DeskError as error:
        print(error, file=sys.stderr)
        if error.cause:
            print(error.cause, file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print(i18n.t("models.interrupted"), file=sys.stderr)
        return INTERRUPTED


def _setup(wanted: Sequence[str]) -> int:
    locations = Locations.find()
    store = ModelStore(locations.model_folders, locations.models)
    installer = Installer(store)
    entries = [store.catalogue.get(model_id) for model_id in wanted] or list(store.catalogue.starters())
    for entry in entries:
        if store.has(entry.id):
            print(i18n.t("models.ready", model=entry.id, path=store.path(entry.id)), file=sys.stderr)
            continue
        if entry.terms:
            print(entry.terms, file=sys.stderr)
        lines = ProgressLines(sys.stderr)
        try:
            installed = installer.install(entry.id, lines)
        finally:
            lines.finish()
        print(i18n.t("models.ready", model=entry.id, path=installed.path), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
