"""What flows need from the app, so that they can be read without it."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import date
from typing import Any, Protocol, TypeVar

from textual.message import Message
from textual.screen import Screen

from desk_assistant.assistant import Assistant

Result = TypeVar("Result")


class Host(Protocol):
    """The app as a flow sees it."""

    @property
    def assistant(self) -> Assistant:
        """The facade."""

    @property
    def today(self) -> date:
        """The present day."""

    @property
    def conversation_id(self) -> str:
        """Id of the conversation that is open, empty when nothing of it is stored."""

    def tell(self, sentence: str) -> None:
        """Show a sentence that does not block."""

    def warn(self, sentence: str) -> None:
        """Show a sentence about something that went wrong."""

    async def ask(self, screen: Screen[Result]) -> Result | None:
        """Show a dialog and wait for its result."""

    def attempt(self, job: Coroutine[Any, Any, None]) -> None:
        """Run a job in the background; an expected failure becomes a notice."""

    def attempt_latest(self, group: str, work: Callable[[], Coroutine[Any, Any, None]]) -> None:
        """The same for work of which only the latest matters: an earlier one of the group is given up."""

    def post_message(self, message: Message) -> bool:
        """Pass a message on to the app itself."""

    def refresh_keys(self) -> None:
        """Show the keys that work now."""

    async def memory_changed(self) -> None:
        """Bring the panels up to date."""

    async def memory_forgot(self) -> None:
        """Take what was forgotten off the screen, or show again what was brought back."""
