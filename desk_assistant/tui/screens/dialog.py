"""Small dialogs over the chat: a question to confirm, a text to change, a long text to read."""

from __future__ import annotations

from typing import TypeVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Footer, Static, TextArea

from desk_assistant.i18n import t
from desk_assistant.tui import keymap
from desk_assistant.tui.cells import clean
from desk_assistant.tui.messages import CopyText

Result = TypeVar("Result")


class Dialog(ModalScreen[Result]):
    """A screen over the chat that Escape closes without a result."""

    def __init__(self, *, classes: str | None = None) -> None:
        super().__init__(classes=classes)
        keymap.bind(self, "dialog")

    def action_close(self) -> None:
        """Close without a result."""
        self.dismiss(None)


class ConfirmDialog(Dialog[bool]):
    """A question that is answered with a button or with Enter and Escape."""

    def __init__(self, title: str, text: str, accept: str) -> None:
        super().__init__()
        self._title = title
        self._text = text
        self._accept = accept

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog"):
            yield Static(self._title, classes="dialog-title", markup=False)
            yield Static(self._text, markup=False)
            with Horizontal(classes="dialog-buttons"):
                yield Button(self._accept, id="accept", variant="primary")
                yield Button(t("tui.cancel"), id="cancel")

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        event.stop()
        self.dismiss(event.button.id == "accept")


class LineEdit(TextArea):
    """A wrapped text in which Enter accepts."""

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            if isinstance(self.screen, TextDialog):
                self.screen.accept()
            return
        await super()._on_key(event)


class TextDialog(Dialog[str]):
    """Asks for a text, beginning with one. An empty text is no answer."""

    def __init__(self, title: str, text: str = "", hint: str = "") -> None:
        super().__init__()
        self._title = title
        self._text = clean(text)
        self._hint = hint

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog"):
            yield Static(self._title, classes="dialog-title", markup=False)
            edit = LineEdit(self._text, soft_wrap=True, tab_behavior="focus", show_line_numbers=False, id="text")
            yield edit
            yield Static(self._hint, classes="dialog-hint", markup=False)
            with Horizontal(classes="dialog-buttons"):
                yield Button(t("tui.save"), id="accept", variant="primary")
                yield Button(t("tui.cancel"), id="cancel")

    def on_mount(self) -> None:
        """Begin at the end of the text."""
        edit = self.query_one(LineEdit)
        edit.focus()
        edit.move_cursor(edit.document.end)

    def accept(self) -> None:
        """Give the text back."""
        self.dismiss(self.query_one(LineEdit).text.strip() or None)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer."""
        event.stop()
        if event.button.id == "accept":
            self.accept()
        else:
            self.dismiss(None)


class TextView(Dialog[None]):
    """A long text to read, select and copy."""

    def __init__(self, title: str, text: str, note: str = "") -> None:
        super().__init__()
        self._title = title
        self._text = clean(text)
        self._note = note

    def compose(self) -> ComposeResult:
        """Lay out the parts."""
        with Vertical(classes="dialog -large"):
            yield Static(self._title, classes="dialog-title", markup=False)
            if self._note:
                yield Static(self._note, classes="dialog-hint", markup=False)
            yield TextArea(self._text, read_only=True, soft_wrap=True, show_line_numbers=False, id="text")
            with Horizontal(classes="dialog-buttons"):
                yield Button(t("tui.copy_all"), id="copy")
                yield Button(t("tui.close"), id="cancel")
        yield Footer(compact=True, show_command_palette=False)

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Copy or close."""
        event.stop()
        if event.button.id == "copy":
            self.post_message(CopyText(self._text))
        else:
            self.dismiss(None)


class MarkedScroll(VerticalScroll):
    """A scrolling page that can hold the focus, for reading with the keyboard."""

    can_focus = True
