"""The models: choose, install, import, check, set and remove them, and read what each needs and may be used for."""

from __future__ import annotations

import asyncio
from bisect import bisect_right
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.message import Message
from textual.widgets import Button, Footer, Static

from desk_assistant.assistant.model_choices import in_use
from desk_assistant.assistant.model_notes import ModelNotes
from desk_assistant.errors import InputError
from desk_assistant.i18n import t
from desk_assistant.tui import keymap
from desk_assistant.tui.model_rows import AUTO, ModelShelf
from desk_assistant.tui.screens.dialog import ConfirmDialog, Dialog, MarkedScroll
from desk_assistant.tui.screens.import_model import ImportDialog
from desk_assistant.tui.screens.settings import SettingsScreen
from desk_assistant.tui.widgets.row_list import RowList

if TYPE_CHECKING:
    from desk_assistant.tui.app import DeskApp

OF_INSTALLED: Final = ("verify", "configure", "remove")
"""Actions that need a model of this machine."""


class ModelList(RowList):
    """The rows; a click chooses one, and only a second click, or Enter, uses it."""

    class Moved(Message):
        """Another row is chosen."""

    def watch_cursor(self) -> None:
        """Tell the screen."""
        super().watch_cursor()
        self.post_message(self.Moved())

    def on_click(self, event: events.Click) -> None:
        """Choose the row that was clicked; open it when it was clicked twice."""
        event.prevent_default()
        index = bisect_right(self._ends, event.y + self.scroll_offset.y)
        if index < len(self._rows) and self._rows[index].id:
            self.cursor = index
            if event.chain > 1:
                self.action_open()


class ModelsScreen(Dialog[str]):
    """Returns the id of the model that shall answer from now on.

    Args:
        desk: The app.
    """

    CSS_PATH = "models.tcss"

    def __init__(self, desk: DeskApp) -> None:
        super().__init__(classes="models-screen")
        keymap.bind(self, "models")
        self._desk = desk
        self._assistant = desk.assistant
        self._jobs = desk.model_jobs
        self._shelf = ModelShelf(desk.assistant)
        self._notes = ModelNotes(desk.assistant.store.meta)
        self._here: set[str] = set()
        self._unwatch: Callable[[], None] | None = None

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog -large"):
            yield Static(t("tui.models_title"), classes="dialog-title")
            with Container(id="models-body"):
                yield ModelList(empty=t("tui.models_none"), id="model-list")
                with MarkedScroll(id="model-card"):
                    yield Static("", id="model-name", markup=False)
                    yield Static("", id="model-text", markup=False)
            with Horizontal(id="model-job"):
                yield Static("", id="job-line", markup=False)
                yield Button(t("picker.stop"), action="screen.stop_job", compact=True)
            with Horizontal(id="model-actions"):
                for name in ("use", "install", "import", *OF_INSTALLED):
                    yield Button(t(f"picker.button_{name}"), id=f"do-{name}", action=f"screen.{name}", compact=True)
            yield Static(t("picker.folder", path=self._assistant.locations.models), classes="dialog-hint", markup=False)
        yield Footer(compact=True, show_command_palette=False)

    async def on_mount(self) -> None:
        """Look which are here, and follow the job that runs, if any."""
        self._unwatch = self._jobs.watch(self._job_changed)
        self._show_job()
        self.query_one(ModelList).focus()
        await self._fill()
        self.query_one(ModelList).focus_row(self._assistant.settings.text("model.name"))
        self._desk.attempt_latest("model card", self._show_card)

    def on_unmount(self) -> None:
        """Let the job go on alone."""
        if self._unwatch is not None:
            self._unwatch()

    async def _fill(self) -> None:
        rows = await asyncio.to_thread(self._shelf.rows)
        here = await asyncio.to_thread(self._assistant.models.list, "llm")
        self._here = {model.id for model in here}
        self.query_one(ModelList).set_rows(rows)

    @property
    def _chosen(self) -> str:
        row = self.query_one(ModelList).current
        return row.id if row is not None else ""

    async def _refresh(self) -> None:
        await self._fill()
        await self._show_card()

    async def _show_card(self) -> None:
        row = self.query_one(ModelList).current
        if row is None:
            return
        text = await asyncio.to_thread(self._shelf.card, row.id)
        self.query_one("#model-name", Static).update(row.text if row.id == AUTO else f"{row.text} ({row.id})")
        self.query_one("#model-text", Static).update(text)
        self.query_one("#model-card").scroll_home(animate=False)
        is_here = row.id in self._here
        self.query_one("#do-use", Button).disabled = not (is_here or row.id == AUTO)
        self.query_one("#do-install", Button).disabled = is_here or row.id == AUTO
        for name in OF_INSTALLED:
            self.query_one(f"#do-{name}", Button).disabled = not is_here

    def on_model_list_moved(self, event: ModelList.Moved) -> None:
        """Tell about the row that is chosen now."""
        event.stop()
        self._desk.attempt_latest("model card", self._show_card)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Use what is here; fetch what is not."""
        event.stop()
        if event.row_id in self._here or event.row_id == AUTO:
            self.action_use()
        else:
            self.action_install()

    # --- the job ----------------------------------------------------------------------------------------------------

    def _job_changed(self) -> None:
        self._show_job()
        if not self._jobs.model_id:
            self._desk.attempt_latest("model card", self._refresh)

    def _show_job(self) -> None:
        self.query_one("#model-job").display = bool(self._jobs.model_id)
        self.query_one("#job-line", Static).update(self._jobs.line)

    # --- what can be done -------------------------------------------------------------------------------------------

    def action_use(self) -> None:
        """Let the chosen model answer from now on."""
        if self._chosen == AUTO:
            self.dismiss(AUTO)
        elif self._chosen in self._here:
            self._desk.attempt(self._with_terms(self._chosen, partial(self.dismiss, self._chosen)))

    def action_install(self) -> None:
        """Fetch the chosen model over the network."""
        if self._chosen and self._chosen not in self._here and self._chosen != AUTO:
            self._desk.attempt(self._with_terms(self._chosen, partial(self._jobs.install, self._chosen)))

    async def _with_terms(self, model_id: str, then: Callable[[], object]) -> None:
        """Do something with a model once its terms are accepted; they are asked for one time."""
        entry = await asyncio.to_thread(self._shelf.entry, model_id)
        if entry is not None and not self._notes.accepted(entry):
            text = t("picker.terms_text", terms=entry.terms, licence=entry.licence)
            title = t("picker.terms_title", model=entry.name)
            if not await self._desk.ask(ConfirmDialog(title, text, t("picker.terms_accept"))):
                return
            await asyncio.to_thread(self._notes.accept, entry)
        then()

    def action_import(self) -> None:
        """Bring a file of one's own."""
        self._desk.attempt(self._import())

    async def _import(self) -> None:
        wish = await self._desk.ask(ImportDialog())
        if wish is not None:
            self._jobs.bring(wish)

    def action_verify(self) -> None:
        """Check every file of the chosen model."""
        if self._chosen in self._here:
            self._jobs.verify(self._chosen)

    def action_configure(self) -> None:
        """Set the chosen model by itself."""
        model = self._shelf.find(self._chosen)
        if model is not None:
            own = model.id, in_use(model, self._assistant.settings)
            self.app.push_screen(SettingsScreen(self._assistant.settings, own, only_model=True), self._configured)

    def _configured(self, changed: bool | None) -> None:
        if changed:
            self._desk.attempt_latest("model card", self._refresh)

    def action_remove(self) -> None:
        """Delete the chosen model, after asking."""
        if self._chosen in self._here:
            self._desk.attempt(self._remove(self._chosen))

    async def _remove(self, model_id: str) -> None:
        model = await asyncio.to_thread(self._assistant.models.find, model_id)
        used = self._assistant.model_settings()
        if used is not None and used[0] == model_id:
            raise InputError("picker.in_use", model=model_id)
        text = "picker.remove_external" if model.manifest.external else "picker.remove_text"
        size = f"{model.size / 1e6:.0f} MB"
        title, accept = t("picker.remove_title", model=model.name), t("picker.button_remove")
        if await self._desk.ask(ConfirmDialog(title, t(text, path=model.path, size=size), accept)):
            await asyncio.to_thread(self._assistant.models.remove, model_id)
            self._desk.tell(t("picker.removed", model=model_id))
            await self._refresh()

    def action_stop_job(self) -> None:
        """Stop what runs; what was fetched is kept."""
        self._jobs.stop()
