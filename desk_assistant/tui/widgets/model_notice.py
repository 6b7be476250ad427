"""The panel that stands in the chat when the model cannot be used: what happened, and what to do."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Static

from desk_assistant.i18n import t
from desk_assistant.tui.messages import ChooseModel, RetryStart


class ModelNotice(Vertical):
    """Hidden while all is well."""

    def __init__(self) -> None:
        super().__init__(id="model-notice")
        self.display = False

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        yield Static(t("tui.model_trouble"), classes="notice-title")
        yield Static("", id="model-trouble", markup=False)
        yield Static(t("tui.model_trouble_hint"), markup=False)
        with Horizontal(classes="panel-buttons"):
            yield Button(t("tui.choose_model"), id="choose-model", compact=True)
            yield Button(t("tui.try_again"), id="retry-start", compact=True)

    def tell(self, sentence: str) -> None:
        """Show what happened; hide the panel when nothing did."""
        self.display = bool(sentence)
        self.query_one("#model-trouble", Static).update(sentence)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Act."""
        event.stop()
        self.post_message(ChooseModel() if event.button.id == "choose-model" else RetryStart())
