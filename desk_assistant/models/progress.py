"""What a long step tells while it runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from desk_assistant import i18n


@dataclass(frozen=True)
class Progress:
    """One report of an install, import or verification.

    Attributes:
        stage: `"wait"` (another program holds the lock), `"fetch"`, `"extract"`, `"check"`, `"convert"` or `"done"`.
        model: Id of the model.
        done: Bytes finished in this stage.
        total: Bytes of the whole stage; 0 when unknown.
        detail: What exactly is handled now (a file or package name, or a line of the converter); may be empty.
    """

    stage: str
    model: str
    done: int = 0
    total: int = 0
    detail: str = ""

    def __str__(self) -> str:
        """Return the report as one line in the interface language."""
        if self.total:
            amount = f"{self.done / 1e6:.0f} / {self.total / 1e6:.0f} MB"
        else:
            amount = f"{self.done / 1e6:.0f} MB" if self.done else ""
        line = i18n.t(f"models.stage_{self.stage}", model=self.model)
        return " ".join(part for part in (line, amount, self.detail) if part)


ProgressCallback: TypeAlias = Callable[[Progress], None]
"""Receives reports, in the thread that does the work. It may raise to stop it: what was fetched is kept for later."""


def ignore(_progress: Progress) -> None:
    """Drop a report; the default of every function that takes a callback."""
