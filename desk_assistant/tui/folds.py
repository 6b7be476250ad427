"""Long pastes, folded: the field shows one short line in the place of a text that would take seconds to lay out."""

from __future__ import annotations

from typing import Final

from desk_assistant.i18n import t

FOLDED_FROM: Final = 20_000
"""Characters from which a text is folded. Wrapping less than this takes a few hundredths of a second at most."""


class Folds:
    """Keeps the texts that stand behind folded lines.

    A folded line is ordinary text of the field. While it is whole it stands for its text; somebody who changes it sees
    what will be sent instead.
    """

    def __init__(self) -> None:
        self._texts: dict[str, str] = {}

    def fold(self, text: str) -> str:
        """Return a short line for a long text, any other text as it is."""
        if len(text) < FOLDED_FROM:
            return text
        line = t(
            "tui.folded", number=len(self._texts) + 1, lines=f"{text.count(chr(10)) + 1:,}", count=f"{len(text):,}"
        )
        self._texts[line] = text
        return line

    def unfold(self, shown: str) -> str:
        """Return what a shown text stands for."""
        if self._texts:
            # Each only once and from the left, so that a paste which quotes such a line is left alone.
            for line, text in self._texts.items():
                before, found, after = shown.partition(line)
                if found:
                    shown = before + text + after
        return shown

    def line_before(self, shown: str) -> str:
        """Return the folded line that a text ends with, or nothing."""
        return next((line for line in self._texts if shown.endswith(line)), "")

    def clear(self) -> None:
        """Forget all texts: the field is empty."""
        self._texts.clear()
