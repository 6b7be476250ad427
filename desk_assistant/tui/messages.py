"""What widgets tell each other. A widget never calls a sibling: it posts one of these, and a screen above it acts."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message as TextualMessage

from desk_assistant.tui.typed import DraftChanged as DraftChanged
from desk_assistant.tui.typed import SendText as SendText


@dataclass
class EditMessage(TextualMessage):
    """Ask for another wording of a message of the person, and have that answered."""

    message_id: str
    text: str


@dataclass
class OtherVersion(TextualMessage):
    """Show the next version of a message: another wording, another answer."""

    message_id: str


@dataclass
class OpenRecord(TextualMessage):
    """Show a fact, episode or message in full."""

    record_id: str


@dataclass
class OpenSession(TextualMessage):
    """Show a conversation, at one of its messages when `message_id` is given."""

    session_id: str
    message_id: str | None = None


@dataclass
class NewSession(TextualMessage):
    """Begin a new conversation."""

    private: bool = False


@dataclass
class RenameSession(TextualMessage):
    """Ask for a new title for a conversation."""

    session_id: str


@dataclass
class PinSession(TextualMessage):
    """Pin a conversation to the top of the list, or let it go."""

    session_id: str
    pinned: bool


@dataclass
class ExportSession(TextualMessage):
    """Write a conversation to a file."""

    session_id: str


@dataclass
class ExportAll(TextualMessage):
    """Write every conversation to a file of its own."""


@dataclass
class ForgetRecords(TextualMessage):
    """Hide records at once, and erase them when the time for undo is over."""

    ids: tuple[str, ...]


@dataclass
class EditRecord(TextualMessage):
    """Ask for a new wording of a fact."""

    fact_id: str


@dataclass
class AddRecord(TextualMessage):
    """Ask for something to remember, beginning with `text`."""

    text: str = ""


@dataclass
class PinRecord(TextualMessage):
    """Pin a fact, or let it go."""

    fact_id: str
    pinned: bool


@dataclass
class ConfirmRecords(TextualMessage):
    """The person says that facts are right: pending ones, or ones that have not come up for long."""

    ids: tuple[str, ...]


@dataclass
class SettleRecords(TextualMessage):
    """Change to the other state: a task to done and back, another record to put aside and back."""

    ids: tuple[str, ...]


@dataclass
class ChooseToForget(TextualMessage):
    """Show what a topic, a person or a time span would take along, and let the person decide."""

    words: str = ""
    session_id: str = ""


@dataclass
class ShowErased(TextualMessage):
    """Show what the last erase removed, and the copies that still hold it."""


@dataclass
class CopyText(TextualMessage):
    """Put text on the clipboard."""

    text: str


@dataclass
class ShowPrompt(TextualMessage):
    """Show the exact prompt of the last answer."""


@dataclass
class UndoForget(TextualMessage):
    """Bring back what was forgotten last."""


@dataclass
class ChooseModel(TextualMessage):
    """Show the models."""


@dataclass
class RetryStart(TextualMessage):
    """Try again to start what failed."""


@dataclass
class TogglePrivate(TextualMessage):
    """Change between a private conversation and an ordinary one."""


@dataclass
class TogglePause(TextualMessage):
    """Pause memory or go on."""
