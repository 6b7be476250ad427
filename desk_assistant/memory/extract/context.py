"""What a reader carries from clause to clause of one message."""

from __future__ import annotations

from dataclasses import dataclass, field

from desk_assistant.memory.extract.model import USER, KnownPeople


@dataclass(slots=True)
class Who:
    """Whom a clause is about.

    Attributes:
        subject: `"user"`, or empty for somebody else.
        name: Their name, where one is known.
        relation: What they are to the person.
    """

    subject: str = USER
    name: str = ""
    relation: str = ""

    @property
    def is_user(self) -> bool:
        """Whether this is the person who writes."""
        return self.subject == USER


@dataclass(slots=True)
class Context:
    """State of reading one message: who was spoken of last, and who was introduced.

    Attributes:
        known: People known before this message.
        last: Subject of the clause before, inherited by a clause without one; None at the start.
        other: The last person other than the writer, whom "he", "she" or 他 means.
        introduced: Names brought up in this message, with their relation.
        topic: Predicate and template of the thing spoken of last in this sentence, for "it's purple".
        moved: A move was told of, with this date, so that the place named next is lived in since then.
    """

    known: KnownPeople
    last: Who | None = None
    other: Who | None = None
    introduced: dict[str, str] = field(default_factory=dict)
    topic: tuple[str, str] | None = None
    moved: str | None = None

    def speak_of(self, who: Who) -> Who:
        """Note that a clause is about `who`."""
        self.last = who
        if not who.is_user:
            self.other = who
            if who.name:
                self.introduced.setdefault(who.name, who.relation)
        return who
