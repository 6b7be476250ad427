"""Guards of the Chinese rules: which values fit."""

from __future__ import annotations

import re
from typing import Final

from desk_assistant.memory.extract.lexicon import category
from desk_assistant.memory.extract.rules import Guard
from desk_assistant.memory.extract.zh import words


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


_VAGUE: Final = _re(
    r"^(?:它|这|那|你|他|她|这个|那个|这些|那些|这种|那种|这样|那样|什么|怎么|一下|一点|自己|别人|点)(?!.{3})|^(?:这|那|你)(?:个|些|种|么|的|们|说|给|写|回|帮)?"
    r"|^第[一二两三四五六七八九十\d]+(?:个|版|种|段|张|句|行|条|款|稿|点|部分)"
)


def is_value(value: str) -> bool:
    """Refuse what only points ("这个", "你的回答")."""
    return bool(value) and not _VAGUE.match(value) and len(value) <= 32


def is_short(value: str) -> bool:
    """Accept a value of up to sixteen characters that does not only point."""
    return is_value(value) and len(value) <= 16


def is_place(value: str) -> bool:
    """Accept a value that can be a place."""
    return (
        is_value(value)
        and len(value) <= 20
        and not re.match(r"一起|一块|这里|这儿|那里|那儿|哪|家$|家里$|外面$|公司$|学校$|路上|心里", value)
    )


def is_occupation(value: str) -> bool:
    """Tell whether a noun phrase names a line of work."""
    return bool(re.search(rf"{words.JOB_ENDINGS}$", value)) and len(value) <= 20


def is_name(value: str) -> bool:
    """Tell whether a value can be somebody's full name."""
    return bool(
        re.fullmatch(
            rf"(?:[{words.SURNAMES}]|欧阳|诸葛|司马|上官|慕容|令狐|皇甫|尉迟)[一-鿿]{{1,3}}|[一-鿿]{{2,4}}"
            r"|[一-鿿]{2,5}·[一-鿿]{1,6}|[A-Z][A-Za-z'. -]{1,30}",
            value,
        )
    ) and not re.search(rf"{words.JOB_ENDINGS}$|人$|的|了|不|想|说|很|做|们$", value)


def is_surnamed(value: str) -> bool:
    """Tell whether a value is a full name beyond doubt enough for "我是…"."""
    return bool(re.fullmatch(rf"(?:[{words.SURNAMES}]|欧阳|诸葛|司马|上官)[一-鿿]{{1,2}}", value)) and is_name(value)


def is_tool(value: str) -> bool:
    """Accept what one uses lastingly: something with a name of its own, or a known kind of thing."""
    return (
        is_short(value)
        and bool(category(value) or re.search(r"[A-Za-z0-9]", value) or len(value) >= 2)
        and not re.match(r"起|来|过|完|手|力|心|功|餐|不|到|上|得|在|一下|脑|钱|英文|中文", value)
    )


def is_work(value: str) -> bool:
    """Accept a line of work or a field of it (前端开发)."""
    return is_occupation(value) or bool(_FIELD.fullmatch(value))


_FIELD: Final = _re(r"[一-鿿A-Za-z+#]{2,12}(?:开发|设计|研发|管理|研究|教学|销售|测试|运维|策划|运营)")

GUARDS: Final[dict[str, Guard]] = {
    "name": is_name,
    "place": is_place,
    "short": is_short,
    "surnamed": is_surnamed,
    "tool": is_tool,
    "value": is_value,
    "work": is_work,
}
"""Guards by the names that the rule file uses."""
