"""English words for days, weeks and clock times."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from typing import Final

from desk_assistant.memory.extract import calendar
from desk_assistant.memory.extract.calendar import BYDAY, Mention
from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.rules import load_patterns

_PATTERNS: Final = load_patterns(__package__, "dates", words.LISTS)

_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORT: Final = {"mon": 0, "tue": 1, "tues": 1, "wed": 2, "thu": 3, "thur": 3, "thurs": 3, "fri": 4, "sat": 5, "sun": 6}
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
_NUMBERS: Final = {
    word: value
    for value, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]
    )
} | {"a": 1, "an": 1, "a couple of": 2, "couple of": 2, "fifteen": 15, "twenty": 20, "thirty": 30}
_SEASONS: Final = {"spring": ("03", "05"), "summer": ("06", "08"), "autumn": ("09", "11"), "fall": ("09", "11")}

_PATTERN: Final = _PATTERNS["pattern"]


DATE: Final = _PATTERN
"""Matches a date, time or recurrence where it stands."""


def _weekday(word: str) -> int:
    low = word.lower()
    if low in _SHORT:
        return _SHORT[low]
    return next(number for number, name in enumerate(_WEEKDAYS) if name.startswith(low[:3]))


def _month(word: str) -> int:
    return next(number for number, name in enumerate(_MONTHS, 1) if name.startswith(word.lower()[:3]))


def _number(word: str) -> int:
    return int(word) if word.isdigit() else _NUMBERS[word.lower()]


def _time(match: re.Match[str]) -> str | None:
    for n in range(1, 10):
        hour_text = match[f"h{n}"]
        if hour_text is None:
            continue
        hour, minute = int(hour_text), int(match[f"m{n}"] or 0)
        half = (match[f"ap{n}"] or "").lower().replace(".", "") or (
            {"morning": "am"}.get((match[f"part{n}"] or "").lower(), "pm") if match[f"part{n}"] else ""
        )
        if half == "pm" and hour < 12:
            hour += 12
        elif half == "am" and hour == 12:
            hour = 0
        elif not half and hour < 13 and match[f"m{n}"] is None:
            return None  # "at 2" may be either half of the day
        return f"{hour:02d}:{minute:02d}" if hour < 24 and minute < 60 else None
    return None


def find(text: str, day: date, *, past: bool) -> Iterator[Mention]:
    """Yield the mentions in a folded text, said on `day`; `past` makes a bare weekday or month look back."""
    for match in _PATTERN.finditer(text):
        mention = _read(match, day, past)
        if mention is not None:
            yield mention


def _read(match: re.Match[str], day: date, past: bool) -> Mention | None:
    groups = match.groupdict()
    span = (match.start(), match.end(), match[0])
    time = _time(match)
    for name, reader in _READERS.items():
        if groups[name] is not None:
            return reader(match, day, past, span, time)
    return Mention(*span, time=time) if time else None


_Span = tuple[int, int, str]
_Reader = Callable[["re.Match[str]", date, bool, _Span, "str | None"], "Mention | None"]


def _iso(match: re.Match[str], _day: date, _past: bool, span: _Span, _time: str | None) -> Mention | None:
    year, month, number = map(int, match["iso"].replace("/", "-").split("-"))
    found = calendar.exact(year, month, number)
    return Mention(*span, date=found.isoformat()) if found else None


def _named_day(prefix: str) -> _Reader:
    def read(match: re.Match[str], day: date, past: bool, span: _Span, time: str | None) -> Mention | None:
        month, number, year = _month(match[f"{prefix}_m"]), int(match[f"{prefix}_d"]), match[f"{prefix}_y"]
        if year:
            found = calendar.exact(int(year), month, number)
            return Mention(*span, date=found.isoformat(), time=time) if found else None
        found = calendar.exact(day.year, month, number)
        if found is None:
            return None
        if past and found > day:
            found = calendar.exact(day.year - 1, month, number) or found
        elif not past and (day - found).days > 30:
            found = calendar.exact(day.year + 1, month, number) or found
        return Mention(*span, date=found.isoformat(), time=time)

    return read


def _every(match: re.Match[str], _day: date, _past: bool, span: _Span, time: str | None) -> Mention | None:
    unit = match["ev_d"].lower()
    step = ";INTERVAL=2" if match["ev_n"] else ""
    if unit in {"day", "morning", "evening", "night"}:
        rule = "FREQ=DAILY" + step
    elif unit in {"week", "month", "year"}:
        rule = f"FREQ={unit.upper()}LY" + step
    elif unit == "weekday":
        rule = "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"
    elif unit == "weekend":
        rule = f"FREQ=WEEKLY{step};BYDAY=SA,SU"
    else:
        rule = f"FREQ=WEEKLY{step};BYDAY={BYDAY[_weekday(unit)]}"
    return Mention(*span, recurs=rule, time=time)


def _plural(match: re.Match[str], _day: date, _past: bool, span: _Span, time: str | None) -> Mention | None:
    return Mention(*span, recurs=f"FREQ=WEEKLY;BYDAY={BYDAY[_weekday(match['plural'])]}", time=time)


def _often(match: re.Match[str], _day: date, _past: bool, span: _Span, _time: str | None) -> Mention | None:
    rule = {"daily": "DAILY", "weekly": "WEEKLY", "monthly": "MONTHLY"}.get(match["often"].lower(), "YEARLY")
    return Mention(*span, recurs=f"FREQ={rule}")


def _two_away(match: re.Match[str], day: date, _past: bool, span: _Span, time: str | None) -> Mention | None:
    offset = -2 if match["two"].lower().startswith("before") else 2
    return Mention(*span, date=(day + timedelta(days=offset)).isoformat(), time=time)


def _near(match: re.Match[str], day: date, _past: bool, span: _Span, time: str | None) -> Mention | None:
    word = match["near"].lower()
    offset = -1 if word in {"yesterday", "last night"} else 1 if word == "tomorrow" else 0
    return Mention(*span, date=(day + timedelta(days=offset)).isoformat(), time=time)


def _ago(match: re.Match[str], day: date, _past: bool, span: _Span, _time: str | None) -> Mention | None:
    return Mention(*span, date=calendar.shift(day, match["ago_u"].lower(), -_number(match["ago_n"])))


def _in(match: re.Match[str], day: date, _past: bool, span: _Span, _time: str | None) -> Mention | None:
    return Mention(*span, date=calendar.shift(day, match["in_u"].lower(), _number(match["in_n"])))


def _for(match: re.Match[str], _day: date, _past: bool, span: _Span, _time: str | None) -> Mention | None:
    return Mention(*span, duration=f"P{_number(match['for_n'])}{match['for_u'][0].upper()}")


def _weekday_said(match: re.Match[str], day: date, _past: bool, span: _Span, time: str | None) -> Mention | None:
    weekday, which = _weekday(match["wd"]), match["wd_q"].lower()
    nearest_past, nearest_next = calendar.past(day, weekday), calendar.coming(day, weekday)
    if which == "last":
        week = calendar.weekday_in_week(day, weekday, -1)
        # A day earlier this same week is "last" only once some days lie between.
        chosen = nearest_past if nearest_past == week or (day - nearest_past).days >= 3 else week
        others = {nearest_past, week} - {chosen}
    elif which == "next":
        chosen = calendar.weekday_in_week(day, weekday, 1)
        others = {nearest_next} - {chosen}
    elif which in {"this past", "past"}:
        chosen, others = nearest_past, set()
    elif which in {"this coming", "coming"}:
        chosen, others = nearest_next, set()
    else:
        chosen, others = calendar.weekday_in_week(day, weekday, 0), set()
    return Mention(
        *span, date=chosen.isoformat(), time=time, ambiguous=tuple(sorted(other.isoformat() for other in others))
    )


def _unit_said(match: re.Match[str], day: date, _past: bool, span: _Span, _time: str | None) -> Mention | None:
    unit = match["un"].lower()
    step = {"last": -1, "this": 0, "next": 1}[match["un_q"].lower()]
    if unit == "week":
        first, last = calendar.week_of(day, step)
        return Mention(*span, date=first, until=last)
    if unit == "weekend":
        saturday = calendar.weekday_in_week(day, 5, step)
        return Mention(*span, date=saturday.isoformat(), until=(saturday + timedelta(days=1)).isoformat())
    if unit == "month":
        return Mention(*span, date=calendar.month_of(day, step))
    if unit == "year":
        return Mention(*span, date=f"{day.year + step:04d}")
    if unit in _SEASONS:
        first_month, last_month = _SEASONS[unit]
        year = day.year
        if step > 0 and f"{day.month:02d}" >= first_month:
            year += 1
        elif step < 0 and f"{day.month:02d}" <= last_month:
            year -= 1
        return Mention(*span, date=f"{year:04d}-{first_month}", until=f"{year:04d}-{last_month}")
    month = _month(unit)
    year = day.year + (1 if step > 0 and month <= day.month else -1 if step < 0 and month >= day.month else 0)
    return Mention(*span, date=f"{year:04d}-{month:02d}")


def _bare(match: re.Match[str], day: date, past: bool, span: _Span, time: str | None) -> Mention | None:
    weekday = _weekday(match["bare"])
    looks_back = past or match[0][:5].lower() == "since"
    found = calendar.past(day, weekday) if looks_back else calendar.coming(day, weekday)
    return Mention(*span, date=found.isoformat(), time=time)


def _in_month(match: re.Match[str], day: date, past: bool, span: _Span, _time: str | None) -> Mention | None:
    month = _month(match["in_m"])
    year = int(match["in_my"]) if match["in_my"] else day.year
    if not match["in_my"]:
        looks_back = past or match[0][:5].lower() == "since"
        if looks_back and month > day.month:
            year -= 1
        elif not looks_back and month < day.month:
            year += 1
    return Mention(*span, date=f"{year:04d}-{month:02d}")


def _year(match: re.Match[str], _day: date, _past: bool, span: _Span, _time: str | None) -> Mention | None:
    return Mention(*span, date=match["year"])


_READERS: Final[dict[str, _Reader]] = {
    "iso": _iso, "dm_d": _named_day("dm"), "md_d": _named_day("md"), "every": _every, "plural": _plural,
    "often": _often, "two": _two_away, "near": _near, "ago_n": _ago, "in_n": _in, "for_n": _for,
    "wd": _weekday_said, "un": _unit_said, "bare": _bare, "in_m": _in_month, "year": _year,
}  # fmt: skip
