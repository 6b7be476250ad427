"""The line under the composer that says, before sending, which parts will be masked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.content import Content
from textual.widgets import Static

from desk_assistant.i18n import t
from desk_assistant.tui.cells import fit, one_line

if TYPE_CHECKING:
    from desk_assistant.privacy import Span

SHOWN = 3
"""How many parts are named; more are counted."""


class MaskHint(Static):
    """Names the masked parts of the draft; hidden when there are none."""

    def __init__(self) -> None:
        super().__init__(id="mask-hint")
        self.display = False

    def tell(self, text: str, spans: Sequence[Span], *, private: bool) -> None:
        """Name the parts of `text` that will be masked; in a private conversation nothing is written anyway."""
        self.display = bool(spans) and not private
        if not self.display:
            return
        # The filter is not needed for the first frame, in which this line stands already.
        from desk_assistant.tui.masking import kind_name

        parts: list[Content | str | tuple[str, str]] = [(t("tui.mask_hint") + " ", "")]
        for number, span in enumerate(spans[:SHOWN]):
            named = [(f"{kind_name(span.type)} ", "bold"), (_short(text[span.start : span.end]), "underline")]
            parts.extend([("  " if number else "", ""), *named])
        if len(spans) > SHOWN:
            parts.append(("  " + t("tui.mask_more", count=len(spans) - SHOWN), ""))
        self.update(Content.assemble(*parts))


def _short(part: str) -> str:
    line = one_line(part)
    return line if len(line) <= 24 else fit(line, 24)
