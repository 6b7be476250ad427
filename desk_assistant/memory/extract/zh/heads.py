"""Chinese clauses and their subjects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from desk_assistant.memory.extract.context import Context, Who
from desk_assistant.memory.extract.model import Span
from desk_assistant.memory.extract.zh import words

_SPLIT: Final = re.compile(
    r"\s*[,;]\s*(?!(?:以及|还有)?[一-鿿A-Za-z0-9+#. ]{1,12}(?:,|和|、).{0,14}$)|\s+-+\s+|\s*—+\s*|\ufffc+|\s+(?=我)|(?=(?<=[^,;])(?:但是|但|不过|而且|所以|因为)我)"
)
LEAD: Final = re.compile(
    r"(?:(?:对了|顺便(?:说一下|说一句|说|提一下|一提|讲一下)?|另外|其实|嗯+|哦|噢|啊|哎|唉|嗨|还有|而且|并且|但是|但|不过|可是|因为|所以|因此|那|那么|然后|说起来|说来|说实话|老实说|坦白说|补充一下|补充|更正|更正一下|纠正一下|不对|不是|我说错了|说错了|改一下|改主意了|我改主意了|换了|我换了|更新一下|总之|当然|是的|对|没错|确实|好吧|好的|好|你好|谢谢|事实上|实际上|告诉你|跟你说|我跟你说|话说|首先|其次|最后|只是|就是|毕竟"
    r"|(?:请|麻烦)?(?:你)?(?:要)?(?:帮我)?(?:记住|记得|记一下|记下来|记下|记着|别忘了?|不要忘记|留意|注意)(?:一下|这点|这一点|哦|啊|了)?|我想让你知道|你要知道|你知道|需要说明的是|我要说的是)(?:[,:。、!\s…]+|(?=我|请|以后|今后|不要|别|每|在|回答|是|叫|现在)))"
)
REMEMBER: Final = re.compile(r"记住|记得|记一下|记下|记着|别忘|不要忘|记好")
CORRECTION: Final = re.compile(
    r"^(?:更正|纠正|不对|不是的?[,。]|说错了|我说错了|其实|改一下|改主意了|我改主意了|换了|我换了|更新一下)"
)

_REL: Final = words.RELATIONS
_ME: Final = re.compile(
    r"(?:我们家|我们公司|我们团队|我们组|我们项目|我们|咱们|咱|我家|我自己|我本人|本人|我个人|我)(?!的?(?:%s)(?!工作|经理工作|设计))"
    % _REL
)
_RELATIVE: Final = re.compile(
    rf"(?:我们?的?|咱|我家(?:的)?)(?P<place>公司|单位|学校|高中|大学|部门|组里)?的?(?P<r>{_REL})(?:(?P<n>{words.NAME})(?=[,、]|也|都|很|特别|非常|最|喜欢|爱|讨厌|不|是|在|住|会|有|养|今|昨|明|上|下|每|去|正|刚|已|对|做|当|想|要|说|的|从|就|过|搬|生|叫|怕|吃|喝|用|学|读|工|开|买|刚|常|一|只|没|给|姓|结|打|教|参|负|，))?(?P<s>的)?"
)
_NAMED_FIRST: Final = re.compile(
    rf"(?P<n>{words.NAME})[,(（ ]*(?:他|她)?(?:是|就是)?我们?的?(?P<place>公司|单位|部门)?的?(?P<r>{_REL})[)）]?(?P<rest>[,]|$)?"
)
_IS_MY: Final = re.compile(rf"(?P<n>[一-鿿]{{2,4}}|[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)(?:是|就是|,)我们?的?(?P<r>{_REL})")
_PRONOUN: Final = re.compile(r"(?:他们?|她们?|其)(?P<s>的)?")
_OTHER_NAME: Final = re.compile(
    r"(?P<n>[一-鿿]{2,4}?|[A-Z][\w'-]+)(?P<s>的)?(?=也|都|很|特别|非常|最|喜欢|爱|讨厌|不|是|在|住|会|有|养|今|昨|明|上|下|每|去|正|刚|已|对|做|当|想|要|的|从|就|过|搬|生|怕|吃|喝|用|学|读|工|开|买)"
)
_IMPLIED: Final = re.compile(
    r"(?:也|还|都|现在|目前|最近|平时|平常|一般|通常|主要|一直|从小|家里|以前|经常|常常|偶尔|习惯|特别|非常|超级?|真的|就|已经|刚|正在|正|不|没|从不|再也不|喜欢|讨厌|爱|住|养|对.{1,10}过敏|用|在|做|每|昨|今|前天|明|后天|上|下|去年|今年|想|打算|准备|计划|决定|有|会|叫|吃|喝|老家|\d+岁|周|星期|比较|只|常|毕业|擅长|负责|来自|学|开|买|搬|换)"
)


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


def clauses(sentence: Span) -> Iterator[Span]:
    """Split a sentence at commas and before a new subject; an enumeration stays together."""
    at = 0
    for match in _SPLIT.finditer(sentence.text):
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
        at += len(text[at:]) - len(text[at:].lstrip(" ,的"))
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
    if match := _ME.match(text, at):
        return Head(context.speak_of(Who()), match.end(), lead, start=begin)
    if (match := _PRONOUN.match(text, at)) and context.other:
        return Head(context.speak_of(context.other), match.end(), lead, bool(match["s"]), True, start=begin)
    if match := _OTHER_NAME.match(text, at):
        if match["n"] in context.introduced or context.known.named(match["n"]):
            who = Who("", match["n"], context.introduced.get(match["n"], ""))
            return Head(context.speak_of(who), match.end(), lead, bool(match["s"]), named=match.span("n"), start=begin)
    if context.last is not None and _IMPLIED.match(text, at):
        return Head(context.last, at, lead, inherited=True, start=begin)
    if context.last is None and (_IMPLIED.match(text, at) or at > begin):
        return Head(context.speak_of(Who()), at, lead, inherited=True, start=begin)
    return Head(None, at, lead, start=begin)
