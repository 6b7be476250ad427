"""The first start: the language, what is remembered and the switch for it, and where everything lives."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, RadioSet, Static

from desk_assistant import i18n
from desk_assistant.i18n import t
from desk_assistant.tui.widgets.choices import Radio
from desk_assistant.tui.widgets.word_switch import WordSwitch


class FirstRun(ModalScreen[bool]):
    """Asks two things. Returns whether conversations are remembered; the language is set while it is open."""

    def __init__(self, home: Path, model: str, terms: Sequence[str] = ()) -> None:
        """Make the screen.

        Args:
            home: Where the profile lives.
            model: Name of the model that will answer.
            terms: Terms of installed models that have not been accepted yet; who starts accepts them.
        """
        super().__init__(classes="first-run")
        self._terms = terms
        self._home = home
        self._model = model

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog -large"):
            yield Static(t("tui.first_title"), classes="dialog-title", id="first-title", markup=False)
            with VerticalScroll(id="first-page"):
                with RadioSet(id="first-language"):
                    yield Radio("English", value=i18n.language() == "en", id="lang-en")
                    yield Radio("简体中文", value=i18n.language() == "zh", id="lang-zh")
                yield Static("", id="first-text", markup=False)
                with Horizontal(id="first-switch"):
                    yield WordSwitch(True, id="first-remember")
                    yield Static("", id="first-remember-text", markup=False)
                yield Static("", id="first-where", markup=False)
            terms = Static("", id="first-terms", classes="dialog-hint", markup=False)
            terms.display = bool(self._terms)
            yield terms
            with Horizontal(classes="dialog-buttons"):
                yield Button("", id="first-start", variant="primary", compact=True)

    def on_mount(self) -> None:
        """Say everything in the language of the system."""
        self._speak()
        self.query_one("#first-start").focus()

    def _speak(self) -> None:
        self.query_one("#first-title", Static).update(t("tui.first_title"))
        self.query_one(WordSwitch).speak()
        self.query_one("#first-text", Static).update(t("tui.first_text"))
        self.query_one("#first-remember-text", Static).update(t("tui.first_remember"))
        where = t("tui.first_where", path=self._home, model=self._model or t("tui.no_model"))
        self.query_one("#first-where", Static).update(where)
        terms = [t("screens.first_terms", terms=terms) for terms in self._terms]
        self.query_one("#first-terms", Static).update("\n".join(terms))
        self.query_one("#first-start", Button).label = t("tui.first_start")

    def on_radio_set_changed(self, event: RadioSet.Changed) -> None:
        """Change the language at once."""
        event.stop()
        i18n.set_language((event.pressed.id or "lang-en").removeprefix("lang-"))
        self._speak()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Begin."""
        event.stop()
        self.dismiss(self.query_one(WordSwitch).value)
