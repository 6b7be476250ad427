"""Chinese events, and the catch-all for whatever else lasts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.context import Who
from desk_assistant.memory.extract.model import Draft, Span, draft_of
from desk_assistant.memory.extract.rules import load_patterns
from desk_assistant.memory.extract.zh import words
from desk_assistant.memory.extract.zh.values import cut_value, list_values, tidy

_PATTERNS: Final = load_patterns(__package__, "events", words.LISTS)

_MINDLESS: Final = _PATTERNS["mindless"]
_HABIT: Final = re.compile(
    r"每天|每周|每个?月|每年|每晚|每早|天天|经常|常常|习惯|平时|通常|一般|总是|一直|从小|常年|偶尔|周末|晚上|早上|业余|闲暇|有空|会|在"
)
_DURABLE: Final = _PATTERNS["durable"]


_AT_HAND: Final = re.compile(
    r"^(?:别|不要)|我(?:没问题|没意见|可以|不行|都行|无所谓)$|[你您]"
    r"|这个|那个|这段|这些|那些|上面|下面|代码|报错|错误|函数"
)
"""What belongs to the talk and not to the person's life."""

_LIFE: Final = re.compile(
    r"(?:开|办)了(?:一)?(?:家|间|个)|结婚|离婚|毕业|退休|辞职|离职|升职|怀孕|生了|买了|考过|考到|考出|拿到|考上|考取|获得|通过|摔|骨折|手术|住院|入职|搬家|装修|订婚|中奖|出版|发表"
    r"|赢|拿了|拿过|拿下|得过|得了|夺|考下|评上|当选|入选|选上|中了|获|送人|领了证|领证|考了|当爸|当妈|失业|创业|裸辞|换工作|戒烟|戒酒|丢了|弄丢|撞|动了|做了"
)
"""Begins something that happened once and matters."""


def anything(clause: Span, at: int, negated: bool, who: Who, dated: bool) -> Iterator[Draft]:
    """Yield the catch-all: something lasting (收集老邮票), or something that happened (种了三棵石榴树)."""
    text = clause.text
    pair = tidy(text, at, cut_value(text, at, len(text)))
    value = text[slice(*pair)]
    if (
        not (2 if _LIFE.match(value) or value[0] in "养种弹拉织酿钓" or _HABIT.search(text[:at]) else 3)
        <= len(value)
        <= 40
        or "\ufffc" in value
        or _AT_HAND.search(value)
    ):
        return
    if _PATTERNS["only_where"].match(value):
        return
    people = {"subject": who.subject, "name": who.name, "relation": who.relation}
    if not negated and not dated and who.is_user and (several := _PATTERNS["growing"].match(text, *pair)):
        items = list_values(text, *several.span("o"))
        if len(items) > 1:
            # Each of several can be given up alone.
            yield from (draft_of(clause, "about", item, several["v"] + "{o}", 0.66) for item in items)
            return
        if "了" in value and value[0] in "种养栽订租":
            yield draft_of(clause, "about", pair, "{o}", 0.66)
            return
    happened = (
        not re.match(r"(?:快|马上|就)?(?:要|会(?!了)|将|打算|准备)", value)
        and bool(re.search(r"[一-鿿](?:了|过|完|好了)(?:[^,。]|$)", text[at:]))
    ) or text.rstrip("。.! ").endswith("了")
    if negated:
        if who.is_user and _DURABLE.match(value):
            yield draft_of(clause, "about", pair, "不{o}", 0.62, polarity=False)
        return
    if happened:
        if (
            dated
            or (
                not who.is_user and who.relation and re.match(r"在[^,。]{1,12}?(?:开|办|盖|买|建|种|养|租|创)了", value)
            )
            or (_DURABLE.match(value) and who.is_user and value[0] not in "看听读追玩坐穿睡写打带开参")
            or _LIFE.match(value)
        ):
            yield draft_of(clause, "did", pair, "{o}", 0.66, slot="valid_from", past=True, **people)
        return
    often = bool(re.search(r"一般|通常|平时|经常|常常|总是|一直|习惯", text[:at]))
    if not often and re.match(r"要(?:去|在|参加|和|跟|带|到|飞|回)|会(?:去|到)|去[^,。]{2,}", value) and who.is_user:
        start = pair[0] + (1 if value[0] in "要会" else 0)
        yield draft_of(clause, "plan", (start, pair[1]), "打算{o}", 0.74 if dated else 0.5, slot="due")
        return
    if re.match(r"要[^,。]{2,}", value) and who.is_user and dated and not re.match(r"要(?:是|不|你|求)", value):
        yield draft_of(clause, "task", (pair[0] + 1, pair[1]), "要{o}", 0.76, slot="due")
        return
    if _MINDLESS.match(value):
        return
    if _DURABLE.match(value) or _HABIT.search(text[:at]) or _HABIT.match(value):
        yield draft_of(clause, "about", pair, "{o}", 0.66, **people)
    elif dated and re.fullmatch(r"[一-鿿]{1,2}的[一-鿿]{1,4}", value):
        yield draft_of(clause, "did", pair, "{o}", 0.7, slot="valid_from", past=True, **people)  # 2019年戒的烟
    elif dated:
        yield draft_of(clause, "plan" if who.is_user else "about", pair, "{o}", 0.62, slot="due", **people)
