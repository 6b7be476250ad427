"""Which known facts a statement is about, repeats or contradicts. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from desk_assistant.memory.extract import predicates
from desk_assistant.memory.extract.keys import content_of, matter_of, normal_form
from desk_assistant.memory.extract.model import ANY, Statement
from desk_assistant.textkit import is_cjk


@dataclass(frozen=True, slots=True)
class KnownFact:
    """A stored fact, as much of it as resolution needs. Give them oldest first.

    Attributes:
        id: The store's identifier.
        subject, predicate, object, text, polarity: As in `Statement`.
        status: `"active"` or `"pending"` facts take part; `"superseded"`, `"retracted"` and `"closed"` ones only keep
            replayed text from coming back.
        confidence: 0 to 1.
        pinned, edited: Set by the person; automation never changes such a fact.
        support: How often it was said.
        seen: When it was last said, seconds since 1970.
        ended: When it stopped holding, for one that does not hold any more.
    """

    id: str
    subject: str
    predicate: str
    object: str
    text: str = ""
    polarity: bool = True
    status: str = "active"
    confidence: float = 0.8
    pinned: bool = False
    edited: bool = False
    support: int = 1
    seen: float = 0.0
    ended: float | None = None

    @property
    def live(self) -> bool:
        """Whether it is held to be so, or waits to be confirmed."""
        return self.status in {"active", "pending"}

    @property
    def protected(self) -> bool:
        """Whether only the person may change it."""
        return self.pinned or self.edited


def about(statement: Statement, fact: KnownFact) -> bool:
    """Tell whether a fact's value is the statement's, or holds all its words."""
    wanted, held = normal_form(statement.object), normal_form(fact.object)
    if not wanted or not held:
        return False
    if wanted == held:
        return True
    if not wanted.isascii() or not held.isascii():
        wanted, held = _ASPECT.sub("", wanted), _ASPECT.sub("", held)
        return min(len(wanted), len(held)) >= 2 and (
            wanted in held or (held in wanted and len(held) * 2 >= len(wanted))
        )
    few, many = content_of(statement.object), content_of(fact.object)
    if few <= many:
        return True
    return len(many) >= 2 and many <= few


_ASPECT: Final = re.compile(r"(?<=[一-鿿])[了过着](?=[一-鿿])")


def _compatible(statement: Statement, fact: KnownFact) -> bool:
    return statement.predicate == ANY or predicates.base(statement.predicate) == predicates.base(fact.predicate)


def pointed_at(statement: Statement, live: Sequence[KnownFact]) -> list[KnownFact]:
    """Return the live facts that a statement means: those with its value, or the newest when it names none."""
    if not statement.object:
        newest = [fact for fact in live if predicates.base(fact.predicate) not in {"instruction", "prohibition"}]
        if not newest:
            return []
        key = normal_form(newest[-1].object)
        return [fact for fact in newest if fact.predicate == newest[-1].predicate and normal_form(fact.object) == key]
    exact = [
        fact
        for fact in live
        if _compatible(statement, fact) and normal_form(fact.object) == normal_form(statement.object)
    ]
    if statement.predicate == ANY:
        if statement.action == "reattribute":
            return exact or [fact for fact in live if about(statement, fact)]
        # What was done stays done; giving up the dog does not undo "got a dog".
        exact = [fact for fact in exact if predicates.base(fact.predicate) != "did"]
        return exact or [
            fact
            for fact in live
            if about(statement, fact)
            and predicates.base(fact.predicate) not in {"did", "instruction", "prohibition", "dislikes", "avoids"}
        ]
    found = exact or [fact for fact in live if _compatible(statement, fact) and about(statement, fact)]
    if not found and statement.predicate in _WORK and not statement.object[:1].isupper():
        # "I quit the bank" ends the work that is known, whatever the bank is called.
        return [fact for fact in live if fact.predicate == statement.predicate]
    return found


_WORK: Final = frozenset({"employer", "job"})


def says_same(statement: Statement, fact: KnownFact) -> bool:
    """Tell whether two predicates are two ways of saying one thing."""
    if fact.predicate == statement.predicate:
        return True
    one, other = predicates.base(statement.predicate), predicates.base(fact.predicate)
    if one == other == "uses":
        return True  # the qualifier is how much we knew of the tool
    return one != other and {one, other} <= {"owns", "uses", "detail"}


def contradicted(statement: Statement, live: Sequence[KnownFact]) -> list[KnownFact]:
    """Return the live facts that cannot hold beside the statement."""
    predicate = predicates.lookup(statement.predicate)
    wanted = normal_form(statement.object)
    found: list[KnownFact] = []
    for fact in live:
        same_matter = _same_matter(statement, fact)
        same_value = normal_form(fact.object) == wanted
        if fact.predicate == statement.predicate or (same_value and says_same(statement, fact)):
            if fact.polarity != statement.polarity:
                if same_value:
                    found.append(fact)
            elif (
                predicate.single
                and statement.polarity
                and not same_value
                and not statement.additive
                and statement.object
                and fact.object
            ):
                found.append(fact)
            continue
        other = predicates.lookup(fact.predicate)
        if (
            (
                same_matter
                and predicate.valence
                and other.valence == -predicate.valence
                and fact.polarity == statement.polarity
            )
            or (
                same_value
                and predicate.valence < 0
                and fact.polarity
                and other.name in {"favourite", "about", "uses"}
                and statement.polarity
            )
            or (
                predicate.valence < 0
                and other.name == "about"
                and fact.polarity
                and _without_verb(fact.object) == wanted
            )
            or (
                predicate.name == "about"
                and statement.polarity
                and other.name == "avoids"
                and _without_verb(statement.object) == normal_form(fact.object)
            )
        ):
            found.append(fact)
    return found


def same(one: str, other: str) -> bool:
    """Tell whether two subjects are one."""
    return one == other or normal_form(one) == normal_form(other)


def ids_of(facts: Iterable[KnownFact]) -> tuple[str, ...]:
    """Return the ids of facts, in their order."""
    return tuple(fact.id for fact in facts)


def named_by(statement: Statement, fact: KnownFact) -> bool:
    """Tell whether a fact names what a statement is about: in its value, or as the one it is told of."""
    wanted = content_of(_RELATION_WORD.sub("", statement.object)) or content_of(statement.object)
    if content_of(fact.subject) & wanted and content_of(fact.subject) <= wanted | {"user"}:
        return True
    if _names_predicate(statement, fact.predicate):
        return True
    held = normal_form(fact.object)
    if held.isascii():
        return bool(wanted) and (wanted <= content_of(fact.object) or content_of(fact.object) <= wanted)
    return about(statement, fact)


def _names_predicate(statement: Statement, predicate: str) -> bool:
    """Tell whether a statement names what a fact is about rather than its value ("my blood type", 生日)."""
    wanted = normal_form(statement.object)
    qualifier = predicates.qualifier(predicate)
    if qualifier and not predicate.startswith("relation."):
        return wanted == normal_form(qualifier)
    return wanted in {
        normal_form(predicates.base(predicate)),
        normal_form(predicates.label_in(predicate, statement.language)),
    }


_RELATION_WORD: Final = re.compile(
    r"^(?:my |our )?(?:mother|father|sister|brother|aunt|uncle|cousin|nephew|niece|friend|colleague|flatmate|roommate"
    r"|boss|neighbou?r|husband|wife|partner|son|daughter|grandma|grandpa|grandmother|grandfather) (?=\S)",
    re.IGNORECASE,
)


def same_sort(statement: Statement, fact: KnownFact) -> bool:
    """Tell whether a tool in use is another of the same sort, by its last word ("Android phone", 苹果手机)."""
    if predicates.base(fact.predicate) != "uses":
        return False
    one, other = normal_form(statement.object), normal_form(fact.object)
    if one == other:
        return False
    if one.isascii() and other.isascii():
        first, second = one.split(), other.split()
        return len(first) > 1 and len(second) > 1 and first[-1] == second[-1]
    return len(one) > 2 and len(other) > 2 and one[-2:] == other[-2:]


_HOW: Final = frozenset(["by", "on", "at", "in", "via", "for", "from", "near"])
_WAY: Final = re.compile(r"(?:上班|上学|通勤|回家|出行|出门|去公司|去学校)$")
_WAY_FIRST: Final = re.compile(r"(?P<way>上班|上学|通勤|出行|回家)(?:靠|坐|骑|开|走|用|搭|乘)")
_COMMUTE: Final = re.compile(
    r"^(?:take|catch|ride|drive|walk|cycle|bike|run|commute|go|get|travel|use|skate|row|jog) (?:.* )?"
    r"(?:work|office|school|university|college|campus?)\b"
)
_SHIFT: Final = re.compile(
    r"^(?:work (?:\w+ ){0,2}(?:night|day|early|late|evening|morning|weekend|graveyard|back|split)(?: shift)?"
    r"|(?:\w+ ){0,2}(?:night|day|early|late|evening|morning|weekend|graveyard|back|split) shift)$"
    r"|^上[^上]{1,3}班$"
)
"""Ways of getting somewhere, and hours of work, of which one takes the place of the other; in normal form."""


def same_habit(statement: Statement, fact: KnownFact) -> bool:
    """Tell whether two habits are one done in two ways: "commute by tram" and "commute by bike"."""
    if fact.predicate not in {"about", "schedule"} or statement.object == fact.object:
        return False
    if way := _WAY.search(statement.object):
        return fact.object.endswith(way[0])
    if way := _WAY_FIRST.match(statement.object):
        return fact.object.startswith(way["way"]) and _WAY_FIRST.match(fact.object) is not None
    for kind in (_COMMUTE, _SHIFT):
        if kind.search(normal_form(statement.object)):
            return kind.search(normal_form(fact.object)) is not None
    one, other = normal_form(statement.object).split(), normal_form(fact.object).split()
    return fact.predicate == "about" and one[:2] == other[:2] and len(one) > 2 and one[1] in _HOW and one != other


def _same_matter(statement: Statement, fact: KnownFact) -> bool:
    """Tell whether two tastes are about one thing: "karaoke" and "karaoke nights", 榴莲 and 吃榴莲."""
    if {predicates.base(statement.predicate), predicates.base(fact.predicate)} <= _ORDERS:
        asked, known = set(normal_form(statement.object)) - _OF_ORDERS, set(normal_form(fact.object)) - _OF_ORDERS
        if any(map(is_cjk, asked | known)):
            return asked == known
    one, other = matter_of(statement.object), matter_of(fact.object)
    if one == other:
        return True
    # Never having milk is against having it in the evening; having it is not against leaving it out at night.
    positive, negative = (one, other) if statement.predicate == "okay_with" else (other, one)
    return {statement.predicate, fact.predicate} == {"okay_with", "avoids"} and _WHEN.sub("", positive) == negative


_WHEN: Final = re.compile(r" (?:in|at|on|after|before|during|with|for|every|when|from|while)\b.*$")


_ORDERS: Final = frozenset({"okay_with", "prohibition", "instruction"})
_OF_ORDERS: Final = frozenset("可以能不要别许准得必用随时都在再给我你了吧请尽管欢迎禁止")
"""Characters in which an order and its permission differ, though they are about one thing."""


def _without_verb(value: str) -> str:
    """Return the normal form of a verb phrase without its verb: what "take sugar" and 吃羊肉 are about."""
    form = normal_form(value)
    return form.partition(" ")[2] if form.isascii() else form[1:]
