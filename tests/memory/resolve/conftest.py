"""What the memory tests share: a small store in memory that applies resolutions the way the real one does."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime

import pytest

from desk_assistant.memory.extract import KnownPeople, Turn, extract
from desk_assistant.memory.resolve import KnownFact, Resolution, resolve

MONDAY = datetime(2026, 5, 11, 9, 0)


@dataclass
class Notebook:
    """Facts kept in a list: what a conversation leaves behind."""

    facts: list[KnownFact] = field(default_factory=list)
    turns: list[Turn] = field(default_factory=list)
    outcomes: list[Resolution] = field(default_factory=list)
    tombstones: set[str] = field(default_factory=set)

    def hear(self, message: str, *, said_at: datetime = MONDAY, fresh: bool = True) -> None:
        """Take in one message of the person."""
        for statement in extract(message, said_at=said_at, previous=self.turns, known=KnownPeople()):
            self.apply(resolve(statement, self.facts, tombstones=self.tombstones, fresh=fresh))
        self.turns.append(Turn("user", message))

    def answer(self, message: str) -> None:
        """Note what the assistant said."""
        self.turns.append(Turn("assistant", message))

    def apply(self, resolution: Resolution) -> None:
        """Carry out a resolution."""
        self.outcomes.append(resolution)
        ended = {"supersede": "superseded", "retract": "retracted", "reattribute": "retracted", "close": "closed"}
        for number, fact in enumerate(self.facts):
            if fact.id not in resolution.ids:
                continue
            if resolution.outcome in ended:
                self.facts[number] = replace(fact, status=ended[resolution.outcome])
            elif resolution.outcome == "confirm":
                self.facts[number] = replace(fact, status="active", confidence=1.0)
            elif resolution.outcome == "support":
                self.facts[number] = replace(fact, support=fact.support + 1)
        if resolution.outcome in {"insert", "supersede", "reattribute", "pending"}:
            said = resolution.statement
            status = "pending" if resolution.outcome == "pending" else "active"
            self.facts.append(
                KnownFact(
                    str(len(self.facts)), said.subject, said.predicate, said.object, said.text, said.polarity, status,
                    said.confidence,
                )
            )  # fmt: skip

    def active(self, *, of_user: bool = False) -> list[str]:
        """Return the active facts, each on one line."""
        return [
            f"{fact.subject} {fact.predicate} {fact.object} | {fact.text}"
            for fact in self.facts
            if fact.status == "active" and (fact.subject == "user" or not of_user)
        ]


@pytest.fixture
def notebook() -> Notebook:
    return Notebook()


@pytest.fixture
def hear() -> Callable[[Iterable[str]], Notebook]:
    """Tell a whole conversation; "A: " marks what the assistant said."""

    def tell(messages: Iterable[str]) -> Notebook:
        book = Notebook()
        for message in messages:
            if message.startswith("A: "):
                book.answer(message[3:])
            else:
                book.hear(message)
        return book

    return tell
