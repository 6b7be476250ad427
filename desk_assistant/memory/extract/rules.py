"""The shape of a rule, and how rules are read from the TOML files of a language."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import Any, Final, Literal

Cut = Literal["phrase", "clause", "none"]
"""Where a value ends: at the first preposition or conjunction, at a subordinate clause, or with the pattern."""
Slot = Literal["valid_from", "valid_to", "due", ""]
Guard = Callable[[str], bool]


@dataclass(frozen=True)
class Rule:
    """One way of saying something.

    Attributes:
        predicate: What it says.
        source: The pattern, matched at the start of the phrase; the group `o` is the value, `q` a qualifier of the
            predicate, `f` the value given up, `name` the name of a person brought up.
        text: The short statement, with `{o}` for the value, `{q}` and `{v}` for those groups, `{O}` for the value
            with a capital, `{V}` for the phrase itself. Empty for a rule that only has a negation.
        negated_as: Predicate of the negation where that is a statement of its own (likes, dislikes).
        negated_text: The short statement when negated; empty when a negated form says nothing worth keeping.
        confidence: How sure the rule is of itself, 0 to 1.
        many: The value may be a list ("Polish, Welsh and Dutch").
        cut: Where the value ends.
        guards: All must accept a value.
        refuse: Pattern of values that do not fit, searched in the value; empty for none.
        slot: The date field that a date in the clause fills.
        others: Also holds for somebody other than the person.
    """

    predicate: str
    source: str
    text: str
    negated_as: str = ""
    negated_text: str = ""
    confidence: float = 0.85
    many: bool = False
    cut: Cut = "clause"
    guards: tuple[Guard, ...] = ()
    refuse: str = ""
    slot: Slot = ""
    others: bool = True

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The pattern, compiled when it is first needed."""
        return re.compile(self.source, re.IGNORECASE)

    def accepts(self, value: str) -> bool:
        """Whether `value` can be the value of this rule."""
        if self.refuse and re.search(self.refuse, value, re.IGNORECASE):
            return False
        return all(guard(value) for guard in self.guards)


def load(package: str, name: str, lists: Mapping[str, str], guards: Mapping[str, Guard]) -> tuple[Rule, ...]:
    """Read the rules of one TOML file.

    Args:
        package: Package that the file lies in.
        name: File name.
        lists: Alternations that `<NAME>` in a pattern stands for, see `filled`.
        guards: Guards by the name the file uses.
    """
    raw: dict[str, list[dict[str, Any]]] = tomllib.loads(
        resources.files(package).joinpath(name).read_text(encoding="utf-8")
    )
    rules: list[Rule] = []
    for row in raw["rule"]:
        source = filled(row.pop("pattern"), lists)
        wanted = tuple(guards[guard] for guard in row.pop("guard", ()))
        rules.append(Rule(source=source, guards=wanted, **row))
    return tuple(rules)


def load_patterns(package: str, table: str, lists: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    """Read one table of a language's `patterns.toml`, made of its `parts`; arguments as for `load`."""
    raw = _patterns(package)
    pieces = {**lists, **raw["parts"]}
    return {name: re.compile(filled(source, pieces), re.IGNORECASE) for name, source in raw[table].items()}


@cache
def _patterns(package: str) -> dict[str, dict[str, str]]:
    # Every module of a language reads its own table of the one file.
    return tomllib.loads(resources.files(package).joinpath("patterns.toml").read_text(encoding="utf-8"))


def filled(source: str, pieces: Mapping[str, str]) -> str:
    """Turn a pattern as the TOML files lay it out into the regular expression it stands for.

    A pattern of several lines is joined without its line breaks and without the blanks at the ends of the lines, so a
    blank that counts stands within a line. `<NAME>` stands for a piece, which may refer to other pieces. `<NAME 3>`
    stands for a piece whose groups carry a number, because a group's name may occur only once in an expression: `#>`
    in the piece becomes `3>`.

    Args:
        source: The pattern as it stands in the file.
        pieces: What the names stand for.
    """

    def piece(match: re.Match[str]) -> str:
        text = pieces[match["name"]]
        return filled(text.replace("#>", match["number"] + ">") if match["number"] else text, pieces)

    return _PIECE.sub(piece, joined(source))


def joined(source: str) -> str:
    """Return a pattern or list of words that is laid out on several lines as the one line it stands for."""
    return "".join(line.strip() for line in source.split("\n")) if "\n" in source else source


_PIECE: Final = re.compile(r"<(?P<name>[A-Z_]+)(?: (?P<number>\d+))?>")


@dataclass(frozen=True, slots=True)
class Gates:
    """Patterns that keep a sentence or message out of memory, in one language.

    Attributes:
        question: The clause asks.
        hypothetical: The sentence is about what is not so.
        fiction: The whole message is a story, a game or a part played.
        role_play_on, role_play_off: Open and close a game that lasts over several messages.
        one_off: For this answer only.
        request: An order to do something now.
        small_talk: A sentence that says nothing.
        reported: Somebody else's words about the person.
        hedge: The person is not sure.
        material: The text that follows is to be worked on.
        material_before: The text above is to be worked on.
        aside: Words around a statement that only ask for attention ("…, would you believe it?").
        asked_to_remember: The words before what the person asks to be remembered or forgotten, put as a question.
        off_record: The person asks that the message not be remembered.
        announce: The words before a colon say that something about the person, or a correction, follows.
        correcting: The sentence or clause only says that something said before was wrong; what follows corrects it.
    """

    question: re.Pattern[str]
    hypothetical: re.Pattern[str]
    fiction: re.Pattern[str]
    role_play_on: re.Pattern[str]
    role_play_off: re.Pattern[str]
    one_off: re.Pattern[str]
    request: re.Pattern[str]
    small_talk: re.Pattern[str]
    reported: re.Pattern[str]
    hedge: re.Pattern[str]
    material: re.Pattern[str]
    material_before: re.Pattern[str]
    aside: re.Pattern[str]
    asked_to_remember: re.Pattern[str]
    off_record: re.Pattern[str]
    announce: re.Pattern[str]
    correcting: re.Pattern[str]


def load_gates(package: str) -> Gates:
    """Read the gates of a language from `gates.toml` in its package; every entry is a list of alternatives."""
    raw: dict[str, list[str]] = tomllib.loads(
        resources.files(package).joinpath("gates.toml").read_text(encoding="utf-8")
    )
    return Gates(
        **{
            name: re.compile("|".join(filled(alternative, {}) for alternative in alternatives), re.IGNORECASE)
            for name, alternatives in raw.items()
        }
    )
