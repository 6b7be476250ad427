"""The stretch of time that a question is about: "what did I say in March", 上周我去了哪里."""

from __future__ import annotations

import calendar
import re
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from desk_assistant import textkit
from desk_assistant.memory.extract import times
from desk_assistant.memory.question_words import asks_what_was_said
from desk_assistant.store import Episode, Fact

FIRST_DAY: Final = "0001-01-01"
LAST_DAY: Final = "9999-12-31"

_BEFORE: Final = re.compile(r"\b(?:before|until|till|prior to)\s*$", re.IGNORECASE)
_SINCE: Final = re.compile(r"\b(?:since|after)\s*$", re.IGNORECASE)
_BEFORE_WORD: Final = re.compile(r"(?:before|until|till)\b", re.IGNORECASE)
_SINCE_WORD: Final = re.compile(r"(?:since|after)\b", re.IGNORECASE)
_ZH_BEFORE: Final = re.compile(r"(?:之前|以前|前)")
_ZH_SINCE: Final = re.compile(r"(?:之后|以后|以来|后|起)")
_WRITTEN_DATE: Final = re.compile(r"\((\d{4}-\d{2}(?:-\d{2})?)")


@dataclass(frozen=True)
class Period:
    """A stretch of days, both ends included, as ISO dates.

    Attributes:
        only: The question is about what was said then, so nothing else answers it; else what falls into it goes first.
        bare: Nothing but the time is asked for ("what did I tell you in March?").
    """

    start: str
    end: str
    only: bool = False
    bare: bool = False

    def holds(self, moment: str | None) -> bool:
        """Tell whether an ISO date or time, of whatever precision, falls into the period."""
        if not moment:
            return False
        first, last = days_of(moment[:10])
        return first <= self.end and last >= self.start

    def holds_fact(self, fact: Fact) -> bool:
        """Tell whether a fact is of this time: its own date where it has one, else when it was said."""
        if dated := [moment for moment in (fact.due, fact.valid_from) if moment]:
            return any(map(self.holds, dated))
        return self.holds(fact.created_at) or self.holds(fact.last_seen)

    def holds_episode(self, episode: Episode) -> bool:
        """Tell whether a turn was said then, or, unless only that counts, speaks of a day of that time."""
        if self.holds(episode.created_at):
            return True
        return not self.only and any(map(self.holds, _WRITTEN_DATE.findall(episode.text)))


def period_of(question: str, asked_at: datetime) -> Period | None:
    """Return the stretch of time that a question names; None when it names none.

    Args:
        question: The question, English or Chinese.
        asked_at: Local time of the question: "last week" counts from its day, and a bare "in March" is the last one.
    """
    mentions = [m for m in times.resolve(question, asked_at, past=True) if m.date and not m.recurs]
    if not mentions:
        return None
    mention = mentions[0]
    assert mention.date is not None
    moment = mention.date
    if len(moment) <= len("2026-05") and moment[:4] not in mention.text and moment > asked_at.date().isoformat():
        # "In May" of somebody who asks about what was is the May behind, whatever the verb's tense looked like.
        moment = f"{int(moment[:4]) - 1}{moment[4:]}" if asks_what_was_said(question) else moment
    start, end = days_of(moment)
    if mention.until:
        end = days_of(mention.until)[1]
    before, after = question[: mention.start], question[mention.end :]
    if _BEFORE.search(before) or _BEFORE_WORD.match(mention.text) or _ZH_BEFORE.match(after):
        start, end = FIRST_DAY, start
    elif _SINCE.search(before) or _SINCE_WORD.match(mention.text) or _ZH_SINCE.match(after):
        end = LAST_DAY
    rest = question[: mention.start] + " " + question[mention.end :]
    return Period(start, end, asks_what_was_said(question), not textkit.content_words(rest))


def days_of(moment: str) -> tuple[str, str]:
    """Return the first and last day of an ISO date of any precision ("2026", "2026-03", "2026-03-04")."""
    parts = [int(part) for part in moment.split("-")]
    if len(parts) == 1:
        return f"{moment}-01-01", f"{moment}-12-31"
    if len(parts) == 2:
        return f"{moment}-01", f"{moment}-{calendar.monthrange(parts[0], parts[1])[1]:02d}"
    return moment, date(*parts).isoformat()
