"""Times as exports write them, in the one form that is stored: ISO 8601 to the second, with the local offset."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, Final

MILLISECONDS_FROM: Final = 1e11
"""A number above this is milliseconds: as seconds it would lie beyond the year 5000."""


def from_epoch(value: Any) -> str | None:
    """Return the local time of seconds (or milliseconds) since 1970; None for what is no such number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value <= 0:
        return None
    try:
        seconds = value / 1000 if value > MILLISECONDS_FROM else value
        return datetime.fromtimestamp(seconds, UTC).astimezone().isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return None


def from_iso(value: Any) -> str | None:
    """Return an ISO 8601 time as local time; one without an offset stays without. None for anything else."""
    if not isinstance(value, str) or not value.strip():
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
        return (moment.astimezone() if moment.tzinfo else moment).isoformat(timespec="seconds")
    except (ValueError, OverflowError, OSError):
        return None


def as_written(value: Any) -> str | None:
    """Return an ISO 8601 time with the offset it was written with: the day it names is the speaker's own."""
    try:
        return datetime.fromisoformat(value).isoformat(timespec="seconds")
    except (TypeError, ValueError):
        return None


def from_either(value: Any) -> str | None:
    """Return the time that a number gives, or an ISO text as it is written; None for anything else."""
    return as_written(value) if isinstance(value, str) else from_epoch(value)
