"""One memory in full: what it says, the words it came from, what happened to it, and what can be done with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button, Footer, Static

from desk_assistant.errors import DeskError
from desk_assistant.i18n import t
from desk_assistant.memory.extract import predicates
from desk_assistant.store import Episode, Fact, FactChange, Message, Session
from desk_assistant.tui import keymap
from desk_assistant.tui.cells import clean
from desk_assistant.tui.dates import when
from desk_assistant.tui.flows.curation import Change, change_of
from desk_assistant.tui.host import Host
from desk_assistant.tui.masking import marked
from desk_assistant.tui.messages import (
    ChooseToForget,
    ConfirmRecords,
    EditRecord,
    ForgetRecords,
    OpenSession,
    PinRecord,
    SettleRecords,
)
from desk_assistant.tui.rows import kind_label, speaker
from desk_assistant.tui.screens.dialog import Dialog, MarkedScroll

Record = Fact | Episode | Message | Session
Source = tuple[Message, tuple[int, int] | None]
AROUND = 400
"""Characters of a message that are shown on each side of the words a fact rests on."""


class RecordScreen(Dialog[None]):
    """Shows a fact, episode or message; stays up to date when it is changed."""

    def __init__(self, host: Host, record_id: str) -> None:
        super().__init__(classes="record-screen")
        keymap.bind(self, "detail")
        self._host = host
        self._assistant = host.assistant
        self._record_id = record_id
        self._today = host.today
        self._record: Record | None = None
        self._sources: Sequence[Source] = ()
        self._unsubscribe: Callable[[], None] | None = None

    def compose(self) -> ComposeResult:
        """Lay out the parts; `load` fills them."""
        with Vertical(classes="dialog -large"):
            yield Static(t("tui.detail_title"), classes="dialog-title", id="detail-title", markup=False)
            with MarkedScroll(id="detail-page"):
                yield Static("", id="detail-text", markup=False)
                yield Static("", id="detail-state", markup=False)
                yield Static(t("tui.sources"), classes="section", id="sources-title")
                yield Static("", id="detail-sources")
                yield Static(t("tui.history"), classes="section", id="history-title")
                yield Static("", id="detail-history", markup=False)
            with Horizontal(classes="dialog-buttons"):
                for action in ("edit", "pin", "confirm", "settle", "forget", "goto"):
                    yield Button(t(f"tui.key_detail_{action}"), id=f"do-{action}", compact=True)
                yield Button(t("tui.close"), id="do-close", compact=True)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Load the record, and again whenever memory changes."""
        self._unsubscribe = self._assistant.memory.on_change(self._changed)
        self.query_one("#detail-page").focus()
        self._host.attempt_latest("record", self._load)

    def on_unmount(self) -> None:
        """Listen no longer."""
        if self._unsubscribe is not None:
            self._unsubscribe()

    def _changed(self) -> None:
        if self.is_mounted:
            self._host.attempt_latest("record", self._load)

    async def _load(self) -> None:
        memory = self._assistant.memory
        try:
            record = await memory.show(self._record_id)
            self._sources = await memory.sources(self._record_id) if not isinstance(record, Session) else ()
            history = await memory.history(self._record_id) if isinstance(record, Fact) else []
        except DeskError as error:
            # It was forgotten meanwhile, here or by another program.
            self.app.notify(str(error), markup=False)
            self.dismiss(None)
            return
        self._record = record
        self._fill(record, history)

    def _fill(self, record: Record, history: Sequence[FactChange]) -> None:
        text = (
            record.title
            if isinstance(record, Session)
            else (record.content if isinstance(record, Message) else record.text)
        )
        kind = _kind(record)
        self.query_one("#detail-title", Static).update(t(f"tui.detail_{kind}"))
        self.query_one("#detail-text", Static).update(clean(text))
        self.query_one("#detail-state", Static).update(state_lines(record, self._today))
        shown = [source for source in self._sources if not isinstance(record, Message)]
        self.query_one("#sources-title").display = bool(shown)
        self.query_one("#detail-sources", Static).update(sources_text(shown, self._today))
        self.query_one("#history-title").display = bool(history)
        self.query_one("#detail-history", Static).update(history_text(history, self._today))
        is_fact = isinstance(record, Fact)
        pending = isinstance(record, Fact) and record.status == "pending"
        change = _change(record)
        if change is not None:
            self.query_one("#do-settle", Button).label = t(f"panel.settle_{change}")
        pin = self.query_one("#do-pin", Button)
        pin.label = t("tui.unpin") if isinstance(record, Fact) and record.pinned else t("tui.key_detail_pin")
        for action, possible in (
            ("edit", is_fact),
            ("pin", is_fact),
            ("confirm", pending),
            ("settle", change is not None),
            ("forget", True),
            ("goto", bool(self._sources) or isinstance(record, Message)),
        ):
            self.query_one(f"#do-{action}", Button).display = possible
        self.refresh_bindings()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer only what the record can do."""
        del parameters
        fact = self._record if isinstance(self._record, Fact) else None
        if action in ("edit", "pin"):
            return fact is not None
        if action == "confirm":
            return fact is not None and fact.status == "pending"
        if action == "settle":
            return self._record is not None and _change(self._record) is not None
        return True

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Do what the button says."""
        event.stop()
        getattr(self, f"action_{(event.button.id or '').removeprefix('do-')}")()

    def action_edit(self) -> None:
        """Ask for a new wording."""
        self.post_message(EditRecord(self._record_id))

    def action_pin(self) -> None:
        """Pin it, or let it go."""
        if isinstance(self._record, Fact):
            self.post_message(PinRecord(self._record_id, not self._record.pinned))

    def action_confirm(self) -> None:
        """Say that it is right."""
        self.post_message(ConfirmRecords((self._record_id,)))

    def action_settle(self) -> None:
        """Mark a task as done or reopen it; put another record aside or bring it back."""
        self.post_message(SettleRecords((self._record_id,)))

    def action_forget(self) -> None:
        """Forget it, and close; of a conversation the person first sees what goes with it."""
        if isinstance(self._record, Session):
            self.post_message(ChooseToForget(session_id=self._record_id))
        else:
            self.post_message(ForgetRecords((self._record_id,)))
        self.dismiss(None)

    def action_goto(self) -> None:
        """Open the conversation at the words."""
        message = self._record if isinstance(self._record, Message) else None
        if message is None and self._sources:
            message = self._sources[0][0]
        if message is not None:
            self.post_message(OpenSession(message.session_id, message.id))
            self.dismiss(None)


def _change(record: Record) -> Change | None:
    """Return what settling a record would do."""
    if isinstance(record, Fact):
        return change_of(record)
    return "restore" if isinstance(record, Episode) and record.archived else None


def _kind(record: Record) -> str:
    match record:
        case Fact():
            return "fact"
        case Episode():
            return "summary" if record.kind == "summary" else "turn"
        case Message():
            return "message"
        case _:
            return "session"


def state_lines(record: Record, today: date) -> str:
    """Return what is known about a record besides its text, one thing a line."""
    if isinstance(record, Fact):
        return _fact_state(record, today)
    lines = [(t("tui.field_when"), when(record.created_at, today)), (t("tui.field_id"), record.id)]
    if isinstance(record, Message):
        lines.insert(0, (t("tui.field_who"), speaker(record)))
    return "\n".join(f"{name}: {value}" for name, value in lines)


def _fact_state(fact: Fact, today: date) -> str:
    status = t(f"tui.status_{fact.status}")
    if fact.pinned:
        status += f" · {t('tui.pinned')}"
    if fact.edited:
        status += f" · {t('tui.edited')}"
    about = t("tui.about_you") if fact.subject == "user" else clean(fact.subject)
    lines = [
        (t("tui.field_status"), status),
        (t("tui.field_about"), f"{about} · {kind_label(fact.kind)} · {predicates.label(fact.predicate)}"),
        (t("tui.field_confidence"), f"{fact.confidence:.2f}"),
        (t("tui.field_support"), t("tui.times_said", count=fact.support)),
        (t("tui.field_last_seen"), when(fact.last_seen or fact.created_at, today)),
    ]
    if fact.valid_from or fact.valid_to:
        lines.append((t("tui.field_valid"), f"{fact.valid_from or '…'} – {fact.valid_to or '…'}"))
    if fact.due:
        lines.append((t("tui.field_due"), when(fact.due, today)))
    lines.append((t("tui.field_id"), fact.id))
    return "\n".join(f"{name}: {value}" for name, value in lines)


def sources_text(sources: Sequence[Source], today: date) -> Content:
    """Return the messages a memory came from, with the words it rests on marked."""
    parts: list[Content] = []
    for message, span in sources:
        head = Content.assemble((f"{speaker(message)} · {when(message.created_at, today)}", "dim"))
        parts.extend([head, _quoted(message.content, span), Content("")])
    return Content("\n").join(parts[:-1])


def _quoted(text: str, span: tuple[int, int] | None) -> Content:
    if span is None:
        return marked(text[: 2 * AROUND] + ("…" if len(text) > 2 * AROUND else ""))
    start, end = span
    before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    lead = "…" if start > AROUND else ""
    tail = "…" if end + AROUND < len(text) else ""
    # The marks around the words say it to those who do not see the colour.
    quote = Content(f"»{clean(text[start:end])}«").stylize("bold reverse")
    return Content.assemble(lead, marked(before), quote, marked(after), tail)


def history_text(history: Sequence[FactChange], today: date) -> str:
    """Return what happened to a fact, newest first."""
    lines = []
    for change in reversed(history):
        line = f"{when(change.at, today)} · {_word('actor', change.actor)} · {_word('action', change.action)}"
        if change.before is not None and change.after is not None and change.before != change.after:
            line += f"\n    {clean(change.before)}\n  → {clean(change.after)}"
        lines.append(line)
    return "\n".join(lines)


def _word(area: str, name: str) -> str:
    try:
        return t(f"tui.{area}_{name}")
    except KeyError:
        return name.replace("_", " ")
