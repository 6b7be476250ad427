"""Which part of a long conversation is on the screen: pages of messages, measured by the lines they take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from desk_assistant.store import Message

PAGE: Final = 20
"""Messages of a page, at most."""

PAGE_LINES: Final = 45
"""Lines of text after which a page is full: more than a tall terminal shows of the chat, and mounted in a blink."""

PAGE_LEAST: Final = 4
"""Messages of a page however long they are."""

LIVE_LINES: Final = 40
"""Lines that stay while an answer streams, when the screen is laid out many times a second."""

WINDOW_LINES: Final = 2 * PAGE_LINES
"""Lines that are mounted at most: whoever scrolls on gets pages at one end and loses them at the other."""

MESSAGE_LINES: Final = 3
"""Lines that a message counts besides its text."""

LINE_CELLS: Final = 80
"""Characters after which a long line counts as another one."""


def lines_of(message: Message) -> int:
    """Return about how many lines a message takes."""
    return MESSAGE_LINES + message.content.count("\n") + len(message.content) // LINE_CELLS


def page_start(messages: Sequence[Message], end: int, full: int = PAGE_LINES) -> int:
    """Return where the page of messages begins that ends before `end` and holds about `full` lines."""
    lines = 0
    for start in range(end - 1, -1, -1):
        lines += lines_of(messages[start])
        if _full(end - start, lines, full):
            return start
    return 0


def page_end(messages: Sequence[Message], start: int, full: int = PAGE_LINES) -> int:
    """Return where the page of messages ends that begins at `start`."""
    lines = 0
    for end in range(start + 1, len(messages) + 1):
        lines += lines_of(messages[end - 1])
        if _full(end - start, lines, full):
            return end
    return len(messages)


def _full(count: int, lines: int, full: int) -> bool:
    return count >= PAGE * max(1, full // PAGE_LINES) or (lines >= full and count >= PAGE_LEAST)
