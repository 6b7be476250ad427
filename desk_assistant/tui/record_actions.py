"""What the app does with records, wherever they were acted on: in a panel, in a dialog, under an answer."""

from __future__ import annotations

from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from desk_assistant.tui import messages as m
    from desk_assistant.tui.app import DeskApp
    from desk_assistant.tui.flows.curation import CurationFlow
    from desk_assistant.tui.flows.forgetting import ForgetFlow
    from desk_assistant.tui.flows.records import RecordFlow


class RecordActions:
    """The app's handlers of messages about records. Mixed into the app; screens are imported where they are shown."""

    records: RecordFlow
    curation: CurationFlow
    forgetting: ForgetFlow

    def attempt(self, job: Coroutine[Any, Any, None]) -> None:
        """Run a job in the background."""
        raise NotImplementedError

    @property
    def _app(self) -> DeskApp:
        return cast("DeskApp", self)

    @property
    def conversation_id(self) -> str:
        """Id of the conversation that is open, empty when nothing of it is stored."""
        return self._app.chat.conversation.session_id or ""

    def on_open_record(self, event: m.OpenRecord) -> None:
        """Show a record in full."""
        from desk_assistant.tui.screens.insight import INSIGHT, InsightScreen
        from desk_assistant.tui.screens.record import RecordScreen

        screen = InsightScreen if event.record_id.startswith(INSIGHT) else RecordScreen
        self._app.push_screen(screen(self._app, event.record_id))

    def on_edit_record(self, event: m.EditRecord) -> None:
        """Ask for a new wording."""
        self.attempt(self.records.edit(event.fact_id))

    def on_add_record(self, event: m.AddRecord) -> None:
        """Ask for something to remember."""
        self.attempt(self.records.add(event.text))

    def on_pin_record(self, event: m.PinRecord) -> None:
        """Pin, or let go."""
        self.attempt(self.records.pin(event.fact_id, event.pinned))

    def on_confirm_records(self, event: m.ConfirmRecords) -> None:
        """Make pending facts active ones, and others count as said now."""
        self.attempt(self.curation.confirm(event.ids))

    def on_settle_records(self, event: m.SettleRecords) -> None:
        """Change each to its other state."""
        self.attempt(self.curation.settle(event.ids))

    def on_forget_records(self, event: m.ForgetRecords) -> None:
        """Hide, and erase later."""
        self.attempt(self.forgetting.forget(event.ids))

    def on_choose_to_forget(self, event: m.ChooseToForget) -> None:
        """Show what a wish to forget means, and forget what was chosen."""
        self.attempt(self.forgetting.choose(event.words, event.session_id))

    def on_show_erased(self) -> None:
        """Show what the last erase removed, and the copies that still hold it."""
        from desk_assistant.tui.screens.erased import ErasedScreen

        self._app.push_screen(ErasedScreen(self._app, self.forgetting.last_report))

    def on_undo_forget(self) -> None:
        """Bring back."""
        self.attempt(self.forgetting.undo())
