"""One insight: the conclusion, and the words of the conversations that it rests on."""

from __future__ import annotations

from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Footer, Static

from desk_assistant.i18n import t
from desk_assistant.tui import keymap
from desk_assistant.tui.cells import clean
from desk_assistant.tui.dates import when
from desk_assistant.tui.host import Host
from desk_assistant.tui.messages import OpenSession, SettleRecords
from desk_assistant.tui.screens.dialog import Dialog
from desk_assistant.tui.widgets.record_list import RecordList
from desk_assistant.tui.widgets.row_list import Row, RowList

INSIGHT: Final = "i_"
"""What the ids of insights begin with."""


class InsightScreen(Dialog[None]):
    """Enter on a source opens its conversation at those words."""

    def __init__(self, host: Host, insight_id: str) -> None:
        super().__init__(classes="record-screen")
        keymap.bind(self, "insight")
        self._host = host
        self._insight_id = insight_id
        self._sessions: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        """Lay out the parts; `_load` fills them."""
        with Vertical(classes="dialog -large"):
            yield Static(t("panel.insight_title"), classes="dialog-title")
            yield Static("", id="detail-text", markup=False)
            yield Static(t("panel.insight_note"), classes="dialog-hint")
            yield Static(t("tui.sources"), classes="section")
            yield RecordList("sources", keys=False)
            with Horizontal(classes="dialog-buttons"):
                yield Button(t("panel.insight_dismiss"), id="do-dismiss", compact=True)
                yield Button(t("tui.close"), id="do-close", compact=True)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Load it."""
        self.query_one(RecordList).focus()
        self._host.attempt_latest("record", self._load)

    async def _load(self) -> None:
        memory = self._host.assistant.memory
        found = next((i for i in await memory.insights() if i.id == self._insight_id), None)
        if found is None:
            self.dismiss(None)
            return
        self.query_one("#detail-text", Static).update(clean(found.text))
        rows: dict[str, Row] = {}
        for message, span in await memory.sources(self._insight_id):
            quote = message.content[span[0] : span[1]] if span is not None else message.content
            note = when(message.created_at, self._host.today)
            rows.setdefault(message.id, Row(message.id, quote, note, height=3))
            self._sessions[message.id] = message.session_id
        self.query_one(RecordList).set_rows(list(rows.values()))

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Open the conversation at the words."""
        event.stop()
        if session_id := self._sessions.get(event.row_id):
            self.post_message(OpenSession(session_id, event.row_id))
            self.dismiss(None)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Close, or do not show it any more."""
        event.stop()
        if event.button.id == "do-dismiss":
            self.action_dismiss_insight()
        else:
            self.dismiss(None)

    def action_dismiss_insight(self) -> None:
        """Do not show it any more."""
        self.post_message(SettleRecords((self._insight_id,)))
        self.dismiss(None)
