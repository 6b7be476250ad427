"""Chinese standing instructions to the assistant, and what to call the person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.model import Draft, Span, draft_of
from desk_assistant.memory.extract.rules import load_patterns
from desk_assistant.memory.extract.zh import words
from desk_assistant.memory.extract.zh.guards import is_short
from desk_assistant.memory.extract.zh.values import tidy

_PATTERNS: Final = load_patterns(__package__, "instructions", words.LISTS)

_STANDING: Final = re.compile(
    r"以后|今后|从今|从现在起|从现在开始|往后|永远|一律|总是|始终|每次|每当|默认|凡是|一直|都(?=要|用|得|请|别|不|以|按|先)|再也|绝不|千万|长期|所有(?:回答|回复|对话)|任何时候|无论何时|务必都"
)
_PREFIX: Final = _PATTERNS["prefix"]
_ORDERS: Final = load_patterns(__package__, "orders", words.LISTS)
"""What the assistant may or may not do, and when: 十点以前别给我安排会议."""
_QUOTED_LAST: Final = re.compile(r"(?:“[^“”]+”|「[^「」]+」|『[^『』]+』|\"[^\"]+\")(?=[。.!]*$)")
_NEGATIVE: Final = re.compile(
    r"(?:不要|别|勿|禁止|不许|不准|不得|不能|不可以|不可|避免|少|不必|不用|无需|停止|拒绝|杜绝|绝不|不(?!是|同|对|行|错|太))(?:再|给我|在|要|使用|用)*"
)
_ABOUT_ANSWERS: Final = _PATTERNS["about_answers"]
_CALL_ME: Final = _PATTERNS["call_me"]


def instruction(clause: Span, at: int, remembered: bool) -> Iterator[Draft]:
    """Yield a standing instruction or prohibition given to the assistant, or what to call the person."""
    text = clause.text
    if (match := _CALL_ME.match(text, at)) and not re.search(r"别叫|不要叫|别喊", text):
        pair = tidy(text, *match.span("o"))
        if is_short(text[slice(*pair)]) and not re.match(r"去|来|做|帮|给|怎么|什么", text[slice(*pair)]):
            yield draft_of(clause, "nickname", pair, "叫{o}", 0.9)
        return
    if (match := _ORDERS["allowed"].match(text, at)) and not re.search(r"这|那|一下|帮我|今天|今晚|明天|刚才", text):
        at_times = _ORDERS["time"].search(match["when"] + match["when2"])
        if match["neg"] or at_times or "随时" in match[0]:
            pair = tidy(text, *match.span("o"))
            yield draft_of(clause, "prohibition" if match["neg"] else "okay_with", pair, "{o}", 0.78)
            return
    standing = bool(_STANDING.search(text, at)) or remembered
    if not standing and not _ABOUT_ANSWERS.search(text, at):
        return
    start = at
    prefix = _PREFIX.match(text, start)
    if prefix:
        start = prefix.end()
    negative = _NEGATIVE.match(text, start) or re.compile(
        r"(?:回答|回复|答复|说话|写代码|输出)(?:我|问题)?(?:的时候|时)?(?:都|里|中|,)*(?:不要|别|不许|禁止|不能)(?:再|用|使用|有|带|加|出现)*"
    ).match(text, start)
    about = _ABOUT_ANSWERS.search(text, at)
    if not standing:
        if not about or re.search(r"这|那|上面|下面|以下|一下", text):
            return
        if not negative and not re.match(r"用|请用|回答|回复|称呼|叫|说|说话|语气|保持|尽量|给出", text[start:]):
            return
        if not negative and not prefix:
            return
    elif (
        not about
        and not negative
        and not re.match(
            r"(?:用|叫|称|先|给|说|写|保持|尽量|按|以|把|使用|附|带|加|提供|列|推荐|提醒|当|对|不|别|遇到|碰到|如|安排|预订|订)",
            text[start:],
        )
    ) or re.match(r"我|喜欢|想|在|是", text[start:]):
        return
    value_start = negative.end() if negative and negative.start() == start and _NEGATIVE.match(text, start) else start
    pair = tidy(text, value_start, len(text), head=False)
    if quoted := _QUOTED_LAST.search(text, value_start):
        pair = (pair[0], quoted.end())  # what is quoted is meant letter by letter, a 哈 at its end too
    value = text[slice(*pair)]
    if not 2 <= len(value) <= 60:
        return
    said = text[start : pair[1]]
    yield draft_of(
        clause,
        "prohibition" if negative else "instruction",
        pair,
        said.replace("{", "（").replace("}", "）"),
        0.92 if standing else 0.62,
    )
