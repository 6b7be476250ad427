"""How the assistant's parts stand, for status lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

PartState = Literal["off", "starting", "ready", "failed"]


@dataclass(frozen=True)
class PartStatus:
    """One part: the language model, or the memory search.

    Attributes:
        state: `off` (not asked for), `starting`, `ready` or `failed`.
        detail: A sentence for the person, empty when there is nothing to say.
        progress: Share that is loaded, 0 to 1, where known; of a memory search that is ready, the share of records that
            were embedded anew, while that goes on.
    """

    state: PartState = "off"
    detail: str = ""
    progress: float | None = None


@dataclass(frozen=True)
class Status:
    """All parts.

    Attributes:
        llm: The language model.
        index: The memory search.
        pending: Pieces of background work that wait.
    """

    llm: PartStatus = PartStatus()
    index: PartStatus = PartStatus()
    pending: int = 0
