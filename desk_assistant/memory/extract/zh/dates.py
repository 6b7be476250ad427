"""Chinese words for days, weeks and clock times."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from typing import Final

from desk_assistant.memory.extract import calendar
from desk_assistant.memory.extract.calendar import BYDAY, Mention
from desk_assistant.memory.extract.rules import load_patterns
from desk_assistant.memory.extract.zh import words

_PATTERNS: Final = load_patterns(__package__, "dates", words.LISTS)

_DIGITS: Final = {
    "零": 0,
    "〇": 0,
    "一": 1,
    "二": 2,
    "两": 2,
    "三": 3,
    "四": 4,
    "五": 5,
    "六": 6,
    "七": 7,
    "八": 8,
    "九": 9,
}
_WEEKDAY: Final = {"一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6}
_NEAR: Final = {
    "大前天": -3, "前天": -2, "昨天": -1, "昨日": -1, "昨晚": -1, "昨夜": -1,
    "今天": 0, "今日": 0, "今早": 0, "今晚": 0,
    "明天": 1, "明日": 1, "明早": 1, "明晚": 1, "后天": 2, "大后天": 3,
}  # fmt: skip
_YEARS: Final = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "明年": 1, "后年": 2}
_UNITS: Final = {"天": "day", "日": "day", "周": "week", "星期": "week", "礼拜": "week", "月": "month", "年": "year"}
_SEASONS: Final = {"春": ("03", "05"), "夏": ("06", "08"), "秋": ("09", "11")}

_PATTERN: Final = _PATTERNS["pattern"]


DATE: Final = _PATTERN
"""Matches a date, time or recurrence where it stands."""


def number(word: str) -> int:
    """Read an Arabic or Chinese numeral up to ninety-nine, or a year spelt digit by digit."""
    if word.isdigit():
        return int(word)
    if len(word) == 4:
        return int("".join(str(_DIGITS[digit]) for digit in word))
    if "十" in word:
        tens, _, ones = word.partition("十")
        return _DIGITS.get(tens, 1) * 10 + _DIGITS.get(ones, 0)
    return _DIGITS.get(word[:1], 0)


def _time(match: re.Match[str]) -> str | None:
    groups = match.groupdict()
    for n in range(1, 13):
        hour_text = groups.get(f"h{n}")
        if hour_text is None:
            continue
        part = groups.get(f"part{n}") or ""
        hour = number(hour_text)
        minute = 30 if groups.get(f"half{n}") else number(groups[f"m{n}"]) if groups.get(f"m{n}") else 0
        if groups.get(f"quarter{n}"):
            minute = number(groups[f"quarter{n}"]) * 15
        if (part in {"下午", "傍晚", "晚上", "晚", "夜里"} and hour < 12) or (part == "中午" and hour < 11):
            hour += 12
        elif not part and hour < 13 and not match[0].endswith("分") and ":" not in match[0]:
            return None  # 两点 may be either half of the day
        return f"{hour % 24:02d}:{minute:02d}" if hour <= 24 and minute < 60 else None
    return None


def find(text: str, day: date, *, past: bool) -> Iterator[Mention]:
    """Yield the mentions in a folded text, said on `day`; `past` makes a bare weekday or month look back."""
    for match in _PATTERN.finditer(text):
        mention = _read(match, day, past)
        if mention is not None:
            yield mention


def _read(match: re.Match[str], day: date, past: bool) -> Mention | None:
    span = (match.start(), match.end(), match[0])
    groups = match.groupdict()
    time = _time(match)
    for reader in (_recurring, _with_year, _near_day, _of_week, _of_month, _counted):
        mention = reader(groups, day, past, span, time)
        if mention is not None:
            return mention
    return Mention(*span, time=time) if time else None


_Groups = dict[str, str | None]
_Span = tuple[int, int, str]


def _recurring(groups: _Groups, _day: date, _past: bool, span: _Span, time: str | None) -> Mention | None:
    if groups["ev_md"]:
        return Mention(*span, recurs=f"FREQ=MONTHLY;BYMONTHDAY={number(groups['ev_md'])}", time=time)
    if groups["ev_d"]:
        days = ",".join(BYDAY[_WEEKDAY[name]] for name in groups["ev_d"] if name in _WEEKDAY)
        return Mention(
            *span,
            recurs=f"FREQ=WEEKLY{';INTERVAL=2' if groups['ev_other'] or groups['ev_skip'] else ''};BYDAY={days}",
            time=time,
        )
    if groups["ev_two"]:
        return Mention(*span, recurs="FREQ=WEEKLY;INTERVAL=2", time=time)
    unit = groups["ev_u"]
    if not unit:
        return None
    if "末" in unit:
        return Mention(*span, recurs="FREQ=WEEKLY;BYDAY=SA,SU", time=time)
    frequency = "MONTHLY" if "月" in unit else "YEARLY" if "年" in unit else "WEEKLY" if unit[-1] in "周期" else "DAILY"
    return Mention(*span, recurs=f"FREQ={frequency}", time=time)


def _with_year(groups: _Groups, day: date, _past: bool, span: _Span, time: str | None) -> Mention | None:
    if groups["full_y"]:
        year, month, number_of_day = number(groups["full_y"]), groups["full_m"], groups["full_d"]
    elif groups["rel_y"]:
        year, month, number_of_day = day.year + _YEARS[groups["rel_y"]], groups["rel_m"], groups["rel_d"]
        if groups["rel_s"]:
            first, last = _SEASONS[groups["rel_s"]]
            return Mention(*span, date=f"{year:04d}-{first}", until=f"{year:04d}-{last}")
    else:
        return None
    if not month:
        return Mention(*span, date=f"{year:04d}")
    if not 1 <= number(month) <= 12:
        return None
    if not number_of_day:
        return Mention(*span, date=f"{year:04d}-{number(month):02d}")
    found = calendar.exact(year, number(month), number(number_of_day))
    return Mention(*span, date=found.isoformat(), time=time) if found else None


def _near_day(groups: _Groups, day: date, past: bool, span: _Span, time: str | None) -> Mention | None:
    if groups["near"]:
        return Mention(*span, date=(day + timedelta(days=_NEAR[groups["near"]])).isoformat(), time=time)
    if not (groups["md_m"] and groups["md_d"]):
        return None
    month, number_of_day = number(groups["md_m"]), number(groups["md_d"])
    found = calendar.exact(day.year, month, number_of_day)
    if found is None:
        return None
    if past and found > day:
        found = calendar.exact(day.year - 1, month, number_of_day) or found
    elif not past and (day - found).days > 30:
        found = calendar.exact(day.year + 1, month, number_of_day) or found
    return Mention(*span, date=found.isoformat(), time=time)


_STEP: Final = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}


def _of_week(groups: _Groups, day: date, past: bool, span: _Span, time: str | None) -> Mention | None:
    if groups["wk_q"]:
        weeks, name = _STEP[groups["wk_q"]], groups["wk_d"]
        if not name:
            first, last = calendar.week_of(day, weeks)
            return Mention(*span, date=first, until=last)
        found = calendar.weekday_in_week(day, 5 if name == "末" else _WEEKDAY[name], weeks)
        until = (found + timedelta(days=1)).isoformat() if name == "末" else None
        return Mention(*span, date=found.isoformat(), until=until, time=time)
    if not groups["bare"]:
        return None
    weekday = 5 if groups["bare"] == "末" else _WEEKDAY[groups["bare"]]
    found = calendar.past(day, weekday) if past else calendar.coming(day, weekday)
    until = (found + timedelta(days=1)).isoformat() if groups["bare"] == "末" else None
    return Mention(*span, date=found.isoformat(), until=until, time=time)


def _of_month(groups: _Groups, day: date, past: bool, span: _Span, time: str | None) -> Mention | None:
    if groups["mo_q"]:
        month = calendar.month_of(day, _STEP[groups["mo_q"]])
        if groups["mo_d"]:
            found = calendar.exact(int(month[:4]), int(month[5:]), number(groups["mo_d"]))
            return Mention(*span, date=found.isoformat(), time=time) if found else None
        return Mention(*span, date=month)
    if not groups["month"] or not 1 <= number(groups["month"]) <= 12:
        return None
    month_number = number(groups["month"])
    year = day.year
    if past and month_number > day.month:
        year -= 1
    elif not past and month_number < day.month:
        year += 1
    return Mention(*span, date=f"{year:04d}-{month_number:02d}")


def _counted(groups: _Groups, day: date, _past: bool, span: _Span, _time: str | None) -> Mention | None:
    if groups["ago_n"] and groups["ago_u"] and groups["ago_w"]:
        sign = -1 if "前" in groups["ago_w"] else 1
        if groups["ago_n"] == "半":
            if groups["ago_u"] == "年":
                return Mention(*span, date=calendar.month_of(day, 6 * sign))
            return Mention(*span, date=(day + timedelta(days=15 * sign)).isoformat()[:7])
        return Mention(*span, date=calendar.shift(day, _UNITS[groups["ago_u"]], sign * number(groups["ago_n"])))
    if groups["dur_n"] and groups["dur_u"]:
        if groups["dur_n"] == "半":
            return Mention(*span, duration="P6M" if groups["dur_u"] == "年" else "P15D")
        return Mention(*span, duration=f"P{number(groups['dur_n'])}{_UNITS[groups['dur_u']][0].upper()}")
    return None
