"""What the command line prints: results on standard output, everything else on standard error, from this one module."""

from __future__ import annotations

import json
import os
import re
import sys
import time
import unicodedata
from collections.abc import Mapping
from typing import Final, TextIO

# C0 and C1 controls but tab and line feed: stored text must not be able to drive the terminal.
_CONTROL: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_STYLES: Final = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}
PLAIN_PROGRESS_SECONDS: Final = 5.0
"""Without a terminal a progress line is written at most this often."""
TERMINAL_PROGRESS_SECONDS: Final = 0.1


class Console:
    """Writes for one invocation of the program.

    Args:
        out: Stream for results.
        err: Stream for diagnostics and progress.
        quiet: Leave out diagnostics and progress; errors are still written.

    Attributes:
        as_json: The command was asked for JSON.
    """

    def __init__(self, out: TextIO | None = None, err: TextIO | None = None, *, quiet: bool = False) -> None:
        self._out = out or sys.stdout
        self._err = err or sys.stderr
        self.quiet = quiet
        self.as_json = False
        self._progress_width = 0
        self._progress_at: dict[str, float] = {}

    # --- results --------------------------------------------------------------------------------------------------

    def line(self, text: str = "", *styles: str) -> None:
        """Write one line of a result."""
        self._clear_progress()
        self._out.write(_styled(printable(text), styles, self._out) + "\n")

    def piece(self, text: str) -> None:
        """Write part of a line of a result at once, as it is streamed."""
        self._clear_progress()
        self._out.write(printable(text))
        self._out.flush()

    def record(self, values: Mapping[str, object]) -> None:
        """Write one JSON object on a line of its own."""
        self._clear_progress()
        self._out.write(json.dumps(values, ensure_ascii=False) + "\n")

    def flush(self) -> None:
        """Hand everything written so far to the reader."""
        self._out.flush()

    # --- diagnostics ----------------------------------------------------------------------------------------------

    def note(self, text: str, *styles: str) -> None:
        """Write a line about what goes on."""
        if not self.quiet:
            self._write_err(_styled(printable(text), styles, self._err))

    def warn(self, text: str) -> None:
        """Write a line that must not be missed, quiet or not."""
        self._write_err(_styled(printable(text), ("yellow",), self._err))

    def failure(self, key: str, text: str, code: int) -> None:
        """Write why the command failed: a sentence, or one JSON object where JSON was asked for.

        Args:
            key: A stable word for programs, such as `store.no_record`.
            text: The sentence.
            code: The exit code.
        """
        if self.as_json:
            self._write_err(json.dumps({"error": key, "message": text, "exit_code": code}, ensure_ascii=False))
        else:
            self.error(text)

    def error(self, text: str) -> None:
        """Write why the command failed."""
        self._write_err(_styled(f"desk-assistant: {printable(text)}", ("red",), self._err))

    def progress(self, text: str, *, step: str = "") -> None:
        """Show how far a long step is; on a terminal the line is rewritten in place, elsewhere now and then repeated.

        Args:
            text: What is done and how far it is.
            step: Name of the step; a new one is shown at once.
        """
        if self.quiet:
            return
        now, terminal = time.monotonic(), self._err.isatty()
        pause = TERMINAL_PROGRESS_SECONDS if terminal else PLAIN_PROGRESS_SECONDS
        if now - self._progress_at.get(step or text, float("-inf")) < pause:
            return
        self._progress_at[step or text] = now
        text = printable(text).replace("\n", " ")
        if not terminal:
            self._err.write(text + "\n")
        else:
            columns = max(20, _columns(self._err) - 1)
            text = fit(text, columns)
            self._err.write("\r" + text + " " * max(0, self._progress_width - width(text)))
            self._progress_width = width(text)
        self._err.flush()

    def ask(self, question: str) -> str:
        """Put a question on standard error and return what is typed, without the line end."""
        self._clear_progress()
        self._err.write(printable(question) + " ")
        self._err.flush()
        return sys.stdin.readline().strip()

    def _write_err(self, text: str) -> None:
        self._out.flush()  # so that both streams keep their order on one terminal
        self._clear_progress()
        self._err.write(text + "\n")
        self._err.flush()

    def _clear_progress(self) -> None:
        if self._progress_width:
            self._err.write("\r" + " " * self._progress_width + "\r")
            self._err.flush()
            self._progress_width = 0


def tolerant_streams() -> None:
    """Let the standard streams replace what their encoding lacks (lone surrogates, a Latin-1 terminal), never fail."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def interactive() -> bool:
    """Return whether a person sits at the program: standard input and output are a terminal."""
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout is not None and sys.stdout.isatty()


def printable(text: str) -> str:
    """Return `text` without control characters; tabs and line breaks stay."""
    return _CONTROL.sub("", text.replace("\r\n", "\n"))


def width(text: str) -> int:
    """Return how many terminal cells `text` takes: two for a wide character, none for a combining one."""
    return sum(map(_cells, text))


def fit(text: str, cells: int) -> str:
    """Return `text` cut to at most `cells` terminal cells, with an ellipsis when something was cut."""
    if width(text) <= cells:
        return text
    kept, used = [], 0
    for character in text:
        used += _cells(character)
        if used > cells - 1:
            break
        kept.append(character)
    return "".join(kept) + "…"


def pad(text: str, cells: int) -> str:
    """Return `text` filled with spaces up to `cells` terminal cells."""
    return text + " " * max(0, cells - width(text))


def _cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) == "Cf":
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1


def _columns(stream: TextIO) -> int:
    try:
        return os.get_terminal_size(stream.fileno()).columns or 80
    except (OSError, ValueError):
        return 80


def _styled(text: str, styles: tuple[str, ...], stream: TextIO) -> str:
    if not styles or not text or "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb" or not stream.isatty():
        return text
    return f"\x1b[{';'.join(_STYLES[style] for style in styles)}m{text}\x1b[0m"
