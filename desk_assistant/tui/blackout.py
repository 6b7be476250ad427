"""What was blacked out by forgetting, as it is shown: one mark for each place, and a line that explains it.

On disk such words keep their length, so that the places other memories cite stay right; a row of blocks as long as the
sentence it replaced would only ask what happened here.
"""

from __future__ import annotations

import re
from typing import Final

from desk_assistant.i18n import t
from desk_assistant.memory.traces import BLACK

RUN: Final = re.compile(rf"{BLACK}+(?:[^\S\n]*{BLACK}+)*")
EDGE: Final = "▒"


def mark() -> str:
    """Return what stands in the place of forgotten words, in the interface language."""
    return f"{EDGE} {t('panel.forgotten_here')} {EDGE}"


def shown(text: str) -> str:
    """Return a stored text with each blacked out place as the mark."""
    return RUN.sub(mark(), text) if BLACK in text else text


def note(text: str) -> str:
    """Return the line that explains the marks in a stored text, empty when it has none."""
    return t("panel.blacked_out", mark=mark()) if BLACK in text else ""
