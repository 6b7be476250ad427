"""Dates said in passing, resolved against the day of the message."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from desk_assistant.memory.extract import extract
from desk_assistant.memory.extract.times import resolve

WEDNESDAY = datetime(2026, 3, 4, 20, 0)


@pytest.mark.parametrize(
    ("words", "date"),
    [
        ("yesterday", "2026-03-03"),
        ("the day before yesterday", "2026-03-02"),
        ("tomorrow", "2026-03-05"),
        ("three weeks ago", "2026-02-11"),
        ("two years ago", "2024"),
        ("in 5 days", "2026-03-09"),
        ("next Friday", "2026-03-13"),
        ("by Friday", "2026-03-06"),
        ("last Friday", "2026-02-27"),
        ("last month", "2026-02"),
        ("since 2019", "2019"),
        ("14 February 1991", "1991-02-14"),
        ("May 3rd, 2025", "2025-05-03"),
        ("昨天", "2026-03-03"),
        ("大后天", "2026-03-07"),
        ("三天前", "2026-03-01"),
        ("下周三", "2026-03-11"),
        ("上个月", "2026-02"),
        ("去年", "2025"),
        ("2025年3月8日", "2025-03-08"),
        ("十月七号", "2026-10-07"),
        ("下个月5号", "2026-04-05"),
        ("半年前", "2025-09"),
    ],
)
def test_words_mean_a_date(words: str, date: str) -> None:
    assert [mention.date for mention in resolve(words, WEDNESDAY)] == [date]


@pytest.mark.parametrize(
    ("words", "rule", "time"),
    [
        ("every Wednesday at 2", "FREQ=WEEKLY;BYDAY=WE", None),
        ("every Wednesday at 2pm", "FREQ=WEEKLY;BYDAY=WE", "14:00"),
        ("on Thursdays at 18:30", "FREQ=WEEKLY;BYDAY=TH", "18:30"),
        ("every other Friday", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", None),
        ("每周三下午两点", "FREQ=WEEKLY;BYDAY=WE", "14:00"),
        ("每月15号", "FREQ=MONTHLY;BYMONTHDAY=15", None),
        ("每个周末", "FREQ=WEEKLY;BYDAY=SA,SU", None),
    ],
)
def test_words_mean_a_recurrence(words: str, rule: str, time: str | None) -> None:
    assert [(mention.recurs, mention.time) for mention in resolve(words, WEDNESDAY)] == [(rule, time)]


def test_next_friday_admits_that_it_is_ambiguous() -> None:
    (mention,) = resolve("next Friday", WEDNESDAY)
    assert mention.ambiguous == ("2026-03-06",)


@pytest.mark.parametrize("words", ["for three years", "做了五年了"])
def test_a_duration_is_not_a_date(words: str) -> None:
    (mention,) = resolve(words, WEDNESDAY)
    assert mention.date is None
    assert mention.duration in {"P3Y", "P5Y"}


@pytest.mark.parametrize("words", ["some day", "MySQL 8.0 at 3", "soon", "改天", "以后", "February 31st", "2月30日"])
def test_no_date_is_made_up(words: str) -> None:
    assert [mention.date for mention in resolve(words, WEDNESDAY) if mention.date] in ([], ["2026-02"])


@pytest.mark.parametrize("offset", [-3, 9])
def test_the_day_is_the_local_one(offset: int) -> None:
    late = datetime(2026, 7, 31, 22, 6, tzinfo=timezone(timedelta(hours=offset)))
    (statement,) = extract("Today I repotted the fig.", said_at=late)
    assert statement.valid_from == "2026-07-31"


def test_dates_go_into_fields_and_leave_the_value() -> None:
    found = extract("Yesterday I planted the pear tree; next Friday the fence goes up.", said_at=WEDNESDAY)
    assert (found[0].object, found[0].valid_from) == ("planted the pear tree", "2026-03-03")
    (task,) = extract("我周五之前要交季度报告。", said_at=WEDNESDAY)
    assert (task.predicate, task.due) == ("task", "2026-03-06")


@pytest.mark.parametrize("message", ["I got my scuba certificate.", "我拿到潜水证了。"])
def test_an_event_without_a_date_has_none(message: str) -> None:
    (statement,) = extract(message, said_at=WEDNESDAY)
    assert statement.valid_from is None


def test_a_move_dates_the_new_home() -> None:
    (statement,) = extract("I moved to Cardiff last month.", said_at=WEDNESDAY)
    assert (statement.object, statement.valid_from) == ("Cardiff", "2026-02")
