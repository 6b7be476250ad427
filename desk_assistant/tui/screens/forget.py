"""The forget dialog: a topic, a person, a time span, a conversation or everything, shown before anything happens."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, Literal

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Button, Footer, Input, Static

from desk_assistant.i18n import counted, t
from desk_assistant.memory.records import SearchHit
from desk_assistant.memory.select import Selection
from desk_assistant.tui import keymap
from desk_assistant.tui.host import Host
from desk_assistant.tui.rows import hit_rows
from desk_assistant.tui.screens.dialog import Dialog
from desk_assistant.tui.widgets.record_list import RecordList
from desk_assistant.tui.widgets.tab_strip import TabStrip

By = Literal["topic", "person", "time", "session", "everything"]
WAYS: Final[tuple[By, ...]] = ("topic", "person", "time", "session", "everything")
TYPED: Final = frozenset({"topic", "person"})
LAYERS: Final = (("session", "conversation"), ("fact", "fact"), ("episode", "episode"), ("message", "message"))
"""Layers of hits with the noun that counts them."""

LOOK_DELAY: Final = 0.25
DAY_LETTERS: Final = len("2026-05-11")


class ForgetScreen(Dialog[tuple[str, ...]]):
    """Gives back the ids to forget, nothing when it is closed.

    Args:
        host: The app.
        words: What the topic begins with.
        session_id: Conversation that can be chosen.
        way: What the dialog begins with.
    """

    def __init__(self, host: Host, words: str = "", session_id: str = "", way: By = "topic") -> None:
        super().__init__(classes="forget-screen")
        keymap.bind(self, "forget")
        self._host = host
        self._words = words
        self._session_id = session_id
        self._by = way
        self._found: dict[str, SearchHit] = {}
        self._left_out: set[str] = set()
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog -large"):
            yield Static(t("panel.forget_title"), classes="dialog-title")
            ways = [way for way in WAYS if way != "session" or self._session_id]
            yield TabStrip([(way, t(f"panel.forget_{way}")) for way in ways], focus=True, id="forget-by")
            yield Input(self._words, placeholder=t("panel.forget_topic_hint"), id="forget-words", compact=True)
            with Horizontal(id="forget-span"):
                yield Input(placeholder=t("panel.forget_since"), id="forget-since", compact=True)
                yield Input(placeholder=t("panel.forget_until"), id="forget-until", compact=True)
            yield Static("", id="forget-what", markup=False)
            yield RecordList("to_forget", keys=False)
            yield Static(t("panel.forget_note"), classes="dialog-hint", id="forget-note")
            with Horizontal(classes="dialog-buttons"):
                yield Button(t("panel.forget_accept"), id="accept", variant="error", compact=True)
                yield Button(t("tui.cancel"), id="cancel", compact=True)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Show what the beginning means."""
        self._choose_way(self._by)

    def on_tab_strip_picked(self, event: TabStrip.Picked) -> None:
        """Forget by something else."""
        event.stop()
        for way in WAYS:
            if event.name == way:
                self._choose_way(way, keep_focus=event.strip.has_focus)

    def _choose_way(self, way: By, *, keep_focus: bool = False) -> None:
        self._by = way
        self.query_one(TabStrip).active = way
        words, span = self.query_one("#forget-words", Input), self.query_one("#forget-span")
        words.display = way in TYPED
        span.display = way == "time"
        if way in TYPED:
            words.placeholder = t(f"panel.forget_{way}_hint")
        first = {"time": "#forget-since", "session": "#accept", "everything": "#accept"}.get(way, "#forget-words")
        if not keep_focus:
            self.query_one(first).focus()
        self._host.attempt_latest("forget", self._look)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Look again once the typing rests."""
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(LOOK_DELAY, lambda: self._host.attempt_latest("forget", self._look))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Go on to what was found."""
        event.stop()
        self.query_one(RecordList).focus()

    async def _look(self) -> None:
        selection = await self._selection()
        # A look that was asked for before something was left out may come after it.
        self._found = {hit.id: hit for hit in selection.hits if hit.id not in self._left_out}
        self._show()

    @property
    def _ids(self) -> tuple[str, ...]:
        """What will be forgotten: a whole conversation takes along all that is listed."""
        return (self._session_id,) if self._by == "session" else tuple(self._found)

    async def _selection(self) -> Selection:
        choose = self._host.assistant.memory.choose
        words = self.query_one("#forget-words", Input).value.strip()
        match self._by:
            case "topic" if words:
                return await choose.about(words)
            case "person" if words:
                return await choose.person(words)
            case "time":
                return await self._in_span()
            case "session":
                return await choose.goes_with(self._session_id)
            case "everything":
                return await choose.everything()
        return Selection()

    async def _in_span(self) -> Selection:
        bounds: list[datetime | None] = []
        for name in ("since", "until"):
            field = self.query_one(f"#forget-{name}", Input)
            typed = field.value.strip()
            day = _day(typed)
            field.set_class(bool(typed) and day is None, "-invalid")
            if typed and day is None:
                return Selection()
            bounds.append(day + timedelta(days=1) if day is not None and name == "until" else day)
        since, until = bounds
        if since is None and until is None:
            return Selection()
        return await self._host.assistant.memory.choose.between(since, until)

    def _show(self) -> None:
        hits = list(self._found.values())
        self.query_one(RecordList).set_rows(hit_rows(hits, self._host.today))
        self.query_one("#forget-what", Static).update(_counts(hits) if hits else t("panel.forget_nothing"))
        self.query_one("#accept", Button).disabled = not self._can_forget
        self.refresh_bindings()

    @property
    def _can_forget(self) -> bool:
        return self._by == "session" or bool(self._found)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A conversation goes as a whole; nothing of it can be left out."""
        del parameters
        return self._by != "session" if action == "leave_out" else True

    def action_leave_out(self) -> None:
        """Take the marked rows, or the one under the cursor, off the list: they stay remembered."""
        rows = self.query_one(RecordList)
        self._host.attempt(self._leave_out(rows.selection))
        rows.unmark()

    async def _leave_out(self, ids: Sequence[str]) -> None:
        """Leave records out, and the messages that a fact rests on: without its words it would go all the same."""
        self._left_out.update(ids)
        for record_id in ids:
            hit = self._found.get(record_id)
            if hit is not None and hit.layer == "fact":
                sources = await self._host.assistant.memory.sources(record_id)
                self._left_out.update(message.id for message, _ in sources)
        self._found = {i: hit for i, hit in self._found.items() if i not in self._left_out}
        self._show()

    def action_accept(self) -> None:
        """Forget what is listed."""
        if self._can_forget:
            self.dismiss(self._ids)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Forget, or close."""
        event.stop()
        if event.button.id == "accept":
            self.action_accept()
        else:
            self.dismiss(None)


def _counts(hits: Sequence[SearchHit]) -> str:
    parts = [counted(noun, count) for layer, noun in LAYERS if (count := sum(hit.layer == layer for hit in hits))]
    return t("panel.forget_means", parts=t("tui.list_comma").join(parts))


def _day(typed: str) -> datetime | None:
    """Return the local beginning of a day written like 2026-05-11, None for anything else."""
    if len(typed) != DAY_LETTERS:
        return None
    try:
        return datetime.fromisoformat(typed).astimezone()
    except ValueError:
        return None
