from __future__ import annotations

from datetime import datetime

import pytest

from desk_assistant.memory.extract import times


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("renew my passport by 2031-04-05.", "2031-04-05"),
        ("on 2031/4/5", "2031-04-05"),
        ("截止 2031-04-05", "2031-04-05"),
        ("in 2019 I moved", "2019"),
        ("2031-13-45", None),
    ],
)
def test_a_date_in_figures_is_read_whole(text: str, date: str | None) -> None:
    assert [mention.date for mention in times.resolve(text, datetime(2026, 5, 1))] == ([date] if date else [])
