"""What a profile knows about models from living with them: the terms that were accepted, and how fast they answered."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from desk_assistant.assistant.events import Usage
from desk_assistant.models import CatalogueEntry
from desk_assistant.store.ledger import Meta

LEAST_TOKENS: Final = 8
"""Tokens of an answer from which on its speed says something."""

WEIGHT: Final = 0.3
"""Share of the newest answer in the speed that is kept; the machine is not equally busy each time."""


class ModelNotes:
    """Kept in the profile's database.

    Args:
        meta: Where they are kept.
    """

    def __init__(self, meta: Meta) -> None:
        self._meta = meta

    def accepted(self, entry: CatalogueEntry | None) -> bool:
        """Tell whether nothing stands in the way of using a model: it has no terms, or they were accepted."""
        return entry is None or not entry.terms or self._meta.get(f"terms:{entry.licence}") is not None

    def accept(self, entry: CatalogueEntry) -> None:
        """Note that the person accepts the terms of a model, and so of all models under the same ones."""
        self._meta.set(f"terms:{entry.licence}", datetime.now(UTC).isoformat(timespec="seconds"))

    def speed(self, model_id: str) -> float | None:
        """Return the tokens a second that a model answers at here, None when it never did."""
        value = self._meta.get(f"speed:{model_id}")
        return float(value) if value else None

    def saw(self, model_id: str, usage: Usage) -> None:
        """Take note of how fast an answer came; one of a few words says nothing."""
        if usage.answer_tokens < LEAST_TOKENS or usage.tokens_per_second <= 0:
            return
        before = self.speed(model_id)
        now = usage.tokens_per_second
        self._meta.set(f"speed:{model_id}", f"{now if before is None else before + WEIGHT * (now - before):.2f}")
