"""What every reader makes of an export: conversations, and what could not be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal

Role = Literal["user", "assistant", "system"]


@dataclass(frozen=True)
class Turn:
    """One message of a conversation that is to be imported.

    Attributes:
        ref: Its id in the export; unique within its conversation.
        time: When it was said (ISO 8601), as the export gives it, with an offset where that is known.
        parent: The `ref` of the message it follows; None begins the conversation. Not used where `Talk.joins` is set.
        name: Who said it, where the export gives names.
    """

    ref: str
    role: Role
    content: str
    time: str | None = None
    parent: str | None = None
    name: str | None = None


@dataclass(frozen=True)
class Talk:
    """One conversation of an export, or a stretch of one.

    Attributes:
        id: Its id in the export; empty where there is none, and then the import makes one from its words.
        title: Its title, empty where the export has none.
        started: When it began (ISO 8601), None where nothing tells.
        turns: Its messages, each after the one it follows. Several may follow the same one: other wordings, other
            answers.
        head: The `ref` of the message that was shown last; the branch up to it is the conversation, the rest is kept
            beside it.
        joins: The turns follow one another and continue what the conversation holds already, as lines of a log do.
        number: Its place in its file, from 1, or the line it begins on.
    """

    id: str
    title: str
    started: str | None
    turns: tuple[Turn, ...]
    head: str | None = None
    joins: bool = False
    number: int = 0

    @property
    def time(self) -> str | None:
        """When it began, or else when the first message was said that has a time."""
        return self.started or next((turn.time for turn in self.turns if turn.time), None)

    def shown(self) -> frozenset[str]:
        """Return the refs of the branch that is shown."""
        if self.joins or self.head is None:
            return frozenset(turn.ref for turn in self.turns)
        parents = {turn.ref: turn.parent for turn in self.turns}
        found: set[str] = set()
        current: str | None = self.head
        while current is not None and current in parents and current not in found:
            found.add(current)
            current = parents[current]
        return frozenset(found)


@dataclass(frozen=True)
class Problem:
    """Something of an export that was left out.

    Attributes:
        number: The line, or the place of the conversation in its file, from 1; 0 for a file as a whole.
        reason: What is wrong with it, in the interface language.
        unit: What `number` counts.
        file: Name of the file, where there are several.
    """

    number: int
    reason: str
    unit: Literal["line", "talk", "file"] = "line"
    file: str = ""


@dataclass(frozen=True)
class Selection:
    """Which conversations of an export are wanted; the default is all of them.

    Attributes:
        since: The first day on which they may have begun.
        until: The last day.
        title: Words that the title must have, in any order; upper and lower case are the same.
    """

    since: date | None = None
    until: date | None = None
    title: str = ""
    _words: tuple[str, ...] = field(init=False, repr=False, default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "_words", tuple(self.title.casefold().split()))

    def __bool__(self) -> bool:
        """Tell whether anything is left out at all."""
        return self.since is not None or self.until is not None or bool(self._words)

    def takes(self, talk: Talk) -> bool:
        """Tell whether a conversation is wanted; one without a date is not, where dates are asked for."""
        title = talk.title.casefold()
        if not all(word in title for word in self._words):
            return False
        if self.since is None and self.until is None:
            return True
        if talk.time is None:
            return False
        day = datetime.fromisoformat(talk.time).date()
        return (self.since is None or day >= self.since) and (self.until is None or day <= self.until)


Item = Talk | Problem
Items = Iterator[Item]
