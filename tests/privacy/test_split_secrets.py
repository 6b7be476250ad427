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


@pytest.mark.parametrize(
    "talk",
    [
        ("my password is", "wait a moment", "Plum-Otter-58"),
        ("the door code is", "hm, let me look", "one sec", "4471"),
        ("密码是", "稍等，我找一下", "找到了", "haoyun2024"),
    ],
)
def test_small_talk_between_is_waited_out(gate: PrivacyGate, talk: tuple[str, ...]) -> None:
    session = gate.session()
    masked = [session.mask(text).text for text in talk]

    assert masked == [*talk[:-1], "[PASSWORD 1]"]


def test_another_matter_between_ends_it(gate: PrivacyGate) -> None:
    session = gate.session()
    session.mask("my password is")
    session.mask("what shall we cook tonight?")

    assert session.mask("Plum-Otter").spans == ()


def test_a_conversation_that_is_taken_up_again_goes_on_where_it_stopped(gate: PrivacyGate) -> None:
    session = gate.session()
    session.resume([("user", "write to [EMAIL 1] or [EMAIL 2]"), ("user", "and my pin is"), ("assistant", "I see.")])

    assert session.mask("4829").text == "[PASSWORD 1]"
    assert session.mask("cc jo@example.org").text == "cc [EMAIL 3]"
