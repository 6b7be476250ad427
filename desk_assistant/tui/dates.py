"""Times as people read them, in the interface language."""

from __future__ import annotations

from datetime import date, datetime

from desk_assistant.i18n import t


def moment(iso: str | None) -> datetime | None:
    """Return the local time of an ISO string, None when there is none or it is not a time."""
    if not iso:
        return None
    try:
        return datetime.fromisoformat(iso).astimezone()
    except (ValueError, OverflowError, OSError):
        return None


def day_name(day: date, today: date) -> str:
    """Return a heading for a day: today, yesterday, the weekday within a week, else the date."""
    distance = (today - day).days
    if distance == 0:
        return t("tui.today")
    if distance == 1:
        return t("tui.yesterday")
    if 1 < distance < 7:
        return t(f"tui.weekday_{day.weekday()}")
    return long_day(day)


def long_day(day: date) -> str:
    """Return a whole date."""
    return t("tui.date", year=day.year, month=day.month, day=day.day, month_name=t(f"tui.month_{day.month}"))


def when(iso: str | None, today: date) -> str:
    """Return when something was: the time for today, else the day, with the time where it is recent."""
    at = moment(iso)
    if at is None:
        return iso or ""
    clock = at.strftime("%H:%M")
    distance = (today - at.date()).days
    if distance == 0:
        return clock
    name = day_name(at.date(), today)
    return f"{name} {clock}" if 0 < distance < 7 else name
