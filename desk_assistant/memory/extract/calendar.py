"""Calendar arithmetic that both languages' date rules share. Weeks begin on Monday, as ISO 8601 has it."""

from __future__ import annotations

import calendar as _calendar
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

BYDAY: Final = ("MO", "TU", "WE", "TH", "FR", "SA", "SU")


@dataclass(frozen=True, slots=True)
class Mention:
    """A date, time, duration or recurrence that was said.

    Attributes:
        start, end: Span in the text.
        text: The words.
        date: ISO 8601 date; of reduced precision (`2026-04`, `2026`) where only a month or year was said. None for a
            bare time or an open recurrence.
        until: Last day of a stretch ("last week"), None for a point.
        time: `HH:MM`, None where none was said.
        recurs: RFC 5545 rule, None for something that happens once.
        ambiguous: The other dates the same words may mean.
        duration: ISO 8601 duration (`P3Y`) where the words say how long.
    """

    start: int
    end: int
    text: str
    date: str | None = None
    until: str | None = None
    time: str | None = None
    recurs: str | None = None
    ambiguous: tuple[str, ...] = ()
    duration: str | None = None

    @property
    def moment(self) -> str | None:
        """The date with its time where one was said: what a due date needs."""
        if self.date and self.time and len(self.date) == 10:
            return f"{self.date}T{self.time}"
        return self.date


def weekday_in_week(day: date, weekday: int, weeks: int) -> date:
    """Return `weekday` (0 is Monday) of the calendar week `weeks` away from that of `day`."""
    return day - timedelta(days=day.weekday()) + timedelta(days=weekday, weeks=weeks)


def coming(day: date, weekday: int) -> date:
    """Return the first `weekday` after `day`."""
    return day + timedelta(days=(weekday - day.weekday() - 1) % 7 + 1)


def past(day: date, weekday: int) -> date:
    """Return the last `weekday` before `day`."""
    return day - timedelta(days=(day.weekday() - weekday - 1) % 7 + 1)


def add_months(day: date, months: int) -> date:
    """Move `day` by whole months; the 31st becomes the last day of a shorter month."""
    index = day.year * 12 + day.month - 1 + months
    year, month = divmod(index, 12)
    year = min(max(year, 1), 9999)
    return date(year, month + 1, min(day.day, _calendar.monthrange(year, month + 1)[1]))


def month_of(day: date, months: int = 0) -> str:
    """Return the ISO month `months` away from that of `day`, such as `2026-04`."""
    return add_months(day, months).isoformat()[:7]


def exact(year: int, month: int, day: int) -> date | None:
    """Return the date, or None where there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def shift(day: date, unit: str, amount: int) -> str | None:
    """Move `day` by `amount` of `unit` (`day`, `week`, `month` or `year`) and keep only the precision that unit has.

    "Three weeks ago" is a day by usage, "three months ago" a month, "three years ago" a year.
    """
    try:
        if unit == "day":
            return (day + timedelta(days=amount)).isoformat()
        if unit == "week":
            return (day + timedelta(weeks=amount)).isoformat()
    except OverflowError:
        return None
    if unit == "month":
        return month_of(day, amount) if abs(amount) < 12000 else None
    year = day.year + amount
    return f"{year:04d}" if 1 <= year <= 9999 else None


def week_of(day: date, weeks: int) -> tuple[str, str]:
    """Return the first and last day of the calendar week `weeks` away."""
    first = weekday_in_week(day, 0, weeks)
    return first.isoformat(), (first + timedelta(days=6)).isoformat()
