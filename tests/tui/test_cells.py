from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from desk_assistant import i18n
from desk_assistant.tui.cells import clean, fit, wrap
from desk_assistant.tui.dates import day_name, when

TODAY = date(2026, 5, 20)


@given(st.text(alphabet="ab 我用e\u0301👩‍👩‍👧", max_size=40), st.integers(1, 20))
def test_fit_fills_exactly_the_width(text: str, width: int) -> None:
    assert cell_len(fit(text, width)) == width


@given(st.text(alphabet="ab 我用，", max_size=60), st.integers(2, 12), st.integers(1, 4))
def test_wrapped_lines_stay_within_width_and_number(text: str, width: int, lines: int) -> None:
    wrapped = wrap(text, width, lines)
    assert len(wrapped) <= lines
    assert all(cell_len(line) <= width for line in wrapped)
    if len(wrapped) < lines:
        assert "".join("".join(wrapped).split()) == "".join(text.split())


def test_english_breaks_between_words_and_chinese_anywhere() -> None:
    assert wrap("one two three", 8, 3) == ["one two", "three"]
    assert wrap("我是做量化策略的", 8, 3) == ["我是做量", "化策略的"]
    assert wrap("我是做量化策略的", 8, 1)[0].startswith("我是做…")


def test_clean_takes_out_what_a_terminal_would_obey() -> None:
    assert clean("a\x1b[31mb\u202ec\r\nd") == "a\ufffd[31mb\ufffdc\nd"
    assert clean("\ud800").isprintable()
    assert clean("👩‍👩‍👧 e\u0301") == "👩‍👩‍👧 e\u0301"


@pytest.mark.parametrize(
    ("language", "iso", "shown"),
    [
        ("en", "2026-05-20T09:05:00+00:00", "09:05"),
        ("en", "2026-05-19T09:05:00+00:00", "Yesterday 09:05"),
        ("en", "2026-05-17T09:05:00+00:00", "Sunday 09:05"),
        ("en", "2026-03-01T09:05:00+00:00", "March 1, 2026"),
        ("zh", "2026-05-19T09:05:00+00:00", "昨天 09:05"),
        ("zh", "2026-03-01T09:05:00+00:00", "2026年3月1日"),
        ("en", "not a time", "not a time"),
    ],
)
def test_times_are_said_as_people_say_them(language: str, iso: str, shown: str) -> None:
    i18n.set_language(language)
    assert when(iso, TODAY) == shown


def test_the_day_of_a_heading() -> None:
    assert day_name(date(2026, 5, 20), TODAY) == "Today"
