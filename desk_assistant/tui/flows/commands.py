"""What the slash commands and the palette do."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from desk_assistant import i18n
from desk_assistant.assistant import REFUSALS
from desk_assistant.assistant.service import MemoryMode
from desk_assistant.errors import InputError, ModelError
from desk_assistant.i18n import t
from desk_assistant.tui import slash
from desk_assistant.tui.export import new_folder, write_markdown
from desk_assistant.tui.flows.workbench import Workbench
from desk_assistant.tui.messages import ChooseToForget, ShowErased
from desk_assistant.tui.screens.dialog import ConfirmDialog, TextDialog, TextView
from desk_assistant.tui.screens.import_talks import ImportScreen
from desk_assistant.tui.screens.models import ModelsScreen
from desk_assistant.tui.screens.search import SearchScreen
from desk_assistant.tui.screens.settings import SettingsScreen
from desk_assistant.tui.trail import trail_text

if TYPE_CHECKING:
    from desk_assistant.tui.app import DeskApp
    from desk_assistant.tui.screens.main import MainScreen

Job = Coroutine[Any, Any, None]
MODES: Final[dict[str, MemoryMode]] = {"on": "on", "paused": "paused", "pause": "paused", "off": "off"}
AUDIT_ENTRIES: Final = 500
LOG_CHARACTERS: Final = 60_000
LOG_NAMES: Final = ("app.log", "llm.log", "index.log")


class CommandFlow:
    """Runs commands. Every method that is a coroutine raises `DeskError` when the facade does.

    Args:
        desk: The app.
        main: The screen they act on.
    """

    def __init__(self, desk: DeskApp, main: MainScreen) -> None:
        self._desk = desk
        self._main = main
        self._assistant = desk.assistant
        self._workbench = Workbench(desk)

    def run(self, text: str) -> Job | None:
        """Return the job of a slash command, or None when the text is a message."""
        parsed = slash.parse(text)
        return self._slash(*parsed) if parsed is not None else None

    async def _slash(self, command: slash.Slash, argument: str) -> None:
        if command.argument == "needed" and not argument:
            raise InputError("tui.slash_needs", usage=command.usage)
        match command.name:
            case "remember":
                await self._desk.records.remember(argument)
            case "forget":
                self._desk.post_message(ChooseToForget(argument))
            case "erased":
                self._desk.post_message(ShowErased())
            case "search":
                self._desk.push_screen(SearchScreen(self._desk, argument))
            case "recall":
                await self._recall(argument)
            case "memory":
                await self._memory(argument.lower())
            case "title":
                await self._title(argument)
            case "export":
                await self.export(None, argument)
            case "import":
                self._desk.push_screen(ImportScreen(self._desk, argument))
            case "model":
                await self._model(argument)
            case "undo":
                await self._desk.forgetting.undo()
            case "log":
                await self.palette("log")
            case "continue":
                await self._desk.chat.go_on()
            case "audit":
                await self.show_audit()
            case "quit" | "editor" | "keys" | "context":
                await self.palette(command.name)
            case _:
                actions = {"again": "regenerate", "copy": "copy_answer"}
                await self._main.run_action(actions.get(command.name, command.name))

    async def palette(self, name: str) -> None:
        """Do what a line of the palette without a key says."""
        match name:
            case "log":
                text = await asyncio.to_thread(self._read_logs)
                note = t("tui.log_where", path=self._assistant.locations.logs)
                self._desk.push_screen(TextView(t("tui.log_title"), text, note))
            case "export":
                await self.export(None, "")
            case "export_all":
                await self.export_all()
            case "import":
                self._desk.push_screen(ImportScreen(self._desk))
            case "erased":
                self._desk.post_message(ShowErased())
            case "forget":
                self._desk.post_message(ChooseToForget())
            case "audit":
                await self.show_audit()
            case "theme":
                self._desk.search_themes()
            case "language":
                await self.set_language("en" if i18n.language() == "zh" else "zh")
            case "continue":
                await self._desk.chat.go_on()
            case "quit":
                await self._desk.action_quit()
            case _:
                await self._workbench.run(name)

    # --- memory -----------------------------------------------------------------------------------------------------

    async def _recall(self, query: str) -> None:
        result = await self._assistant.memory.recall(query)
        await self._assistant.memory.note_read("recalled", [item.id for item in result.items])
        panel = self._main.memory_panel
        panel.open_tab("recall")
        panel.open(focus=self._main.has_class("-narrow"))
        self._main.panels.show_recall(panel, result, asked=True)

    async def _memory(self, argument: str) -> None:
        mode = MODES.get(argument)
        if mode is not None:
            await self.memory_mode(mode)
        elif argument:
            self._main.memory_panel.search(argument)
            self._main.memory_panel.open()
        else:
            self._main.memory_panel.open()

    async def memory_mode(self, mode: MemoryMode) -> None:
        """Switch remembering on, pause it, or switch it off."""
        before = self._assistant.memory_mode
        await asyncio.to_thread(self._assistant.set_memory_mode, mode)
        self._desk.tell(t(f"tui.memory_is_{mode}"))
        await self._desk.chat.follow_memory_mode()
        if before == "off" != mode:
            await self._desk.chat.new()
        self._main.refresh_state()
        await self._main.refresh_memory()

    # --- conversations ----------------------------------------------------------------------------------------------

    async def _title(self, title: str) -> None:
        session_id = self._desk.chat.conversation.session_id
        if session_id is None:
            raise InputError("tui.no_title_yet")
        await self._assistant.rename_session(session_id, title)
        self._main.refresh_state()
        await self._main.refresh_memory()

    async def rename(self, session_id: str) -> None:
        """Ask for a new title of a conversation."""
        titles = {session.id: session.title for session in self._assistant.sessions()}
        title = await self._desk.ask(TextDialog(t("tui.rename_title"), titles.get(session_id, "")))
        if title is not None:
            await self._assistant.rename_session(session_id, title)
            self._main.refresh_state()
            await self._main.refresh_memory()

    async def pin_session(self, session_id: str, pinned: bool) -> None:
        """Pin a conversation, or let it go."""
        await self._assistant.pin_session(session_id, pinned)
        await self._main.refresh_memory()

    async def export(self, session_id: str | None, target: str) -> None:
        """Write a conversation to a file; the open one when no id is given.

        Raises:
            InputError: It is a private conversation, or an empty one.
            StorageError: The file cannot be written.
        """
        open_one = self._desk.chat.conversation
        session_id = session_id or open_one.session_id
        if session_id is None:
            raise InputError("tui.export_private" if open_one.private else "tui.export_empty")
        store = self._assistant.store.transcripts
        session = await asyncio.to_thread(store.session, session_id)
        messages = await asyncio.to_thread(store.path, session_id)
        folder = Path(target).expanduser() if target else Path.home()
        path = await asyncio.to_thread(write_markdown, session, messages, folder)
        await self._assistant.memory.note_export(path, session_id)
        self._desk.tell(t("tui.exported", path=path))

    async def export_all(self) -> None:
        """Write every conversation to a file of its own, in a new folder in the person's home.

        Raises:
            InputError: There is nothing to export.
            StorageError: A file cannot be written; those before it are kept.
        """
        sessions = await asyncio.to_thread(self._assistant.sessions)
        if not sessions:
            raise InputError("tui.export_empty")
        store = self._assistant.store.transcripts
        folder = await asyncio.to_thread(new_folder, Path.home(), self._desk.today)
        for session in sessions:
            messages = await asyncio.to_thread(store.path, session.id)
            path = await asyncio.to_thread(write_markdown, session, messages, folder)
            await self._assistant.memory.note_export(path, session.id)
        self._desk.tell(t("panel.exported_all", count=len(sessions), path=folder))

    def show_prompt(self) -> None:
        """Show the exact prompt of the last answer."""
        report = self._desk.chat.conversation.last_report
        if report is not None:
            self._desk.push_screen(TextView(t("tui.prompt_title"), report.prompt, t("tui.prompt_note")))

    # --- the rest ---------------------------------------------------------------------------------------------------

    async def _model(self, argument: str) -> None:
        if not argument:
            self.show_models()
            return
        self._assistant.models.find(argument)
        await self.use_model(argument)

    def show_models(self) -> None:
        """Show the models."""
        self._desk.push_screen(ModelsScreen(self._desk), self._model_chosen)

    def _model_chosen(self, model_id: str | None) -> None:
        if model_id is not None:
            self._desk.attempt(self.use_model(model_id))

    async def use_model(self, model_id: str) -> None:
        """Use another model from now on; one that is refused for its size or an earlier crash may be insisted on."""
        self._desk.tell(t("tui.model_chosen", model=model_id))
        try:
            await self._assistant.load_model(model_id)
        except ModelError as error:
            if error.key not in REFUSALS:
                raise
            anyway = ConfirmDialog(t("tui.model_anyway_title", model=model_id), str(error), t("tui.model_anyway"))
            if await self._desk.ask(anyway):
                await self._assistant.load_model(model_id, force=True)

    def show_settings(self) -> None:
        """Show the settings."""
        names = {model.id: model.name for model in self._assistant.models.list("llm")}
        screen = SettingsScreen(self._assistant.settings, self._assistant.model_settings(), models=names)
        self._desk.push_screen(screen, self._settings_closed)

    def _settings_closed(self, changed: bool | None) -> None:
        if changed:
            self._desk.attempt(self._apply_settings())

    async def _apply_settings(self) -> None:
        theme = self._assistant.settings.text("interface.theme")
        if theme in self._desk.available_themes:
            self._desk.theme = theme
        i18n.set_language(self._assistant.settings.text("interface.language"))
        await self._desk.chat.follow_memory_mode()
        await self._desk.rebuild()

    async def set_language(self, language: str) -> None:
        """Show everything in another language."""
        await self._desk.change_setting("interface.language", language)
        i18n.set_language(language)
        await self._desk.rebuild()

    async def show_audit(self) -> None:
        """Show who wrote, recalled or erased which record when."""
        entries = await self._assistant.audit(AUDIT_ENTRIES)
        self._desk.push_screen(TextView(t("tui.audit_title"), trail_text(entries), t("tui.audit_note")))

    def _read_logs(self) -> str:
        parts = []
        for name in LOG_NAMES:
            path = self._assistant.locations.logs / name
            if path.exists():
                text = path.read_text(encoding="utf-8", errors="replace")[-LOG_CHARACTERS:]
                parts.append(f"== {name} ==\n{text}")
        return "\n".join(parts)
