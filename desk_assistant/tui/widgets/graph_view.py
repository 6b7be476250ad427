"""The Graph tab: one entity and what stands one step away from it. Enter takes the step, Backspace goes back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button, Static

from desk_assistant.i18n import t
from desk_assistant.tui import keymap
from desk_assistant.tui.widgets.row_list import Row, RowList

Act = Literal["step", "back", "home", "fact", "path", "join", "part"]
BUTTONS: Final[tuple[Act, ...]] = ("back", "home", "fact", "path", "join", "part")
IN_A_ROW: Final = 3
"""Buttons that fit into a narrow panel side by side, in both languages."""


class GraphAsked(Message):
    """Something was asked of the graph, about the row under the cursor or about the entity that is shown."""

    def __init__(self, act: Act, row_id: str) -> None:
        super().__init__()
        self.act = act
        self.row_id = row_id


class GraphList(RowList):
    """What stands beside the entity, with the keys of the graph."""

    def __init__(self) -> None:
        super().__init__(empty=t("panel.empty_graph"), id="graph-list")
        keymap.bind(self, "memory", "graph")

    def action_open(self) -> None:
        """Take the step under the cursor."""
        self.action_ask("step")

    def action_ask(self, act: Act) -> None:
        """Ask something of the graph."""
        self.post_message(GraphAsked(act, self.current.id if self.current is not None else ""))


class GraphView(Vertical):
    """Where one is in the graph, the buttons, and the rows."""

    def __init__(self) -> None:
        super().__init__(id="graph-view")

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        yield Static("", id="graph-trail", markup=False)
        for start in range(0, len(BUTTONS), IN_A_ROW):
            with Horizontal(classes="panel-buttons -foot"):
                for act in BUTTONS[start : start + IN_A_ROW]:
                    yield Button(t(f"panel.graph_{act}"), id=f"graph-{act}", compact=True)
        yield GraphList()

    def show(self, trail: str, rows: Sequence[Row], possible: Sequence[Act]) -> None:
        """Show where one is, what stands there, and the buttons that can do something."""
        self.query_one("#graph-trail", Static).update(trail)
        self.query_one(GraphList).set_rows(rows)
        for act in BUTTONS:
            self.query_one(f"#graph-{act}", Button).display = act in possible

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Do what the button says."""
        event.stop()
        rows = self.query_one(GraphList)
        rows.focus()  # the button may hide now, and the keys belong to the rows
        for act in BUTTONS:
            if event.button.id == f"graph-{act}":
                # As its own doing: Textual stops a message at the widget in whose name it was posted.
                rows.call_later(rows.action_ask, act)
