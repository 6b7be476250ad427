"""The conversation: the last messages as widgets, older ones on demand, and the turn that is running at the end."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Final

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widget import Widget
from textual.widgets import Button, Static

from desk_assistant.assistant.events import Answered, Piece, Reading, Recalled, Saved, TurnEvent, Waiting
from desk_assistant.i18n import t
from desk_assistant.memory.records import RecallResult
from desk_assistant.store import Message
from desk_assistant.tui.rows import Card, item_card
from desk_assistant.tui.widgets.recall_cards import RecallCards
from desk_assistant.tui.widgets.turns import AnswerTurn, Turn, UserTurn

PAGE: Final = 30
"""Messages mounted at first, and added by each step back, at most."""

PAGE_LINES: Final = 110
"""Lines of text after which a page is full: each becomes a widget or so, and all are laid out anew while one grows."""

LIVE_LINES: Final = 40
"""The same while an answer streams, when the screen is laid out many times a second."""

PAGE_LEAST: Final = 6
"""Messages that are mounted however long they are."""

MESSAGE_LINES: Final = 3
"""Lines that a message counts besides its text."""


def page_start(messages: Sequence[Message], end: int, full: int = PAGE_LINES) -> int:
    """Return where the page of messages begins that ends before `end` and holds about `full` lines."""
    lines = 0
    for start in range(end - 1, -1, -1):
        lines += MESSAGE_LINES + messages[start].content.count("\n")
        count = end - start
        if count >= PAGE or (lines >= full and count >= PAGE_LEAST):
            return start
    return 0


CardSource = Callable[[Sequence[str]], Awaitable[list[Card]]]


class Welcome(Static):
    """What is shown in an empty conversation."""

    def __init__(self, *, private: bool) -> None:
        super().__init__(t("tui.empty_private") if private else t("tui.empty_chat"), id="welcome", markup=False)


class Transcript(VerticalScroll):
    """Shows one conversation.

    Args:
        cards: Looks up what was recalled for a stored answer.
        clock: Tells the time, for dates on cards.
    """

    def __init__(self, cards: CardSource, clock: Callable[[], datetime]) -> None:
        super().__init__(id="transcript")
        self.can_focus = False
        self._cards = cards
        self._clock = clock
        self._messages: list[Message] = []
        self._first = 0
        self._left_out = 0
        self._private = False
        self._answer: AnswerTurn | None = None

    def compose(self) -> ComposeResult:
        """Begin empty."""
        yield Welcome(private=False)

    async def show(self, messages: Sequence[Message], *, private: bool, left_out: int = 0) -> None:
        """Show another conversation, at its end."""
        self._messages = list(messages)
        self._private = private
        self._left_out = left_out
        self._answer = None
        self._first = page_start(self._messages, len(self._messages))
        async with self.batch():
            await self.remove_children()
            widgets = await self._widgets(self._messages[self._first :])
            if self._first:
                widgets.insert(0, Button(t("tui.show_older", count=self._first), id="older", compact=True))
            await self.mount_all(widgets or [Welcome(private=private)])
            await self._mark_left_out()
        self.anchor(bool(widgets))

    async def show_older(self) -> None:
        """Add a page of older messages above, without moving what is in view."""
        if not self._first:
            return
        start = page_start(self._messages, self._first)
        widgets = await self._widgets(self._messages[start : self._first])
        self._first = start
        below = self.max_scroll_y - self.scroll_y
        self.release_anchor()
        async with self.batch():
            await self.mount_all(widgets, before=0)
            await self._offer_older(start)
            await self._mark_left_out()
        self.call_after_refresh(lambda: self.scroll_to(y=self.max_scroll_y - below, animate=False))

    async def reveal(self, message_id: str) -> None:
        """Bring one message into view, mounting older ones as far as needed, and put the focus on it."""
        index = next((n for n, message in enumerate(self._messages) if message.id == message_id), None)
        if index is None:
            return
        while index < self._first:
            await self.show_older()
        turn = next(
            (turn for turn in self.query(Turn) if turn.message is not None and turn.message.id == message_id), None
        )
        if turn is not None:
            self.release_anchor()
            turn.focus()
            self.call_after_refresh(lambda: self.scroll_to_widget(turn, animate=False, top=True))

    async def _widgets(self, messages: Sequence[Message]) -> list[Widget]:
        widgets: list[Widget] = []
        for message in messages:
            if message.role == "user":
                widgets.append(UserTurn(message, private=self._private))
                continue
            cards = await self._cards(RecallResult.recalled_ids(message.recalled)) if message.recalled else []
            if cards:
                widgets.append(RecallCards(cards, self._clock().date()))
            widgets.append(AnswerTurn(message))
        return widgets

    async def _mark_left_out(self) -> None:
        """Draw the line between what the model no longer sees and what it does."""
        for marker in self.query(".left-out"):
            await marker.remove()
        if not self._first < self._left_out < len(self._messages):
            return
        border = self._messages[self._left_out].id
        for turn in self.query(Turn):
            if turn.message is not None and turn.message.id == border:
                marker = Static(t("tui.left_out", count=self._left_out), classes="left-out", markup=False)
                await self.mount(marker, before=turn)
                return

    async def set_left_out(self, count: int) -> None:
        """Move the marker after a turn."""
        if count != self._left_out:
            self._left_out = count
            await self._mark_left_out()

    # --- the running turn -----------------------------------------------------------------------------------------

    async def apply(self, event: TurnEvent) -> None:
        """Show the next event of the running turn."""
        match event:
            case Saved():
                await self._saved(event.message)
            case Recalled():
                await self._recalled(event.result)
            case Waiting():
                await (await self._open_answer()).progress(t("tui.waiting", model=event.model))
            case Reading():
                await (await self._open_answer()).progress(t("tui.reading", done=event.done, total=event.total))
            case Piece():
                await (await self._open_answer()).piece(event.text, thinking=event.thinking)
            case Answered():
                await (await self._open_answer()).finish(event)
                self._messages.append(event.message)
                self._answer = None

    async def fail(self, sentence: str) -> None:
        """The turn ended with an error: keep what came, and say why."""
        await (await self._open_answer()).fail(sentence)
        self._answer = None

    async def _saved(self, message: Message) -> None:
        if any(known.id == message.id for known in self._messages[-2:]):
            return  # an answer is made again: its question is there already
        self._messages.append(message)
        async with self.batch():
            await self.query(Welcome).remove()
            await self._prune(page_start(self._messages, len(self._messages), LIVE_LINES))
            await self.mount(UserTurn(message, private=self._private))
        self.anchor()

    async def _prune(self, start: int) -> None:
        """Take messages before `start` off the screen; they come back on demand."""
        if start <= self._first:
            return
        kept = {message.id for message in self._messages[start:]}
        gone: list[Widget] = []
        for child in self.children:
            if isinstance(child, Turn) and (child.message is None or child.message.id in kept):
                break
            gone.append(child)
        # The cards of the first answer that stays belong to its question, which may have gone.
        self._first = start
        await self.remove_children(gone)
        await self._offer_older(start)

    async def _offer_older(self, count: int) -> None:
        for button in self.query("#older"):
            await button.remove()
        if count:
            await self.mount(Button(t("tui.show_older", count=count), id="older", compact=True), before=0)

    async def _recalled(self, result: RecallResult) -> None:
        if result.items:
            cards = [item_card(item) for item in result.items]
            await self.mount(RecallCards(cards, self._clock().date(), by_text_only=result.by_text_only))
        await (await self._open_answer()).progress(t("tui.thinking_of_it"))

    async def _open_answer(self) -> AnswerTurn:
        if self._answer is None:
            self._answer = AnswerTurn()
            await self.mount(self._answer)
        return self._answer

    async def on_button_pressed(self, event: Button.Pressed) -> None:
        """Show older messages."""
        if event.button.id == "older":
            event.stop()
            await self.show_older()
