"""What the text field tells. Apart from the other messages, since it stands in the first frame and they do not."""

from __future__ import annotations

from dataclasses import dataclass

from textual.message import Message


@dataclass
class SendText(Message):
    """The person sends a message or a slash command."""

    text: str


@dataclass
class DraftChanged(Message):
    """The text in the composer is another."""

    text: str
