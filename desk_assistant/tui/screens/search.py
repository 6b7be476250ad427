"""Search over everything that was kept: facts, episodes and the messages of all conversations."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.timer import Timer
from textual.widgets import Footer, Input, Static

from desk_assistant.i18n import t
from desk_assistant.memory.records import SearchHit
from desk_assistant.tui.host import Host
from desk_assistant.tui.messages import ForgetRecords, OpenRecord, OpenSession
from desk_assistant.tui.rows import hit_rows
from desk_assistant.tui.screens.dialog import Dialog
from desk_assistant.tui.widgets.memory_panel import FILTER_DELAY
from desk_assistant.tui.widgets.record_list import RecordList
from desk_assistant.tui.widgets.row_list import RowList

LIMIT = 200


class SearchScreen(Dialog[None]):
    """A field, and the hits below it. Enter opens one: a message in its conversation, a memory in full."""

    def __init__(self, host: Host, query: str = "") -> None:
        super().__init__(classes="search-screen")
        self._host = host
        self._query = query
        self._hits: dict[str, SearchHit] = {}
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog -large"):
            yield Static(t("tui.search_title"), classes="dialog-title")
            yield Input(self._query, placeholder=t("tui.search_hint"), id="search-field")
            yield RecordList("search")
            yield Static(t("tui.search_keys"), classes="panel-keys", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Search for what was given."""
        self.query_one(Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Search once the typing rests."""
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(FILTER_DELAY, self._begin)

    def _begin(self) -> None:
        self._host.attempt_latest("search", self._search)

    async def _search(self) -> None:
        query = self.query_one(Input).value.strip()
        hits = await self._host.assistant.memory.search(query, LIMIT) if query else []
        self._hits = {hit.id: hit for hit in hits}
        self.query_one(RecordList).set_rows(hit_rows(hits, self._host.today))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go to the hits."""
        event.stop()
        self.query_one(RecordList).focus()

    def action_filter(self) -> None:
        """Go back to the field."""
        self.query_one(Input).focus()

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Open a hit."""
        event.stop()
        hit = self._hits.get(event.row_id)
        if hit is not None and hit.layer == "message" and hit.session_id:
            self.post_message(OpenSession(hit.session_id, hit.id))
            self.dismiss(None)
        else:
            self.post_message(OpenRecord(event.row_id))

    def on_forget_records(self, event: ForgetRecords) -> None:
        """Take what is being forgotten out of the hits; the app does the rest."""
        rows = self.query_one(RecordList)
        rows.set_rows([row for row in rows.rows if row.id not in event.ids])
