"""Figures that stand beside doors, phones and passwords and are nobody's secret all the same."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate


@pytest.mark.parametrize(
    "text",
    [
        "so many people still use 123456 as a password",
        "拿123456当密码的人太多了",
        "lock the back door by 2145 please",
        "text STOP to 40210 to unsubscribe",
        "gate latch no. 6140, two of them for the door",
        "(2023)京0105民初20417号已经公开",
        "接口状态码一直503",
        "telegram is slow in eu-west-3 today",
        "the token limit is 4096",
        "the locker room opens at 0630",
    ],
)
def test_they_are_left_alone(gate: PrivacyGate, text: str) -> None:
    assert gate.check(text) == ()


def test_the_commonest_password_is_masked_when_it_is_ones_own(gate: PrivacyGate) -> None:
    assert gate.mask("my router password is 12345678").text == "my router password is [PASSWORD]"


def test_an_address_beside_a_user_is_not_widened(gate: PrivacyGate) -> None:
    assert gate.mask("ssh deploy@10.0.0.7 then").text == "ssh deploy@[IP] then"
