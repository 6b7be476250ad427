"""The settings, made from the one schema that also checks the file."""

from __future__ import annotations

from collections.abc import Mapping

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Footer, Input, Select, Static, Switch

from desk_assistant.errors import DeskError
from desk_assistant.i18n import t
from desk_assistant.settings import MODELS, SCHEMA, Setting, Settings, Value, setting_of
from desk_assistant.tui.screens.dialog import Dialog, MarkedScroll


def _widget_id(key: str) -> str:
    return "set-" + key.replace(".", "-")


class SettingsScreen(Dialog[bool]):
    """One line a setting; a change is checked and stored at once. Returns whether something was changed."""

    def __init__(self, settings: Settings, model: tuple[str, Mapping[str, Value]] | None = None) -> None:
        """Make the screen.

        Args:
            settings: The person's settings.
            model: Id of the model in use and its own settings, as they are used.
        """
        super().__init__(classes="settings-screen")
        self._settings = settings
        self._entries = [(setting, settings[setting.key]) for setting in SCHEMA]
        self._model = model[0] if model is not None else ""
        for name, value in model[1].items() if model is not None else ():
            if (setting := setting_of(f"{MODELS}.{self._model}.{name}")) is not None:
                self._entries.append((setting, value))
        self._changed = False
        self._ready = False

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog -large"):
            yield Static(t("tui.settings_title"), classes="dialog-title")
            yield Static(t("tui.settings_where", path=self._settings.path), classes="dialog-hint", markup=False)
            with MarkedScroll(id="settings-page"):
                table = ""
                for setting, value in self._entries:
                    if setting.key.partition(".")[0] != table:
                        table = setting.key.partition(".")[0]
                        title = t(f"tui.settings_{table}", model=self._model)
                        yield Static(title, classes="section", markup=False)
                    with Horizontal(classes="setting"):
                        yield Static(setting.title, classes="setting-title", markup=False)
                        yield self._field(setting, value)
            with Horizontal(classes="dialog-buttons"):
                yield Button(t("tui.close"), id="close", compact=True)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Listen only to changes by the person."""
        self.call_after_refresh(self._listen)

    def _listen(self) -> None:
        self._ready = True

    def _field(self, setting: Setting, value: Value) -> Switch | Select[str] | Input:
        widget_id = _widget_id(setting.key)
        choices = setting.choices
        if setting.key == "interface.theme":
            choices = tuple(sorted(self.app.available_themes))
        if isinstance(value, bool):
            return Switch(value=value, id=widget_id)
        if choices:
            return Select(
                [(choice, choice) for choice in choices],
                value=value if value in choices else choices[0],
                allow_blank=False,
                compact=True,
                id=widget_id,
            )
        return Input(_as_text(value), compact=True, id=widget_id)

    def on_switch_changed(self, event: Switch.Changed) -> None:
        """Store a switch."""
        event.stop()
        self._store(event.switch.id, event.value)

    def on_select_changed(self, event: Select.Changed) -> None:
        """Store a choice."""
        event.stop()
        self._store(event.select.id, event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Store a text or number."""
        event.stop()
        self._store(event.input.id, event.value)

    def on_input_blurred(self, event: Input.Blurred) -> None:
        """Store a text or number."""
        event.stop()
        self._store(event.input.id, event.value)

    def _store(self, widget_id: str | None, value: object) -> None:
        place = next((i for i, (setting, _) in enumerate(self._entries) if _widget_id(setting.key) == widget_id), None)
        if place is None or not self._ready:
            return
        setting, before = self._entries[place]
        if value == before or value == _as_text(before):
            return
        try:
            self._entries[place] = setting, self._settings.set(setting.key, value)
        except DeskError as error:
            self.app.notify(str(error), severity="error", markup=False)
            if isinstance(value, str):
                self.query_one(f"#{widget_id}", Input).value = _as_text(before)
            return
        self._changed = True

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Close."""
        event.stop()
        self.action_close()

    def action_close(self) -> None:
        """Close, and say whether something was changed."""
        self.dismiss(self._changed)


def _as_text(value: Value) -> str:
    return ", ".join(value) if isinstance(value, list) else str(value)
