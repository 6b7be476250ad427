"""What memory holds about a question, as cards between the question and its answer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from desk_assistant.i18n import t
from desk_assistant.tui.cells import one_line
from desk_assistant.tui.dates import when
from desk_assistant.tui.messages import OpenRecord
from desk_assistant.tui.rows import Card

SHOWN: Final = 5
"""Cards shown; recall gives no more to an answer either, unless the settings say so."""


class RecallCard(Static, can_focus=True):
    """One remembered thing: Enter or a click opens it."""

    BINDINGS = [("enter", "open")]  # noqa: RUF012 - Textual's own declaration

    def __init__(self, card: Card, today: date) -> None:
        content = Content.assemble(
            (t(f"tui.card_{card.kind}"), "bold"),
            "  ",
            one_line(card.text),
            (f"  {when(card.at, today)}", "dim"),
        )
        super().__init__(content, classes="recall-card")
        self.card = card

    def action_open(self) -> None:
        """Open the memory."""
        self.post_message(OpenRecord(self.card.id))

    def on_click(self, event: events.Click) -> None:
        """Open the memory."""
        event.stop()
        self.action_open()


class RecallCards(Vertical):
    """The cards of one question, best first."""

    def __init__(self, cards: Sequence[Card], today: date, *, by_text_only: bool = False) -> None:
        super().__init__(classes="recall-cards")
        self._cards = tuple(cards)
        self._today = today
        self._by_text_only = by_text_only

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        yield Static(t("tui.cards_heading"), classes="cards-heading")
        for card in self._cards[:SHOWN]:
            yield RecallCard(card, self._today)
        if len(self._cards) > SHOWN:
            yield Static(t("tui.cards_more", count=len(self._cards) - SHOWN), classes="turn-note")
        if self._by_text_only:
            yield Static(t("tui.by_words_only"), classes="turn-note")
