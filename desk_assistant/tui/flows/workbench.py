"""What one works with beside the chat: the editor, the keys, and what fills the context."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from textual.app import SuspendNotSupported

from desk_assistant.errors import InputError
from desk_assistant.i18n import t
from desk_assistant.tui import editor
from desk_assistant.tui.screens.context import ContextScreen
from desk_assistant.tui.screens.keys import KeysScreen

if TYPE_CHECKING:
    from desk_assistant.tui.app import DeskApp


class Workbench:
    """Each method raises `DeskError` with what to do instead.

    Args:
        desk: The app.
    """

    def __init__(self, desk: DeskApp) -> None:
        self._desk = desk

    async def run(self, name: str) -> None:
        """Do what a command of this name says: `editor`, `keys` or `context`."""
        match name:
            case "editor":
                self.edit_draft()
            case "keys":
                self._desk.push_screen(KeysScreen(self._desk))
            case "context":
                self._desk.push_screen(ContextScreen(self._desk.chat.conversation.parts))

    def edit_draft(self) -> None:
        """Open the draft in the person's editor; the app stands still meanwhile.

        Raises:
            InputError: The conversation is private, an answer is being written, or there is no editor or no terminal.
        """
        if self._desk.chat.conversation.private:
            raise InputError("screens.editor_private")
        if self._desk.chat.running is not None:
            raise InputError("tui.busy")
        argv = editor.find_editor(os.environ)
        if not argv:
            raise InputError("screens.editor_none")
        composer = self._desk.main.composer
        try:
            with self._desk.suspend():
                text = editor.edit(argv, composer.content, os.environ)
        except SuspendNotSupported as error:
            raise InputError("screens.editor_no_terminal") from error
        composer.focus()
        if text != composer.content:
            composer.fill(text)
            self._desk.tell(t("screens.edited_draft"))
