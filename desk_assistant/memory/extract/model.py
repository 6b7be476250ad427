"""The data that extraction takes and gives: turns, people already known, and grounded statements."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from desk_assistant.memory.extract.relatives import are_one
from desk_assistant.textkit.hanzi import simplified

USER: Final = "user"
"""Subject of everything that is about the person who writes."""

ANY: Final = "*"
"""Predicate of a retraction or correction that names a value only ("I've given up on Dutch")."""

Kind = Literal[
    "identity", "preference", "instruction", "prohibition", "fact", "relation", "task", "decision", "schedule"
]
Action = Literal["assert", "retract", "correct", "reattribute", "confirm", "close", "forget"]
Role = Literal["user", "assistant"]


@dataclass(frozen=True, slots=True)
class Turn:
    """One earlier message of the conversation, oldest first where several are given."""

    role: Role
    content: str


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody the person has spoken of before.

    Attributes:
        subject: The subject under which facts about them are kept, such as `"Alex"` or `"Alex (sister)"`.
        name: Their name, empty when only the relation is known ("my sister").
        relation: What they are to the person ("sister", "work", "室友"), empty when not known.
        aliases: Other names.
    """

    subject: str
    name: str = ""
    relation: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True)
class KnownPeople:
    """The people known so far: tells two of one name apart and finds the one behind a bare name or relation."""

    people: tuple[Person, ...] = ()
    _by_name: dict[str, tuple[Person, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        index: dict[str, list[Person]] = {}
        for person in self.people:
            for name in (person.name, *person.aliases):
                if name:
                    index.setdefault(simplified(name.casefold()), []).append(person)
        object.__setattr__(self, "_by_name", {name: tuple(people) for name, people in index.items()})

    @classmethod
    def of(cls, people: Iterable[Person]) -> KnownPeople:
        """Build from any iterable of people."""
        return cls(tuple(people))

    def named(self, name: str) -> tuple[Person, ...]:
        """Return everybody who goes by `name`."""
        return self._by_name.get(simplified(name.casefold()), ())

    def related(self, relation: str) -> tuple[Person, ...]:
        """Return everybody who stands in `relation` to the person."""
        return tuple(person for person in self.people if are_one(person.relation, relation))

    def subject(self, name: str, relation: str) -> tuple[str, bool]:
        """Choose the subject for somebody called `name` who is the person's `relation` (either may be empty).

        Returns:
            The subject, and whether it is certain. A name that already belongs to somebody with another relation
            gets the relation added, so that two of one name never share facts.
        """
        if not name:
            related = self.related(relation)
            return (related[0].subject, True) if len(related) == 1 else (relation, True)
        named = self.named(name)
        if not relation:
            return (named[0].subject if named else name), len(named) <= 1
        for person in named:
            if not person.relation or are_one(person.relation, relation, called_alike=True):
                return person.subject, True
        return (f"{name} ({relation})" if named else name), True


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that the person said, small enough to keep, with the words it rests on.

    Offsets are code points of the message given to `extract`. `object == message[start:end]` holds for every
    statement that names its value; for one that points back ("That was not me", "yes, remember that") the object
    comes from the earlier message and the span covers the words that point.

    Attributes:
        subject: `"user"`, or somebody's name or relation.
        predicate: Name from `predicates.toml`, with a qualifier after a dot where it has one (`favourite.drink`).
        object: The value, in the person's own words.
        text: Short statement in the language of the message, without a subject where that is the person.
        kind: What sort of memory it is.
        polarity: False for something that does not hold ("does not have a car").
        action: What it does to what is known.
        confidence: 0 to 1; below `resolve.PENDING_BELOW` it waits to be confirmed.
        language: `"en"` or `"zh"`.
        start, end: Span of the object's words.
        clause_start, clause_end: Span of the clause they came from.
        valid_from, valid_to: ISO 8601 dates, of reduced precision where only a month or year was said.
        due: ISO date, or date and time, of a task, plan or appointment.
        recurs: Recurrence as an RFC 5545 rule (`FREQ=WEEKLY;BYDAY=WE`).
        ambiguous: Other dates the same words may mean.
        target: The person a reattributed fact belongs to.
        relation: What the subject is to the person, where that was said ("flatmate").
        replaces: The value that was given up, in a correction that names it.
        additive: The person said "also": a single-valued predicate keeps its other values.
    """

    subject: str
    predicate: str
    object: str
    text: str
    kind: Kind
    polarity: bool = True
    action: Action = "assert"
    confidence: float = 0.8
    language: str = "en"
    start: int = 0
    end: int = 0
    clause_start: int = 0
    clause_end: int = 0
    valid_from: str | None = None
    valid_to: str | None = None
    due: str | None = None
    recurs: str | None = None
    ambiguous: tuple[str, ...] = ()
    target: str | None = None
    relation: str | None = None
    replaces: str | None = None
    additive: bool = False


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of the folded message: a sentence or a clause. Offsets are those of the message."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Sentence:
    """A whole sentence of the person's own.

    Attributes:
        start, end: Code points of the message.
        text: The words as they stand in the message.
        language: `"en"` or `"zh"`.
        may_state: No gate keeps it from saying something lasting about the person who writes.
    """

    start: int
    end: int
    text: str
    language: str
    may_state: bool


@dataclass(frozen=True, slots=True)
class Draft:
    """What a language's rules found in a clause, before dates, confidence and the people known are worked in.

    `start` and `end` are offsets in the message; `text` is a template with `{o}` for the value. `slot` says which
    date field a date said in the clause fills. A `tentative` draft closes the task that it is the doing of, if any.
    """

    predicate: str
    start: int
    end: int
    text: str
    confidence: float
    subject: str = USER
    name: str = ""
    relation: str = ""
    polarity: bool = True
    action: Action = "assert"
    additive: bool = False
    replaces: str | None = None
    target: str | None = None
    slot: Literal["valid_from", "valid_to", "due", ""] = ""
    past: bool = False
    tentative: bool = False


def draft_of(clause: Span, predicate: str, pair: tuple[int, int], text: str, confidence: float, **more: Any) -> Draft:
    """Build a draft from a span in a clause; `more` are further fields of `Draft`."""
    return Draft(predicate, clause.start + pair[0], clause.start + pair[1], text, confidence, **more)
