"""Asks for a model file of one's own, and where it shall lie."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input, RadioSet, Static

from desk_assistant.i18n import t
from desk_assistant.models import ImportMode
from desk_assistant.tui.flows.models import ImportWish
from desk_assistant.tui.screens.dialog import Dialog
from desk_assistant.tui.widgets.choices import Radio
from desk_assistant.tui.widgets.path_suggester import PathSuggester

MODES: Final[tuple[ImportMode, ...]] = ("copy", "link", "leave")


class ImportDialog(Dialog[ImportWish]):
    """Returns what to import. The file itself is checked by whoever imports it."""

    CSS_PATH = "models.tcss"

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog"):
            yield Static(t("picker.import_title"), classes="dialog-title")
            yield Static(t("picker.import_file"), classes="dialog-hint", markup=False)
            yield Input(placeholder="~/…/model.gguf", suggester=PathSuggester(".gguf"), compact=True, id="import-path")
            with RadioSet(id="import-mode"):
                for mode in MODES:
                    yield Radio(t(f"picker.mode_{mode}"), value=mode == MODES[0], id=f"mode-{mode}")
            yield Static(t("picker.import_name"), classes="dialog-hint", markup=False)
            yield Input(compact=True, id="import-name")
            with Horizontal(classes="dialog-buttons"):
                yield Button(t("picker.import_button"), id="accept", variant="primary")
                yield Button(t("tui.cancel"), id="cancel")

    def on_mount(self) -> None:
        """Begin with the path."""
        self.query_one("#import-path").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Enter in either field accepts."""
        event.stop()
        self._accept()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        event.stop()
        if event.button.id == "accept":
            self._accept()
        else:
            self.dismiss(None)

    def _accept(self) -> None:
        path = self.query_one("#import-path", Input).value.strip().strip("'\"")
        if not path:
            self.query_one("#import-path").focus()
            return
        pressed = self.query_one(RadioSet).pressed_index
        name = self.query_one("#import-name", Input).value.strip()
        self.dismiss(ImportWish(Path(path).expanduser(), MODES[max(0, pressed)], name or None))
