"""The main screen: conversations left, chat in the middle, memory right."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.screen import Screen
from textual.widgets import Footer

from desk_assistant.assistant import Status
from desk_assistant.assistant.events import Recalled, Saved, TurnEvent
from desk_assistant.assistant.service import MemoryMode
from desk_assistant.errors import DeskError
from desk_assistant.i18n import t
from desk_assistant.privacy import Span
from desk_assistant.store import Episode, Fact
from desk_assistant.tui import keymap, slash
from desk_assistant.tui import messages as m
from desk_assistant.tui.flows.commands import CommandFlow
from desk_assistant.tui.flows.panels import PanelFlow
from desk_assistant.tui.rows import Card, record_card
from desk_assistant.tui.screens.help import HelpScreen
from desk_assistant.tui.screens.search import SearchScreen
from desk_assistant.tui.session_actions import SessionActions
from desk_assistant.tui.widgets.composer import Composer, Entry
from desk_assistant.tui.widgets.graph_view import GraphAsked
from desk_assistant.tui.widgets.mask_hint import MaskHint
from desk_assistant.tui.widgets.memory_panel import MemoryPanel
from desk_assistant.tui.widgets.model_notice import ModelNotice
from desk_assistant.tui.widgets.row_list import RowList
from desk_assistant.tui.widgets.sessions_panel import SessionsPanel
from desk_assistant.tui.widgets.side_panel import SidePanel
from desk_assistant.tui.widgets.status_line import StatusLine
from desk_assistant.tui.widgets.title_bar import TitleBar
from desk_assistant.tui.widgets.transcript import Transcript
from desk_assistant.tui.widgets.turns import AnswerTurn
from desk_assistant.tui.widgets.undo_bar import UndoBar

if TYPE_CHECKING:
    from desk_assistant.tui.app import DeskApp

PREVIEW_AT_ONCE = 4_000
"""Characters up to which a draft is looked through on the event loop; a longer one goes to a thread."""

PREVIEW_REST = 0.25
"""Seconds in which nothing was typed before that."""


class MainScreen(SessionActions, Screen[None]):
    """Shows the open conversation, and turns keys into what the flows do.

    Args:
        desk: The app.
        draft: Text the composer begins with.

    Attributes:
        panels: Fills the memory panel.
    """

    def __init__(self, desk: DeskApp, draft: str = "") -> None:
        super().__init__()
        keymap.bind(self, "main")
        self._desk = desk
        self._draft = draft
        self._assistant = desk.assistant
        self.panels = PanelFlow(desk, desk.curation)
        self._commands = CommandFlow(desk, self)

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        yield TitleBar()
        with Container(id="body"):
            yield SessionsPanel()
            with Vertical(id="chat"):
                yield Transcript(self._cards, self._desk.clock)
                yield ModelNotice()
                yield UndoBar()
                yield Entry(id="entry")
            yield MemoryPanel()
        yield StatusLine()
        yield Footer(compact=True, show_command_palette=False)

    async def on_mount(self) -> None:
        """Show the open conversation; the cursor waits in the composer."""
        self.composer.fill(self._draft)
        self.composer.cursor_blink = self._assistant.settings.flag("interface.blink")
        self.composer.focus()
        self.show_status(self._assistant.status)
        await self.show_conversation()

    # --- parts ------------------------------------------------------------------------------------------------------

    @property
    def composer(self) -> Composer:
        """The text field."""
        return self.query_one(Composer)

    @property
    def draft(self) -> str:
        """What is typed and not sent."""
        return self.composer.content

    @property
    def undo_bar(self) -> UndoBar:
        """Where undo is offered."""
        return self.query_one(UndoBar)

    @property
    def transcript(self) -> Transcript:
        """The conversation."""
        return self.query_one(Transcript)

    @property
    def memory_panel(self) -> MemoryPanel:
        """The right panel."""
        return self.query_one(MemoryPanel)

    async def _cards(self, ids: Sequence[str]) -> list[Card]:
        """Look up what was recalled for a stored answer; what was forgotten since is gone from it too."""
        cards = []
        for record_id in ids:
            if record_id in self._desk.forgetting.gone:
                continue
            try:
                record = await self._assistant.memory.show(record_id)
            except DeskError:
                continue
            if isinstance(record, Fact | Episode):
                cards.append(record_card(record))
        return cards

    # --- ChatView ---------------------------------------------------------------------------------------------------

    async def show_conversation(self, message_id: str | None = None, *, keep_focus: bool = False) -> None:
        """Show the open conversation, at one of its messages, with the turn that runs in it."""
        chat = self._desk.chat
        conversation, live = chat.conversation, chat.running_here
        hidden = self._desk.forgetting.gone
        messages = [x for x in (live.shown if live is not None else conversation.messages) if x.id not in hidden]
        await self.transcript.show(messages, private=conversation.private, left_out=conversation.left_out)
        if live is not None:
            await live.attach(self.apply)
        if message_id is not None:
            await self.transcript.reveal(message_id)
        elif not keep_focus:
            self.composer.focus()
        self.refresh_state()
        await self.refresh_memory(changed=False)

    async def apply(self, event: TurnEvent) -> None:
        """Show the next event of the running turn."""
        await self.transcript.apply(event)
        if isinstance(event, Saved):
            self.refresh_state()
            await self._refresh_sessions()
        elif isinstance(event, Recalled):
            self.panels.show_recall(self.memory_panel, event.result)

    async def turn_failed(self, sentence: str) -> None:
        """The running turn ended with an error."""
        await self.transcript.fail(sentence)

    async def turn_ended(self) -> None:
        """Bring titles, panels and meters up to date."""
        await self.transcript.set_left_out(self._desk.chat.conversation.left_out)
        self.refresh_state()
        await self.refresh_memory(changed=False)

    def restore_draft(self, text: str) -> None:
        """Put a text that was not taken back into the composer."""
        if not self.composer.text:
            self.composer.fill(text)

    # --- state ------------------------------------------------------------------------------------------------------

    def show_status(self, status: Status) -> None:
        """Show what the model and the memory are doing."""
        self.query_one(StatusLine).show_status(status, self._assistant.model_name)
        self.query_one(ModelNotice).tell(status.llm.detail if status.llm.state == "failed" else "")

    def refresh_state(self) -> None:
        """Show title, badges and meter."""
        chat = self._desk.chat
        conversation = chat.conversation
        mode = self._assistant.memory_mode
        self.query_one(TitleBar).show(conversation.title, private=conversation.private, memory_mode=mode)
        self.query_one(StatusLine).show_turn(chat.usage, conversation.parts)
        self.set_class(conversation.private, "-private")

    async def refresh_memory(self, *, changed: bool = True) -> None:
        """Bring both panels up to date; with `changed` also the long lists of what is stored."""
        if changed:
            self.panels.memory_changed()
        await self._refresh_sessions()
        await self.panels.fill(self.memory_panel, self._desk.chat.conversation)

    async def _refresh_sessions(self) -> None:
        current = self._desk.chat.conversation.session_id
        sessions = await asyncio.to_thread(self._assistant.sessions)
        self.query_one(SessionsPanel).show(sessions, current, self._desk.today)

    async def on_memory_panel_wanted(self, event: MemoryPanel.Wanted) -> None:
        """Bring the records of the tab that was opened."""
        event.stop()
        self._desk.attempt_latest("panel", self._fill_panel)

    async def _fill_panel(self) -> None:
        await self.panels.fill(self.memory_panel, self._desk.chat.conversation)

    def on_graph_asked(self, event: GraphAsked) -> None:
        """Walk through the graph, or change it."""
        event.stop()
        self._desk.attempt(self.panels.ask_graph(self.memory_panel, event.act, event.row_id))

    def on_row_list_near_end(self, event: RowList.NearEnd) -> None:
        """Load more of a timeline."""
        event.stop()
        if event.rows is self.memory_panel.list_of("episodes"):
            self._desk.attempt(self.panels.more_episodes(self.memory_panel))

    # --- typing and sending -----------------------------------------------------------------------------------------

    def on_draft_changed(self, event: m.DraftChanged) -> None:
        """Name what would be masked in the draft."""
        event.stop()
        if not event.text:
            self._tell_masked("", ())
        elif len(event.text) <= PREVIEW_AT_ONCE:
            self._tell_masked(event.text, self._assistant.masked_preview(event.text, self._desk.chat.conversation))
        else:
            self._desk.attempt_latest("preview", self._look_through)

    async def _look_through(self) -> None:
        # A thread cannot be called back: one is begun only when the typing rests.
        await asyncio.sleep(PREVIEW_REST)
        text = self.composer.content
        spans = await asyncio.to_thread(self._assistant.masked_preview, text, self._desk.chat.conversation)
        if self.composer.content == text:
            self._tell_masked(text, spans)

    def _tell_masked(self, text: str, spans: Sequence[Span]) -> None:
        self.query_one(MaskHint).tell(text, spans, private=self._desk.chat.conversation.private)

    def on_send_text(self, event: m.SendText) -> None:
        """Run a slash command, or send a message."""
        event.stop()
        if name := slash.unknown(event.text):
            # Kept in the composer: a slip must not become a message.
            self._desk.warn(t("tui.slash_unknown", name=name))
            return
        self.composer.sent(event.text)
        self.send(event.text)

    def send(self, text: str) -> None:
        """Run a slash command, or send a message, as if it had been typed."""
        job = self._commands.run(text)
        self._desk.attempt(job if job is not None else self._desk.chat.send(text))

    def on_show_prompt(self, event: m.ShowPrompt) -> None:
        """Show the exact prompt of the last answer."""
        event.stop()
        self._commands.show_prompt()

    def on_choose_model(self, event: m.ChooseModel) -> None:
        """Show the models."""
        event.stop()
        self.action_models()

    def on_retry_start(self, event: m.RetryStart) -> None:
        """Try to start the model again."""
        event.stop()
        self._desk.attempt(self._assistant.start(index=self._assistant.status.index.state == "failed"))

    # --- keys -------------------------------------------------------------------------------------------------------

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Offer undo only while something can be brought back."""
        del parameters
        return action != "undo" or self._desk.forgetting.can_undo

    def action_help(self) -> None:
        """Show keys and commands."""
        self._desk.push_screen(HelpScreen(self._desk))

    def action_toggle_sessions(self) -> None:
        """Open, enter or close the left panel."""
        self._toggle(self.query_one(SessionsPanel))

    def action_toggle_memory(self) -> None:
        """Open, enter or close the right panel."""
        self._toggle(self.memory_panel)

    def _toggle(self, panel: SidePanel) -> None:
        if panel.is_open and panel.holds_focus:
            panel.close()
            self.composer.focus()
        else:
            if not self.has_class("-wide"):
                for other in self.query(SidePanel):
                    if other is not panel:
                        other.close()
            panel.open()

    def _close_passing(self) -> None:
        """Close the panels that this width has no lasting room for."""
        for panel in self.query(SidePanel):
            if self.has_class("-narrow") or (self.has_class("-medium") and panel is not self.memory_panel):
                panel.close()

    def action_back(self) -> None:
        """Stop an answer; else leave a panel; else go back to the composer."""
        panel = next((panel for panel in self.query(SidePanel) if panel.holds_focus), None)
        if panel is not None:
            self._close_passing()
            self.composer.focus()
        elif not self._desk.chat.stop():
            self.composer.focus()

    def on_toggle_private(self) -> None:
        """The badge was clicked."""
        self.action_private()

    def action_private(self) -> None:
        """Change between a private conversation and an ordinary one."""
        self._desk.attempt(self._desk.chat.new(private=not self._desk.chat.conversation.private))

    def on_toggle_pause(self) -> None:
        """The badge was clicked."""
        self.action_pause_memory()

    def action_pause_memory(self) -> None:
        """Pause memory, or go on."""
        mode: MemoryMode = "paused" if self._assistant.memory_mode == "on" else "on"
        self._desk.attempt(self._commands.memory_mode(mode))

    def action_undo(self) -> None:
        """Bring back what was forgotten."""
        self.post_message(m.UndoForget())

    def action_search(self) -> None:
        """Search over everything."""
        self._desk.push_screen(SearchScreen(self._desk))

    def action_models(self) -> None:
        """Show the models."""
        self._commands.show_models()

    def action_settings(self) -> None:
        """Show the settings."""
        self._commands.show_settings()

    def action_new(self) -> None:
        """Begin a conversation."""
        self.post_message(m.NewSession())

    def action_regenerate(self) -> None:
        """Answer the last question again."""
        self._desk.attempt(self._desk.chat.regenerate())

    def action_scroll_chat(self, pages: int) -> None:
        """Scroll the conversation, wherever the focus is."""
        (self.transcript.action_page_up if pages < 0 else self.transcript.action_page_down)()

    def action_copy_answer(self) -> None:
        """Copy the last answer."""
        answers = list(self.query(AnswerTurn))
        if answers:
            self.post_message(m.CopyText(answers[-1].text))
        else:
            self._desk.tell(t("tui.nothing_to_copy"))

    def action_palette(self, name: str) -> None:
        """Do what a line of the palette without a key says."""
        self._desk.attempt(self._commands.palette(name))
