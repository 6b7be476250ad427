"""Radio buttons and tick boxes whose state is another character, not only another colour."""

from __future__ import annotations

from rich.segment import Segment
from textual.strip import Strip
from textual.widgets import RadioButton, SelectionList
from textual.widgets.option_list import OptionDoesNotExist


class Radio(RadioButton):
    """One of several: a filled circle when it is the one."""

    @property
    def BUTTON_INNER(self) -> str:  # type: ignore[override]  # noqa: N802 - Textual's name
        """The circle."""
        return "●" if self.value else "○"


class Ticks(SelectionList[str]):
    """Any of several: a cross in the box of each that is chosen, an empty box before the others."""

    def render_line(self, y: int) -> Strip:
        """Draw one line."""
        strip = super().render_line(y)
        try:
            option = self.get_option_at_index(self.scroll_offset.y + y)
        except OptionDoesNotExist:
            return strip
        if option.value in self.selected:
            return strip
        left, inner, *rest = strip
        return Strip([left, Segment(" ", inner.style, inner.control), *rest], strip.cell_length)
