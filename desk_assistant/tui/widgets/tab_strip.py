"""Tab names on as many lines as they need: in a narrow panel every tab stays in view, and can be clicked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget


class TabStrip(Widget):
    """Names in a row that wraps. The open one stands in brackets, for those who do not see the colour.

    Args:
        tabs: Id and label of each, in order.
        focus: Whether it can hold the focus; left and right pick then.

    Attributes:
        active: Id of the open one.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"tab--active"}
    DEFAULT_CSS = """
    TabStrip {
        height: auto;
        & > .tab--active { text-style: bold reverse; }
        &:focus { background: $boost; text-style: underline; }
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [("left", "pick(-1)"), ("right", "pick(1)")]

    active: reactive[str] = reactive("")

    class Picked(Message):
        """A tab was clicked."""

        def __init__(self, strip: TabStrip, name: str) -> None:
            super().__init__()
            self.strip = strip
            self.name = name

    def __init__(self, tabs: Sequence[tuple[str, str]], *, focus: bool = False, id: str | None = None) -> None:
        super().__init__(id=id)
        self.can_focus = focus
        self._tabs = tuple(tabs)
        self.set_reactive(TabStrip.active, self._tabs[0][0])

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return how many lines the names take."""
        del container, viewport
        return len(self._lines(width))

    def render(self) -> Content:
        """Draw the names."""
        lines = []
        for line in self._lines(self.size.width):
            parts: list[Content | str] = []
            for name, label in line:
                if name == self.active:
                    parts.append(Content(f"[{label}]").stylize(self.get_visual_style("tab--active", partial=True)))
                else:
                    parts.append(f" {label} ")
            lines.append(Content.assemble(*parts))
        return Content("\n").join(lines)

    def action_pick(self, step: int) -> None:
        """Pick the next name to the left or right."""
        names = [name for name, _ in self._tabs]
        self.post_message(self.Picked(self, names[(names.index(self.active) + step) % len(names)]))

    def on_click(self, event: events.Click) -> None:
        """Pick the name under the mouse."""
        event.stop()
        lines = self._lines(self.size.width)
        x = event.x
        for name, label in lines[event.y] if event.y < len(lines) else ():
            x -= cell_len(label) + 2
            if x < 0:
                self.post_message(self.Picked(self, name))
                return

    def _lines(self, width: int) -> list[list[tuple[str, str]]]:
        lines: list[list[tuple[str, str]]] = [[]]
        used = 0
        for name, label in self._tabs:
            cells = cell_len(label) + 2
            if lines[-1] and used + cells > width:
                lines.append([])
                used = 0
            lines[-1].append((name, label))
            used += cells
        return lines
