"""Addresses from the room outwards, behind their floor, of a house without a word for its street, with a letter box."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (
            "send it to Room 802, Building 5, Lane 310 Tianyao Road, Xuhui District, Shanghai please",
            "Room 802, Building 5, Lane 310 Tianyao Road, Xuhui District, Shanghai",
        ),
        (
            "the office is No. 28 Jianshe Road, Chaoyang District, Beijing",
            "No. 28 Jianshe Road, Chaoyang District, Beijing",
        ),
        ("she has moved to 2nd floor, 41 Rue des Tilleuls, 69003 Lyon", "2nd floor, 41 Rue des Tilleuls, 69003 Lyon"),
        ("pop round to mine, 7a Willow Bank, the bell is broken", "7a Willow Bank"),
        ("寄成都市武侯区桐梓里6号信箱15", "成都市武侯区桐梓里6号信箱15"),
        ("我住重庆江北区橘林路9号附3", "重庆江北区橘林路9号附3"),
    ],
)
def test_it_is_found_whole(gate: PrivacyGate, text: str, value: str) -> None:
    assert [(text[span.start : span.end], span.type) for span in gate.check(text)] == [(value, "ADDRESS")]


@pytest.mark.parametrize("text", ["see section 14 of the Water Act 1989", "we want 7 Welsh Terriers at the show"])
def test_a_number_and_names_are_none(gate: PrivacyGate, text: str) -> None:
    assert gate.check(text) == ()
