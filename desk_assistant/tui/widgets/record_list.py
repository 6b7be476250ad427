"""A list of facts, episodes, messages or insights with the keys for them."""

from __future__ import annotations

from textual import events
from textual.message import Message

from desk_assistant.i18n import t
from desk_assistant.tui import keymap
from desk_assistant.tui.messages import (
    AddRecord,
    ConfirmRecords,
    EditRecord,
    ForgetRecords,
    PinRecord,
    SettleRecords,
)
from desk_assistant.tui.rows import PINNED
from desk_assistant.tui.widgets.row_list import RowList

MARGIN = 3
"""Cells at the left edge of a row in which a click marks it instead of opening it."""


class RecordList(RowList):
    """Rows of records. Several can be marked, with the space bar or a click on the left edge, and changed together.

    Args:
        name: What it holds; its id is this with `-list`.
        keys: Whether it has the keys that change memory; without them it is there for marking and opening.
    """

    class MarksChanged(Message):
        """Other rows are marked than before."""

        def __init__(self, rows: RecordList) -> None:
            super().__init__()
            self.rows = rows

    def __init__(self, name: str, *, keys: bool = True) -> None:
        super().__init__(empty=t(f"panel.empty_{name}"), id=f"{name}-list")
        if keys:
            keymap.bind(self, "memory")
        else:
            self._bindings.bind("space", "mark", show=False)

    @property
    def _fact(self) -> str | None:
        """Id of the fact under the cursor; the keys that change wording are for facts alone."""
        return self.current.id if self.current is not None and self.current.id.startswith("f_") else None

    def action_edit(self) -> None:
        """Ask for a new wording."""
        if self._fact is not None:
            self.post_message(EditRecord(self._fact))

    def action_pin(self) -> None:
        """Pin it, or let it go."""
        if self._fact is not None and self.current is not None:
            self.post_message(PinRecord(self._fact, self.current.mark != PINNED))

    def action_confirm(self) -> None:
        """Say that the marked facts, or the one under the cursor, are right."""
        facts = tuple(record_id for record_id in self._take() if record_id.startswith("f_"))
        if facts:
            self.post_message(ConfirmRecords(facts))

    def action_settle(self) -> None:
        """Mark tasks as done or reopen them, put other records aside or bring them back."""
        if ids := self._take():
            self.post_message(SettleRecords(ids))

    def action_forget(self) -> None:
        """Forget the marked records, or the one under the cursor."""
        if ids := self._take():
            self.post_message(ForgetRecords(ids))

    def action_mark(self) -> None:
        """Mark it, for changing several at once."""
        self.toggle_mark()
        self.post_message(self.MarksChanged(self))

    def action_add(self) -> None:
        """Ask for something to remember."""
        self.post_message(AddRecord())

    def unmark(self) -> None:
        """Take all marks away."""
        self.marked = set()
        self.refresh()
        self.post_message(self.MarksChanged(self))

    def on_click(self, event: events.Click) -> None:
        """Mark with the left edge or with Ctrl; open elsewhere."""
        row = self.row_at(event.y)
        if row is None or not (event.x < MARGIN or event.ctrl):
            return
        event.prevent_default()
        self.focus_row(row.id)
        self.marked ^= {row.id}
        self.refresh()
        self.post_message(self.MarksChanged(self))

    def _take(self) -> tuple[str, ...]:
        """Return what a key acts on, and take the marks away."""
        ids = self.selection
        if self.marked:
            self.unmark()
        return ids
