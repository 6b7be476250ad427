"""A telephone number is one however its figures are set: with slashes, one by one, in words, with an extension."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("ring the bell or 312/555/0148", "312/555/0148"),
        ("my new one: 2 0 6 5 5 5 0 1 9 3", "2 0 6 5 5 5 0 1 9 3"),
        ("到了发消息，138.0000.4471", "138.0000.4471"),
        ("楼下师傅 1 3 7 0 0 0 0 5 2 8 6", "1 3 7 0 0 0 0 5 2 8 6"),
        ("我妈的是一三六 四个零 五二一八", "一三六 四个零 五二一八"),
        ("前台021-50550148转602", "021-50550148转602"),
        ("the desk is (503) 555-0164 ext. 27", "(503) 555-0164 ext. 27"),
    ],
)
def test_it_is_found_whole(gate: PrivacyGate, text: str, value: str) -> None:
    assert [(text[span.start : span.end], span.type) for span in gate.check(text)] == [(value, "PHONE")]


@pytest.mark.parametrize("text", ["the draw was 04 11 19 23 30 and 41 + 08", "1 2 3 4 5 6 7 8 9 10 11 12"])
def test_a_row_of_figures_is_none(gate: PrivacyGate, text: str) -> None:
    assert gate.check(text) == ()
