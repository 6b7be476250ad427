"""Chinese clauses and their subjects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from desk_assistant.memory.extract.context import Context, Who
from desk_assistant.memory.extract.model import Span
from desk_assistant.memory.extract.rules import filled, load_patterns
from desk_assistant.memory.extract.zh import words

_PATTERNS: Final = load_patterns(__package__, "heads", words.LISTS)

_SPLIT: Final = re.compile(
    r"(?<!记住)(?<!记得)(?<!记下)(?<!记好)(?<!别忘)\s*[,;]\s*(?!\s*而?不是)|\s+-+\s+|\s*—+\s*|\ufffc+|\s+(?=我)|(?=(?<=[^,;])(?:但是|但|不过|而且|所以|因为)我)"
)
_RATHER: Final = re.compile(r"(?:而|应该)?是[^,;。]{1,16}[。.!]?$")
_DENIED: Final = re.compile(r"不(?:是|在|叫|住|用)|没")
LEAD: Final = _PATTERNS["lead"]
REMEMBER: Final = re.compile(r"记住|记得|记一下|记下|记着|别忘|不要忘|记好")
CORRECTION: Final = re.compile(
    r"^(?:更正|纠正|不对|不是的?[,。]|我?(?:刚才|之前|上次)?(?:说|搞|弄|记|讲|打|写)(?:错|混|反)了|其实|改一下|改主意了|我改主意了|换了|我换了|更新一下)"
)

_REL: Final = words.RELATIONS
_NAME: Final = filled(words.LISTS["NAME_SHORT"], words.LISTS)
_ME: Final = re.compile(
    r"(?:我们家|我们公司|我们团队|我们组|我们项目|我们|咱们|咱|我家(?!在)|我自己|我本人|本人|我个人|我)"
    rf"(?!的?(?:{_REL})(?!工作|经理工作|设计))"
    rf"(?:[和跟同与](?:我的?)?(?:{_REL})(?:{_NAME})?(?=住|在|都|一起|有|养|去))?"
)
_RELATIVE: Final = _PATTERNS["relative"]
_BARE_RELATIVE: Final = _PATTERNS["bare_relative"]
_APPOSED: Final = _PATTERNS["apposed"]
_FROM_WORK: Final = _PATTERNS["from_work"]
_IS_MY: Final = re.compile(
    rf"(?P<n>(?![这那它哪我你他她])[一-鿿]{{2,4}}(?<!的)|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)"
    rf"(?:是|就是|,)我们?的?(?P<r>{_REL})(?!的$)"
)
_HERE_IS: Final = re.compile(rf"(?:这|那)位?是我们?的?(?P<r>{_REL})(?P<n>[一-鿿]{{2,4}}|[A-Z][\w'-]+)$")
_AFTER_DATE: Final = re.compile(
    r"(?:之前|以前|前|之后|以后|后(?!天|年)|的时候|开始(?!学|练|做|养|用|喝|吃)|起)?[ ,的]*"
)
_PRONOUN: Final = re.compile(r"(?:他们?|她们?|其)(?P<s>的)?")
_OTHER_NAME: Final = _PATTERNS["other_name"]
_IMPLIED: Final = _PATTERNS["implied"]


@dataclass(frozen=True, slots=True)
class Head:
    """A clause taken apart; see the English one."""

    who: Who | None
    at: int
    lead: str
    possessed: bool = False
    inherited: bool = False
    named: tuple[int, int] | None = None
    start: int = 0
    apposed: bool = False


def clauses(sentence: Span) -> Iterator[Span]:
    """Split a sentence at commas and before a new subject; an enumeration stays together."""
    at = 0
    for match in _SPLIT.finditer(sentence.text):
        if _RATHER.match(sentence.text, match.end()) and _DENIED.search(sentence.text, at, match.start()):
            continue  # 不是老师，是护士
        if match.start() > at:
            yield _trim(sentence, at, match.start())
        at = match.end() if match.end() > match.start() else match.start()
    if at < len(sentence.text):
        yield _trim(sentence, at, len(sentence.text))


def _trim(sentence: Span, start: int, end: int) -> Span:
    piece = sentence.text[start:end]
    start += len(piece) - len(piece.lstrip(" ,.:;!?()。、\ufffc\t\n"))
    end = max(start, start + len(sentence.text[start:end].rstrip(" ,.:;!?。、…\ufffc\t\n")))
    return Span(sentence.start + start, sentence.start + end, sentence.text[start:end])


def lead_of(text: str) -> int:
    """Return the length of the discourse markers that a clause begins with."""
    at = 0
    for _ in range(5):
        match = LEAD.match(text, at)
        if not match or match.end() == at:
            break
        at = match.end()
    return at


def read_head(text: str, context: Context, dates: re.Pattern[str]) -> Head:
    """Find whom a clause is about and where its verb phrase begins; `dates` are skipped before the subject."""
    at = lead_of(text)
    lead = text[:at]
    begin = at
    if date := dates.match(text, at):
        at = date.end()
        at += len((_AFTER_DATE.match(text[at:]) or [""])[0])
    if match := _HERE_IS.match(text, at):
        who = Who("", match["n"], match["r"])
        return Head(context.speak_of(who), match.end(), lead, named=match.span("n"), start=begin)
    if match := _APPOSED.match(text, at):
        who = Who("", match["n"], match["r"])
        return Head(context.speak_of(who), match.end(), lead, named=match.span("n"), start=begin, apposed=True)
    if match := _FROM_WORK.match(text, at):
        who = Who("", match["n"], match["r"])
        return Head(context.speak_of(who), match.end(), lead, named=match.span("n"), start=begin)
    if match := _IS_MY.match(text, at):
        who = Who("", match["n"], match["r"])
        return Head(context.speak_of(who), match.end(), lead, named=match.span("n"), start=begin)
    if match := _RELATIVE.match(text, at):
        who = Who("", match["n"] or "", match["r"])
        return Head(
            context.speak_of(who),
            match.end(),
            lead,
            bool(match["s"]),
            named=match.span("n") if match["n"] else None,
            start=begin,
        )
    if match := _BARE_RELATIVE.match(text, at):
        who = Who("", match["n"], match["r"])
        return Head(context.speak_of(who), match.end(), lead, bool(match["s"]), named=match.span("n"), start=begin)
    if match := _ME.match(text, at):
        return Head(context.speak_of(Who()), match.end(), lead, start=begin)
    if (match := _PRONOUN.match(text, at)) and context.other:
        return Head(context.speak_of(context.other), match.end(), lead, bool(match["s"]), True, start=begin)
    if (match := _OTHER_NAME.match(text, at)) and (match["n"] in context.introduced or context.known.named(match["n"])):
        who = Who("", match["n"], context.introduced.get(match["n"], ""))
        return Head(context.speak_of(who), match.end(), lead, bool(match["s"]), named=match.span("n"), start=begin)
    if context.last is not None and _IMPLIED.match(text, at):
        return Head(context.last, at, lead, inherited=True, start=begin)
    if context.last is None and (_IMPLIED.match(text, at) or at > begin):
        return Head(context.speak_of(Who()), at, lead, inherited=True, start=begin)
    return Head(None, at, lead, start=begin)
