"""The settings, made from the one schema that also checks the file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Button, Footer, Input, Select, SelectionList, Static, Switch

from desk_assistant import i18n
from desk_assistant.errors import DeskError
from desk_assistant.i18n import t
from desk_assistant.privacy import KINDS
from desk_assistant.settings import MODELS, SCHEMA, Setting, Settings, Value, setting_of
from desk_assistant.tui.masking import kind_name
from desk_assistant.tui.screens.dialog import Dialog, MarkedScroll
from desk_assistant.tui.widgets.choices import Ticks
from desk_assistant.tui.widgets.word_switch import WordSwitch

AUTO: Final = "auto"


def _widget_id(key: str) -> str:
    return "set-" + key.replace(".", "-")


def choice_label(key: str, value: str) -> str:
    """Return what one of a setting's choices is called, in the interface language; its own name when it has one."""
    entry = f"settings.choice_{key.replace('.', '_')}_{value.replace('-', '_')}"
    if i18n.has(entry):
        return t(entry)
    return " ".join(part.capitalize() for part in value.split("-")) if key == "interface.theme" else value


class SettingsScreen(Dialog[bool]):
    """One line a setting; a change is checked and stored at once. Returns whether something was changed."""

    def __init__(
        self,
        settings: Settings,
        model: tuple[str, Mapping[str, Value]] | None = None,
        *,
        models: Mapping[str, str] | None = None,
        only_model: bool = False,
    ) -> None:
        """Make the screen.

        Args:
            settings: The person's settings.
            model: Id of a model and its own settings, as they are used.
            models: Names of the models on this machine by their ids.
            only_model: Whether only that model's own settings are shown.
        """
        super().__init__(classes="settings-screen")
        self._settings = settings
        self._names = dict(models or {})
        self._entries = [] if only_model else [(setting, settings[setting.key]) for setting in SCHEMA]
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

    def _choices(self, setting: Setting, value: Value) -> Sequence[tuple[str, str]]:
        """Return the labels and values a setting is chosen from; none when it is written freely."""
        if setting.key == "interface.theme":
            return sorted((choice_label(setting.key, name), name) for name in self.app.available_themes)
        if setting.key == "model.name" and self._names:
            known = [(choice_label(setting.key, AUTO), AUTO), *((name, key) for key, name in self._names.items())]
            return known if any(key == value for _, key in known) else [*known, (str(value), str(value))]
        return [(choice_label(setting.key, choice), choice) for choice in setting.choices]

    def _field(self, setting: Setting, value: Value) -> Widget:
        widget_id = _widget_id(setting.key)
        if isinstance(value, bool):
            return WordSwitch(value, id=widget_id)
        if setting.key == "privacy.allow" and isinstance(value, list):
            return Ticks(*((kind_name(kind), kind, kind in value) for kind in KINDS), compact=True, id=widget_id)
        choices = self._choices(setting, value)
        if choices:
            chosen = value if any(value == choice for _, choice in choices) else choices[0][1]
            return Select(choices, value=chosen, allow_blank=False, compact=True, id=widget_id)
        return Input(_as_text(value), compact=True, id=widget_id)

    def on_switch_changed(self, event: Switch.Changed) -> None:
        """Store a switch."""
        event.stop()
        self._store(event.switch.id, event.value)

    def on_select_changed(self, event: Select.Changed) -> None:
        """Store a choice."""
        event.stop()
        self._store(event.select.id, event.value)

    def on_selection_list_selected_changed(self, event: SelectionList.SelectedChanged[str]) -> None:
        """Store several choices."""
        event.stop()
        self._store(event.selection_list.id, list(event.selection_list.selected))

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
