"""The application: its start and end, its notices, and what it does with records; the chat is in `screens.main`.

Everything that the first frame does not need is imported where it is used: somebody waits for that frame.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping
from datetime import date, datetime
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar, cast

from textual import events
from textual.app import App
from textual.screen import Screen
from textual.timer import Timer

from desk_assistant import i18n
from desk_assistant.errors import DeskError
from desk_assistant.i18n import t
from desk_assistant.paths import Locations
from desk_assistant.tui import crash, keymap
from desk_assistant.tui.record_actions import RecordActions
from desk_assistant.tui.screens.start import StartScreen
from desk_assistant.tui.themes import THEMES

if TYPE_CHECKING:
    from textual.command import Provider

    from desk_assistant.assistant import Assistant, Status
    from desk_assistant.tui import messages as m
    from desk_assistant.tui.screens.main import MainScreen

Result = TypeVar("Result")
NOTICE_SECONDS = 6.0
WARNING_SECONDS = 12.0
MEMORY_DELAY = 0.3
"""Seconds after a change of the stored memory in which more changes are gathered."""


def _commands() -> type[Provider]:
    from desk_assistant.tui.commands import DeskCommands

    return DeskCommands


class DeskApp(RecordActions, App[int]):
    """The terminal app over one profile.

    Given an opened assistant it shows the chat at once. Given where a profile lives it paints a first frame in which
    one can type already, opens the profile behind it, and carries what was typed over.

    Args:
        profile: The facade, or the files of a profile that is to be opened; the children are started after the chat
            is there.
        first_run: Whether to greet a newcomer.
        clock: Tells the local time, for the dates on the screen.
        custom_keys: The person's own keys by id (see `keymap.load_custom`).
        theme: Theme of the first frame; the settings' own from then on.

    Attributes:
        trouble: Why the profile could not be opened, once the app has ended for it.
    """

    CSS_PATH: ClassVar[list[str | PurePath]] = [
        f"screens/{name}.tcss" for name in ("main", "memory", "start", "dialogs")
    ]
    COMMANDS: ClassVar[set[Any]] = {_commands}
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (96, "-medium"), (116, "-wide")]  # noqa: RUF012 - not a ClassVar there
    ENABLE_COMMAND_PALETTE = True

    def __init__(
        self,
        profile: Assistant | Locations,
        *,
        first_run: bool = False,
        clock: Callable[[], datetime] | None = None,
        custom_keys: Mapping[str, str] | None = None,
        theme: str = "",
    ) -> None:
        super().__init__()
        for added in THEMES:
            self.register_theme(added)
        self.title = t("tui.app_name")
        # Motion costs frames over ssh and distracts; nothing here needs it.
        self.animation_level = "none"
        self.clock = clock or (lambda: datetime.now().astimezone())
        self.custom_keys = dict(custom_keys or {})
        self.trouble: DeskError | None = None
        self._first_run = first_run
        self._memory_timer: Timer | None = None
        self._last_states: tuple[str, str] = ("off", "off")
        self._unsubscribe: list[Callable[[], None]] = []
        self._main: MainScreen | None = None
        self._held: list[events.Event] | None = None
        self._opening: asyncio.Task[Assistant] | None = None
        if isinstance(profile, Locations):
            self.locations, self.is_open = profile, False
            self._use_theme(theme)
        else:
            self.locations = profile.locations
            self._adopt(profile)
        self.log_path = self.locations.logs / crash.LOG_NAME

    def _adopt(self, assistant: Assistant) -> None:
        """Take an opened profile."""
        from desk_assistant.tui.flows.chat import ChatFlow
        from desk_assistant.tui.flows.curation import CurationFlow
        from desk_assistant.tui.flows.forgetting import ForgetFlow
        from desk_assistant.tui.flows.models import ModelJobs
        from desk_assistant.tui.flows.records import RecordFlow

        self.is_open = True
        self.assistant = assistant
        self.chat = ChatFlow(self, lambda: self.main)
        self.records = RecordFlow(self)
        self.model_jobs = ModelJobs(self)
        self.forgetting = ForgetFlow(self, lambda: self.main.undo_bar, time.time)
        self.curation = CurationFlow(self, self.forgetting.undoing)
        self._use_theme(assistant.settings.text("interface.theme"))

    def _use_theme(self, name: str) -> None:
        if name in self.available_themes:
            self.theme = name

    # --- life -----------------------------------------------------------------------------------------------------

    @property
    def main(self) -> MainScreen:
        """The chat, whatever lies over it."""
        if self._main is None or self._main not in self.screen_stack:
            raise LookupError("the main screen is not there")
        return self._main

    @property
    def today(self) -> date:
        """The present day."""
        return self.clock().date()

    async def on_mount(self) -> None:
        """Paint first; then open the profile, and at last start the children."""
        if self.custom_keys:
            self.set_keymap(self.custom_keys)
        if self.is_open:
            await self._enter()

    def get_default_screen(self) -> Screen[Any]:
        """Return what lies under everything: the first frame, so that nothing is drawn before it."""
        return super().get_default_screen() if self.is_open else StartScreen()

    def open_profile(self) -> None:
        """Begin to open the profile; the first frame asks for it once it is drawn."""
        self._opening = asyncio.create_task(self._opened(), name="open profile")
        self.run_worker(self._enter_opened(self._opening), exit_on_error=False)

    async def _opened(self) -> Assistant:
        from desk_assistant.tui import opening

        return await asyncio.to_thread(opening.open_profile, self.locations)

    async def _enter_opened(self, opened: asyncio.Task[Assistant]) -> None:
        try:
            assistant = await asyncio.shield(opened)
        except DeskError as error:
            self.trouble = error
            self.exit(return_code=error.exit_code)
            return
        except Exception as error:  # noqa: BLE001 - without a profile there is nothing to go on with
            self._handle_exception(error)
            return
        start = cast(StartScreen, self.screen_stack[0])
        # From here to the moment at which the new composer can take them, keys wait.
        self.hold_keys()
        self._adopt(assistant)
        # A newcomer has not been asked yet whether anything may be remembered: nothing goes out by itself.
        sends = "" if self._first_run else start.sent
        await self._enter(start.draft if sends else start.sent or start.draft)
        if sends:
            self.main.send(sends)
        await self._release_keys(forget=self._first_run)

    async def _enter(self, draft: str = "") -> None:
        """Show the chat, then start the children."""
        await self._show_main(draft)
        if self._first_run:
            self.attempt(self._greet())
        self.call_after_refresh(self._begin)

    async def _show_main(self, draft: str) -> None:
        from desk_assistant.tui.screens.main import MainScreen

        self._main = MainScreen(self, draft)
        await (self.push_screen if len(self.screen_stack) == 1 else self.switch_screen)(self._main)
        # At once, and not when its turn comes: keys that waited follow.
        self._main.set_focus(self._main.composer)

    def _begin(self) -> None:
        self._unsubscribe = [
            self.assistant.on_status(self._status_changed),
            self.assistant.memory.on_change(self._memory_changed),
        ]
        # An assistant that was handed in is examined by whoever made it.
        self.attempt(self.assistant.start(examine=self._opening is not None))

    # --- keys that come while screens change ------------------------------------------------------------------------

    def hold_keys(self) -> None:
        """Let what is typed from now on wait."""
        self._held = self._held or []

    async def _release_keys(self, *, forget: bool = False) -> None:
        """Type what waited, unless it was meant for another screen."""
        held, self._held = self._held or [], None
        for event in () if forget else held:
            await self.on_event(event)

    async def on_event(self, event: events.Event) -> None:
        """Keep what is typed while no field can take it; Textual would drop it."""
        if self._held is not None and isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._held.append(event)
        else:
            await super().on_event(event)

    # --- the first start --------------------------------------------------------------------------------------------

    async def _greet(self) -> None:
        from desk_assistant.assistant.model_notes import ModelNotes
        from desk_assistant.tui.screens.first_run import FirstRun

        before = i18n.language()
        home = self.assistant.locations.home
        notes = ModelNotes(self.assistant.store.meta)
        entries = [model.entry for model in self.assistant.models.list("llm") if not notes.accepted(model.entry)]
        terms = [entry.terms for entry in entries if entry is not None and entry.terms]
        remembers = await self.ask(FirstRun(home, self.assistant.model_name, terms))
        if remembers is None:
            return
        for entry in entries:
            if entry is not None:
                await asyncio.to_thread(notes.accept, entry)
        await self.change_setting("interface.language", i18n.language())
        if not remembers:
            self.assistant.set_memory_mode("off")
            await self.chat.follow_memory_mode()
        if i18n.language() != before:
            await self.rebuild()
        else:
            self.main.refresh_state()

    async def rebuild(self) -> None:
        """Make the screen anew, in the language that is set now; the conversation stays."""
        if self.chat.live is not None:
            self.chat.live.detach()
        draft = self.main.draft
        while len(self.screen_stack) > 1 and self.screen is not self._main:
            await self.pop_screen()
        self.hold_keys()
        await self._show_main(draft)
        await self._release_keys()

    async def change_setting(self, key: str, value: object) -> None:
        """Check and store a setting.

        Raises:
            DeskError: It is not allowed, or the file cannot be written.
        """
        await asyncio.to_thread(self.assistant.settings.set, key, value)

    async def on_unmount(self) -> None:
        """End the children, however the app ended."""
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        if self._opening is not None:
            # What is being opened when the person quits is closed like anything else.
            await asyncio.wait([self._opening])
            if not self.is_open and self._opening.exception() is None:
                await self._opening.result().close()
        if self.is_open:
            await self.assistant.close()

    def _handle_exception(self, error: Exception) -> None:
        # Textual would print a traceback with the values of local variables, which hold what the person wrote.
        crash.record(error)
        if self._exception is None:
            self._exception = error
            self._exception_event.set()
        self._return_code = 70
        self.exit(return_code=70, message=t("tui.crashed", log=self.log_path))

    # --- Host: what flows need --------------------------------------------------------------------------------------

    def tell(self, sentence: str) -> None:
        """Show a sentence that does not block."""
        self.notify(sentence, timeout=NOTICE_SECONDS, markup=False)

    def warn(self, sentence: str) -> None:
        """Show a sentence about something that went wrong."""
        self.notify(sentence, severity="error", timeout=WARNING_SECONDS, markup=False)

    async def ask(self, screen: Screen[Result]) -> Result | None:
        """Show a dialog and wait for its result, from within a job."""
        return await self.push_screen_wait(screen)

    def attempt(self, job: Coroutine[Any, Any, None]) -> None:
        """Run a job in the background. What goes wrong becomes a notice and a line in the log; the app goes on."""
        self.run_worker(self._guarded(job), exit_on_error=False)

    def attempt_latest(self, group: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """The same for work of which only the latest matters: an earlier one of the group is given up."""

        async def run() -> None:
            await self._guarded(work())

        self.run_worker(cast(Any, run), group=group, exclusive=True, exit_on_error=False)

    async def _guarded(self, job: Coroutine[Any, Any, None]) -> None:
        try:
            await job
        except DeskError as error:
            crash.note(error.key, error.cause)
            self.warn(str(error))
        except Exception as error:  # noqa: BLE001 - one job must not take the conversation with it
            crash.record(error)
            self.warn(t("tui.unexpected", log=self.log_path))

    def refresh_keys(self) -> None:
        """Show the keys that work now."""
        self.main.refresh_bindings()

    async def memory_changed(self) -> None:
        """Bring the panels up to date."""
        await self.main.refresh_memory()

    async def memory_forgot(self) -> None:
        """Take what was forgotten off the screen, or show again what was brought back."""
        conversation, gone = self.chat.conversation, self.forgetting.gone
        if conversation.session_id in gone:
            await self.chat.new()
            return
        await self.assistant.refresh(conversation)
        report = conversation.last_report
        if report is not None and gone.intersection([*report.fact_ids, *(item.id for item in report.recall.items)]):
            # The prompt it shows holds the words.
            conversation.last_report = None
        if self.chat.running_here is None:
            await self.main.show_conversation(keep_focus=True)
        await self.memory_changed()

    def _memory_changed(self) -> None:
        # The screen is there from the first paint to the end; a change may still be told after it.
        # Changes come in bursts while something is being remembered; one look after the burst is enough.
        if self._memory_timer is None and self._main in self.screen_stack:
            self._memory_timer = self.set_timer(MEMORY_DELAY, self._look_at_memory)

    def _look_at_memory(self) -> None:
        self._memory_timer = None
        self.attempt(self.memory_changed())

    def _status_changed(self, status: Status) -> None:
        states = (status.llm.state, status.index.state)
        for name, part, before in zip(("llm", "index"), (status.llm, status.index), self._last_states, strict=True):
            if part.state == "failed" and before != "failed":
                crash.note(f"{name}.failed")
                if name == "index" or not part.detail:
                    # About the model the notice in the chat says it, and what to do.
                    self.warn(part.detail or t("tui.unexpected", log=self.log_path))
        self._last_states = states
        self.main.show_status(status)

    # --- the conversation, wherever it was acted on ---------------------------------------------------------------

    def on_edit_message(self, event: m.EditMessage) -> None:
        """Ask for another wording of a message."""
        self.attempt(self.chat.edit(event.message_id, event.text))

    def on_other_version(self, event: m.OtherVersion) -> None:
        """Show the next version of a message."""
        self.attempt(self.chat.show_other(event.message_id))

    def on_open_session(self, event: m.OpenSession) -> None:
        """Show a conversation."""
        self.attempt(self.chat.open(event.session_id, event.message_id))

    def on_copy_text(self, event: m.CopyText) -> None:
        """Copy, and say which way was used."""
        self.attempt(self._copy(event.text))

    async def _copy(self, text: str) -> None:
        from desk_assistant.tui import clipboard

        said = await clipboard.copy(text, self.copy_to_clipboard)
        if said is None and self.chat.conversation.private:
            said = t("tui.copy_too_long")
        elif said is None:
            path = await asyncio.to_thread(clipboard.write_out, text, Path.home(), self.today)
            await self.assistant.memory.note_export(path)
            said = t("screens.copied_file", path=path)
        self.tell(said)

    # --- Textual's own words, in the interface language ---------------------------------------------------------------

    def action_help_quit(self) -> None:
        """Say how to quit, when the old key was pressed."""
        self.tell(t("tui.how_to_quit", key=keymap.shown("ctrl+q")))

    def action_command_palette(self) -> None:
        """Show the command palette."""
        from textual.command import CommandPalette

        if self.is_open and not self.screen.has_class("--textual-command-palette"):
            self.push_screen(CommandPalette(placeholder=t("tui.palette_placeholder"), id="--command-palette"))
