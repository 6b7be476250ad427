"""The conversation: a window of its messages as widgets, and the turn that is running at the end.

Every widget is laid out anew whenever one of them grows, so only some pages are mounted at a time. Scrolling to an end
brings the next page there, and takes away what has become far at the other.
"""

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
from desk_assistant.tui.paging import LIVE_LINES, WINDOW_LINES, page_end, page_start
from desk_assistant.tui.rows import Card, item_card
from desk_assistant.tui.widgets.recall_cards import RecallCards
from desk_assistant.tui.widgets.turns import AnswerTurn, Turn, UserTurn

EDGE_LINES: Final = 1
"""Lines from an end of what is mounted at which the next page is fetched."""

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
        self._last = 0
        self._paging = False
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
        await self._show_end()

    async def _show_end(self) -> None:
        end = len(self._messages)
        await self._mount_window(page_start(self._messages, end), end)
        self.anchor(bool(self._messages))

    def action_scroll_end(self) -> None:
        """Go to the end of the conversation, not only to that of what is mounted."""
        if self._last < len(self._messages):
            self.run_worker(self._show_end(), group="page", exit_on_error=False)
        else:
            super().action_scroll_end()

    async def _mount_window(self, first: int, last: int) -> None:
        """Show the messages from `first` up to `last`, and no others."""
        self._first, self._last = first, last
        async with self.batch():
            await self.remove_children()
            widgets = await self._widgets(self._messages[first:last])
            await self.mount_all(widgets or [Welcome(private=self._private)])
            await self._offer_more()
            await self._mark_left_out()

    async def show_older(self) -> None:
        """Add a page of older messages above, without moving what is in view."""
        if not self._first or self._paging:
            return
        start = page_start(self._messages, self._first)
        widgets = await self._widgets(self._messages[start : self._first])
        # While an answer streams it has its place at the end.
        last = self._last if self._answer is not None else page_end(self._messages, start, WINDOW_LINES)
        await self._turn_page(widgets, start, min(self._last, last), above=True)

    async def show_newer(self) -> None:
        """Add a page of newer messages below, without moving what is in view."""
        if self._last >= len(self._messages) or self._paging:
            return
        end = page_end(self._messages, self._last)
        widgets = await self._widgets(self._messages[self._last : end])
        first = page_start(self._messages, end, WINDOW_LINES)
        await self._turn_page(widgets, max(self._first, first), end, above=False)

    async def _turn_page(self, widgets: list[Widget], first: int, last: int, *, above: bool) -> None:
        self._paging = True
        kept = [turn for turn in self.query(Turn) if self._stays(turn, first, last)]
        still = (kept[0] if above else kept[-1]) if kept else None
        offset = still.virtual_region.y - self.scroll_y if still is not None else 0
        # Only the end of the conversation may hold the view.
        self.anchor(last == len(self._messages))
        self.release_anchor()
        async with self.batch():
            if above:
                await self.mount_all(widgets, before=0)
            else:
                await self.mount_all(widgets)
            self._first, self._last = first, last
            await self.remove_children(self._outside({id(turn) for turn in kept}, set(map(id, widgets))))
            await self._offer_more()
            await self._mark_left_out()

        def stay() -> None:
            if still is not None:
                self.scroll_to(y=still.virtual_region.y - offset, animate=False, immediate=True)
            self._paging = False

        self.call_after_refresh(stay)

    def _stays(self, turn: Turn, first: int, last: int) -> bool:
        if turn.message is None:
            return True
        ids = {message.id for message in self._messages[first:last]}
        return turn.message.id in ids

    def _outside(self, kept: set[int], new: set[int]) -> list[Widget]:
        """Return the widgets that leave with the turns that do not stay; cards go with the answer below them."""
        gone: list[Widget] = []
        waiting: list[Widget] = []
        for child in self.children:
            if id(child) in new:
                continue
            if not isinstance(child, Turn):
                waiting.append(child)
                continue
            if id(child) not in kept:
                gone.extend([*waiting, child])
            waiting = []
        return gone

    async def reveal(self, message_id: str) -> None:
        """Bring one message into view, wherever in the conversation it is, and put the focus on it."""
        index = next((n for n, message in enumerate(self._messages) if message.id == message_id), None)
        if index is None:
            return
        if not self._first <= index < self._last:
            await self._mount_window(page_start(self._messages, index + 1), page_end(self._messages, index))
        turn = next(
            (turn for turn in self.query(Turn) if turn.message is not None and turn.message.id == message_id), None
        )
        if turn is not None:
            self.anchor(self._last == len(self._messages))
            self.release_anchor()
            turn.focus()
            self.call_after_refresh(lambda: self.scroll_to_widget(turn, animate=False, top=True))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Fetch the next page when an end comes into view."""
        super().watch_scroll_y(old_value, new_value)
        if self._paging or not self.is_attached:
            return
        if new_value < old_value and new_value <= EDGE_LINES and self._first:
            self.run_worker(self.show_older(), group="page", exit_on_error=False)
        elif new_value > old_value and new_value >= self.max_scroll_y - EDGE_LINES and self._last < len(self._messages):
            self.run_worker(self.show_newer(), group="page", exit_on_error=False)

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
        if not self._first < self._left_out < self._last:
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
                self._last = len(self._messages)
                self._answer = None

    async def fail(self, sentence: str) -> None:
        """The turn ended with an error: keep what came, and say why."""
        await (await self._open_answer()).fail(sentence)
        self._answer = None

    async def _saved(self, message: Message) -> None:
        if any(known.id == message.id for known in self._messages[-2:]):
            return  # an answer is made again: its question is there already
        if self._last < len(self._messages):
            await self._show_end()
        self._messages.append(message)
        self._last = len(self._messages)
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
        await self._offer_more()

    async def _offer_more(self) -> None:
        """Stand a button at each end where there is more; the mouse wheel and the keys fetch it by themselves."""
        for button in self.query("#older, #newer"):
            await button.remove()
        if self._first:
            await self.mount(Button(t("tui.show_older", count=self._first), id="older", compact=True), before=0)
        below = len(self._messages) - self._last
        if below:
            await self.mount(Button(t("screens.show_newer", count=below), id="newer", compact=True))

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
        """Show older or newer messages."""
        if event.button.id in ("older", "newer"):
            event.stop()
            await (self.show_older() if event.button.id == "older" else self.show_newer())
