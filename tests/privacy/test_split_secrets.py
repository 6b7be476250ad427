"""A secret that is announced in one message and said in the next."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate


@pytest.mark.parametrize(
    ("first", "second", "masked"),
    [
        ("my password is", "Plum-Otter-58", "[PASSWORD 1]"),
        ("我的密码是", "haoyun2024", "[PASSWORD 1]"),
        ("the wifi password is:", "  sunflower", "  [PASSWORD 1]"),
        ("验证码：", "4821", "[OTP 1]"),
        ("my passport number is", "K7719264", "[PASSPORT 1]"),
        ("my API key is …", "93ee3419300aed2e779eda314554f625", "[API_KEY 1]"),
    ],
)
def test_the_second_half_is_masked(gate: PrivacyGate, first: str, second: str, masked: str) -> None:
    session = gate.session()
    session.mask(first)

    assert session.mask(second).text == masked


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("my password is", "wrong again, what do I do"),
        ("I forgot my password", "can you help me with 3 other things?"),
        ("the weather is", "Plum-Otter-58"),
        ("我的密码", "忘记了"),
    ],
)
def test_ordinary_talk_is_left_alone(gate: PrivacyGate, first: str, second: str) -> None:
    session = gate.session()
    session.mask(first)

    assert session.mask(second).text == second


def test_only_the_very_next_message_counts(gate: PrivacyGate) -> None:
    session = gate.session()
    session.mask("my password is")
    session.mask("wait a moment")

    assert session.mask("Plum-Otter").spans == ()
