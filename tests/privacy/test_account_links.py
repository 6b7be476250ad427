"""Account names of messengers that show themselves by their form, without a word for the messenger."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("it's live:nora.kvist_3 at work", "live:nora.kvist_3"),
        ("here: https://t.me/quiet_heron", "quiet_heron"),
        ("小红书号：青柠冰沙_27", "青柠冰沙_27"),
        ("find me as @moss:matrix.example.org", "@moss:matrix.example.org"),
    ],
)
def test_the_name_is_masked(gate: PrivacyGate, text: str, value: str) -> None:
    assert [(text[span.start : span.end], span.type) for span in gate.check(text)] == [(value, "IM_ID")]


def test_a_page_of_the_service_is_none(gate: PrivacyGate) -> None:
    assert gate.check("open instagram.com/explore and scroll") == ()
