"""A list that draws only the rows in view, so that ten thousand memories scroll like ten."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import ClassVar, Final

from rich.cells import cell_len
from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from desk_assistant.tui.cells import fit, one_line, wrap

GUTTER: Final = 4
"""Cells that a row's text does not get: the edge, the mark, and one to breathe."""


@dataclass(frozen=True)
class Row:
    """One row.

    Attributes:
        id: Id of the record; empty for a heading, which cannot be chosen.
        text: What it says; wrapped over the row's lines.
        note: Dimmer lines at the end (date, state); none when empty.
        mark: One or two cells before the text, which say its state without colour.
        height: Lines for the text, at most; a shorter text takes fewer.
    """

    id: str
    text: str
    note: str = ""
    mark: str = ""
    height: int = 1


class RowList(ScrollView, can_focus=True):
    """Rows with a cursor, marks for several at once, and a hook for loading more.

    Attributes:
        cursor: Index of the chosen row, -1 when there is none.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        ("up", "move(-1)"),
        ("down", "move(1)"),
        ("k", "move(-1)"),
        ("j", "move(1)"),
        ("pageup", "page(-1)"),
        ("pagedown", "page(1)"),
        ("home", "edge(0)"),
        ("end", "edge(-1)"),
        ("enter", "open"),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row--text",
        "row--note",
        "row--heading",
        "row--cursor",
        "row--cursor-blurred",
        "row--marked",
    }
    DEFAULT_CSS = """
    RowList {
        height: 1fr;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        & > .row--text { color: $foreground; }
        & > .row--note { color: $text-muted; }
        & > .row--heading { color: $text-secondary; text-style: bold; }
        & > .row--cursor { background: $block-cursor-background; color: $block-cursor-foreground; text-style: bold; }
        & > .row--cursor-blurred { background: $boost; }
        & > .row--marked { text-style: underline; }
    }
    """

    cursor: reactive[int] = reactive(-1)

    class Chosen(Message):
        """A row was opened with Enter or a click."""

        def __init__(self, rows: RowList, row_id: str) -> None:
            super().__init__()
            self.rows = rows
            self.row_id = row_id

        @property
        def control(self) -> RowList:
            """The list."""
            return self.rows

    class NearEnd(Message):
        """The cursor or the view came near the last row; more may be added."""

        def __init__(self, rows: RowList) -> None:
            super().__init__()
            self.rows = rows

        @property
        def control(self) -> RowList:
            """The list."""
            return self.rows

    def __init__(self, *, empty: str = "", id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.empty = empty
        self.marked: set[str] = set()
        self._rows: list[Row] = []
        self._gone = ""
        self._ends: list[int] = []

    @property
    def rows(self) -> Sequence[Row]:
        """All rows, headings included."""
        return self._rows

    @property
    def current(self) -> Row | None:
        """The row under the cursor."""
        return self._rows[self.cursor] if 0 <= self.cursor < len(self._rows) else None

    @property
    def selection(self) -> tuple[str, ...]:
        """Ids of the marked rows in their order, or of the row under the cursor when none is marked."""
        if self.marked:
            return tuple(row.id for row in self._rows if row.id in self.marked)
        return (self.current.id,) if self.current is not None else ()

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows; the cursor stays on the same record, or near it when it is gone."""
        kept_id = self.current.id if self.current is not None else ""
        kept_at = self.cursor
        self._rows = list(rows)
        self.marked &= {row.id for row in rows}
        self._measure()
        places = {row.id: n for n, row in enumerate(self._rows) if row.id}
        position = places.get(kept_id)
        if self._gone in places:  # brought back by undo: that is where one was
            position, self._gone = places[self._gone], ""
        elif kept_id and position is None:
            self._gone = kept_id
        self.set_reactive(RowList.cursor, self._nearest(kept_at if position is None else position))
        self.refresh()

    def add_rows(self, rows: Sequence[Row]) -> None:
        """Append rows below."""
        self._rows.extend(rows)
        self._measure()
        if self.cursor < 0:
            self.cursor = self._nearest(0)
        self.refresh()

    def toggle_mark(self) -> None:
        """Mark the row under the cursor, or take its mark away, and go one down."""
        if self.current is not None:
            self.marked ^= {self.current.id}
            self.action_move(1)
            self.refresh()

    def focus_row(self, row_id: str) -> None:
        """Put the cursor on a record, if it is there."""
        for number, row in enumerate(self._rows):
            if row.id == row_id:
                self.cursor = number

    def _measure(self) -> None:
        width = max(1, self.scrollable_content_region.width)
        self._ends = list(accumulate(self._lines(row, width - GUTTER) for row in self._rows))
        self.virtual_size = Size(width, self.total_lines)

    @property
    def total_lines(self) -> int:
        """Lines of all rows."""
        return self._ends[-1] if self._ends else 0

    @staticmethod
    def _lines(row: Row, width: int) -> int:
        note = row.note.count("\n") + 1 if row.note else 0
        if row.height == 1:
            return 1 + note
        if row.height == 2:
            # Ten thousand rows are measured at once: breaking each into lines would be felt.
            return (1 if cell_len(row.text[: width + 1]) <= width else 2) + note
        return len(wrap(row.text[: row.height * width], width, row.height)) + note

    def _height(self, index: int) -> int:
        return self._ends[index] - (self._ends[index - 1] if index else 0)

    def _nearest(self, index: int) -> int:
        """Return the record at or after `index`, else the last before it, else -1."""
        after = next((n for n in range(max(0, index), len(self._rows)) if self._rows[n].id), None)
        if after is not None:
            return after
        return next((n for n in range(min(index, len(self._rows)) - 1, -1, -1) if self._rows[n].id), -1)

    def watch_cursor(self) -> None:
        """Keep the chosen row in view, and its heading when it is the first below one."""
        if not 0 <= self.cursor < len(self._rows):
            return
        first = self.cursor - 1 if self.cursor > 0 and not self._rows[self.cursor - 1].id else self.cursor
        top = self._ends[first] - self._height(first)
        self.scroll_to_region(Region(0, top, 1, self._ends[self.cursor] - top), animate=False, force=True)
        self.refresh()
        if self.cursor >= len(self._rows) - 20:
            self.post_message(self.NearEnd(self))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Ask for more rows when the mouse has scrolled near the end."""
        super().watch_scroll_y(old_value, new_value)
        if self._ends and new_value > old_value and new_value + self.size.height >= self._ends[-1] - 40:
            self.post_message(self.NearEnd(self))

    def action_move(self, step: int) -> None:
        """Go to the next record up or down, past headings."""
        index = self.cursor + step
        while 0 <= index < len(self._rows):
            if self._rows[index].id:
                self.cursor = index
                return
            index += step

    def action_page(self, direction: int) -> None:
        """Go one screen up or down."""
        if not 0 <= self.cursor < len(self._rows):
            return
        line = self._ends[self.cursor] + direction * max(1, self.size.height - 1)
        index = min(len(self._rows) - 1, max(0, bisect_right(self._ends, max(0, line - 1))))
        self.cursor = self._nearest(index)

    def action_edge(self, index: int) -> None:
        """Go to the first or the last record."""
        self.cursor = self._nearest(0) if index == 0 else self._nearest(len(self._rows))

    def action_open(self) -> None:
        """Open the row under the cursor."""
        if self.current is not None:
            self.post_message(self.Chosen(self, self.current.id))

    def row_at(self, y: int) -> Row | None:
        """Return the record drawn at a line of the view, None for a heading or below the last."""
        index = bisect_right(self._ends, y + self.scroll_offset.y)
        return self._rows[index] if index < len(self._rows) and self._rows[index].id else None

    def on_click(self, event: events.Click) -> None:
        """Choose and open the row that was clicked."""
        if self.row_at(event.y) is not None:
            self.cursor = bisect_right(self._ends, event.y + self.scroll_offset.y)
            self.action_open()

    def on_resize(self) -> None:
        """Take the new width."""
        self._measure()

    def render_line(self, y: int) -> Strip:
        """Draw one line of the view."""
        width = self.scrollable_content_region.width
        if not self._rows:
            lines = wrap(self.empty, width - 2, 6)
            text = f" {lines[y]}" if y < len(lines) else ""
            return self._strip(text, width, "row--note")
        line = y + self.scroll_offset.y
        index = bisect_right(self._ends, line)
        if index >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        row = self._rows[index]
        height = self._height(index)
        return self._draw(row, line - (self._ends[index] - height), height, width, index == self.cursor)

    def _draw(self, row: Row, line: int, height: int, width: int, chosen: bool) -> Strip:
        if not row.id:
            return self._strip(f" {one_line(row.text)}", width, "row--heading")
        notes = row.note.split("\n") if row.note else []
        is_note = line >= height - len(notes)
        names = ["row--note" if is_note else "row--text"]
        if row.id in self.marked:
            names.append("row--marked")
        if chosen:
            names.append("row--cursor" if self.has_focus else "row--cursor-blurred")
        gutter = ("✓" if row.id in self.marked else row.mark) if line == 0 else ""
        if is_note:
            text = one_line(notes[line - height])
        else:
            lines = wrap(row.text[: row.height * width], width - GUTTER, row.height)
            text = lines[line] if line < len(lines) else ""
        # The bar shows the cursor to those who do not see the colour.
        edge = "▌" if chosen else " "
        return self._strip(f"{edge}{fit(gutter, 2)}{text}", width, *names)

    def _strip(self, text: str, width: int, *names: str) -> Strip:
        style = self.get_visual_style(*names).rich_style
        return Strip([Segment(fit(text, width), style)], width)
