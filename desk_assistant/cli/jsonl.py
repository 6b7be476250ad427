"""Files of JSON lines given by scripts: read tolerantly, each bad line named and the others used."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import IO, Any, Final

from desk_assistant.errors import InputError, NotFoundError
from desk_assistant.i18n import t

PARTLY_DONE: Final = 7
"""Exit code when some of the given lines could not be used and all others were."""


@dataclass(frozen=True)
class BadLine:
    """A line that cannot be used.

    Attributes:
        number: Its place in the file, from 1.
        reason: A sentence about what is wrong with it.
    """

    number: int
    reason: str

    def __str__(self) -> str:
        return t("cli.bad_line", number=self.number, reason=self.reason)


def read_lines(path: str, required: Sequence[str]) -> Iterator[tuple[int, dict[str, Any]] | BadLine]:
    """Yield each line's number and object, or what is wrong with it. Empty lines are passed over.

    Args:
        path: A file, or `-` for standard input.
        required: Fields that must be there as text.

    Raises:
        NotFoundError: There is no such file.
        InputError: It cannot be read.
    """
    try:
        file: IO[bytes] = sys.stdin.buffer if path == "-" else open(path, "rb")  # noqa: SIM115, PTH123
        with file:
            for number, raw in enumerate(file, start=1):
                line = raw.decode("utf-8-sig" if number == 1 else "utf-8", errors="replace").strip()
                if line:
                    yield _parse(number, line, required)
    except FileNotFoundError as error:
        raise NotFoundError("cli.no_file", path=path) from error
    except OSError as error:
        raise InputError("cli.unreadable_file", path=path, reason=error.strerror or error) from error


def _parse(number: int, line: str, required: Sequence[str]) -> tuple[int, dict[str, Any]] | BadLine:
    try:
        row = json.loads(line)
    except (ValueError, RecursionError):
        return BadLine(number, t("cli.not_json"))
    if not isinstance(row, dict):
        return BadLine(number, t("cli.not_object"))
    for field in required:
        if not isinstance(row.get(field), str):
            return BadLine(number, t("cli.field_missing", field=field))
    return number, row
