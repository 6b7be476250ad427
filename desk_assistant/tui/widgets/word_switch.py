"""A switch that says its state in a word too, for whoever does not see the colour."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static, Switch

from desk_assistant.i18n import t


class WordSwitch(Horizontal):
    """The switch with its word; `Switch.Changed` tells of a change as ever.

    Args:
        value: Whether it is on.
        id: Id of the switch itself.
    """

    DEFAULT_CSS = """
    WordSwitch { height: 1; width: auto; }
    WordSwitch > Switch { height: 1; border: none; padding: 0; margin: 0 1 0 0; }
    WordSwitch > Static { width: auto; height: 1; }
    """

    def __init__(self, value: bool, *, id: str) -> None:
        super().__init__()
        self._switch = Switch(value=value, id=id)

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        yield self._switch
        yield Static(self._word, classes="switch-word", markup=False)

    @property
    def value(self) -> bool:
        """Whether it is on."""
        return self._switch.value

    @property
    def _word(self) -> str:
        return t("screens.switch_on") if self._switch.value else t("screens.switch_off")

    def speak(self) -> None:
        """Say the state again, after a change or in another language."""
        self.query_one(".switch-word", Static).update(self._word)

    def on_switch_changed(self) -> None:
        """Say the new state; whoever is above hears of it too."""
        self.speak()
