"""Chinese ways to bring up a person or an animal with a name: 老板叫张伟, (养了一只狗)叫大福, 跟老公陈默一起住."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.context import Context, Who
from desk_assistant.memory.extract.model import Draft, Span, draft_of
from desk_assistant.memory.extract.rules import load_patterns
from desk_assistant.memory.extract.zh import words
from desk_assistant.memory.extract.zh.heads import Head
from desk_assistant.memory.extract.zh.values import list_values

_PATTERNS: Final = load_patterns(__package__, "people", words.LISTS)
_NO_NAME: Final = ("谁", "什么", "我", "你", "他", "她", "的人", "不")


def people_of(clause: Span, head: Head, context: Context) -> Iterator[Draft]:
    """Yield the name of whom or what the clause, or the one before it, brought up."""
    text, at = clause.text, head.start
    if context.thing is not None and (match := _PATTERNS["called"].match(text, at)):
        predicate, what = context.thing
        context.thing = None
        for pair in list_values(text, *match.span("o")):
            if predicate == "pet":
                yield draft_of(clause, "pet", pair, f"养的{what}叫{{o}}", 0.9)
            else:
                context.speak_of(Who("", text[slice(*pair)], what))
                yield draft_of(clause, f"relation.{what}", pair, "{o}是" + what, 0.9)
        return
    if context.greeted and (match := _PATTERNS["i_am"].match(text, at)):
        context.greeted = False
        yield draft_of(clause, "name", match.span("o"), "叫{o}", 0.8)
        return
    if match := _PATTERNS["hired"].match(text, at):
        context.speak_of(Who("", match["n"], match["r"]))
        yield draft_of(clause, f"relation.{match['r']}", match.span("n"), "{o}是" + match["r"], 0.9)
        return
    if (match := _PATTERNS["is_called"].match(text, at)) and not match["n"].startswith(_NO_NAME):
        named = "叫" in text[match.start() : match.start("n")]
        if not named and not match["n"][:1].isascii() and not _looks_like_a_name(match["n"]):
            return
        context.speak_of(Who("", match["n"], match["r"]))
        yield draft_of(clause, f"relation.{match['r']}", match.span("n"), "{o}是" + match["r"], 0.9)


def in_passing(clause: Span, context: Context) -> Iterator[Draft]:
    """Yield the people of the person's that a clause names on its way (跟老公陈默一起住在绍兴)."""
    for match in _PATTERNS["in_passing"].finditer(clause.text):
        context.introduced.setdefault(match["n"], match["r"])
        yield draft_of(clause, f"relation.{match['r']}", match.span("n"), "{o}是" + match["r"], 0.86)


def _looks_like_a_name(name: str) -> bool:
    return len(name) in (2, 3) and name[0] in words.SURNAMES
