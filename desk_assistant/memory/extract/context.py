"""What a reader carries from clause to clause of one message."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from desk_assistant.memory.extract.keys import is_done_by
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
        tasks: Values of the open tasks.
        correcting: The message said that something said before was wrong.
        new_work: The sentence told of a change of jobs, so that the place named next is where they work.
        thing: Predicate and words of the animal or person brought up last without a name, for "it's called Miso".
        greeted: The message began with a greeting to somebody, after which people say who they are.
        taste: Span in the message of what was last said to be liked or disliked, for "but now I love it".
        moved: A move was told of, with this date, so that the place named next is lived in since then.
    """

    known: KnownPeople
    last: Who | None = None
    other: Who | None = None
    introduced: dict[str, str] = field(default_factory=dict)
    topic: tuple[str, str] | None = None
    moved: str | None = None
    taste: tuple[int, int] | None = None
    tasks: Sequence[str] = ()
    correcting: bool = False
    thing: tuple[str, str] | None = None
    new_work: bool = False
    greeted: bool = False

    def has_task(self, deed: str) -> bool:
        """Tell whether `deed` is what an open task asked for."""
        return any(is_done_by(task, deed) for task in self.tasks)

    def person(self, name: str) -> Who | None:
        """Return somebody by a name that was brought up before, None when nobody is known by it."""
        if name in self.introduced:
            return Who("", name, self.introduced[name])
        named = self.known.named(name)
        return Who("", named[0].name or name, named[0].relation) if len(named) == 1 else None

    def speak_of(self, who: Who) -> Who:
        """Note that a clause is about `who`."""
        self.last = who
        if not who.is_user:
            self.other = who
            if who.name:
                self.introduced.setdefault(who.name, who.relation)
        return who
