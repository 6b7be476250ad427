"""What the main screen does with conversations, wherever they were acted on."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from desk_assistant.tui import messages as m
    from desk_assistant.tui.app import DeskApp
    from desk_assistant.tui.flows.commands import CommandFlow


class SessionActions:
    """The main screen's handlers of messages about conversations. Mixed into it."""

    _desk: DeskApp
    _commands: CommandFlow

    def _close_passing(self) -> None:
        raise NotImplementedError

    def on_new_session(self, event: m.NewSession) -> None:
        """Begin a conversation."""
        event.stop()
        self._close_passing()
        self._desk.attempt(self._desk.chat.new(private=event.private))

    def on_open_session(self) -> None:
        """An opened conversation should be seen: close what stands in its place. The app opens it."""
        self._close_passing()

    def on_rename_session(self, event: m.RenameSession) -> None:
        """Ask for a title."""
        event.stop()
        self._desk.attempt(self._commands.rename(event.session_id))

    def on_pin_session(self, event: m.PinSession) -> None:
        """Pin, or let go."""
        event.stop()
        self._desk.attempt(self._commands.pin_session(event.session_id, event.pinned))

    def on_export_session(self, event: m.ExportSession) -> None:
        """Write to a file."""
        event.stop()
        self._desk.attempt(self._commands.export(event.session_id, ""))

    def on_export_all(self) -> None:
        """Write all to files."""
        self._desk.attempt(self._commands.export_all())
