"""Secrets said in passing: what opens, what arrived, where one is found. And everyday figures beside them."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("at the gate type 7734 and push", "at the gate type [PASSWORD] and push"),
        ("netflix lets you in if you put Otter_rain7", "netflix lets you in if you put [PASSWORD]"),
        ("the bank just texted me 482 913", "the bank just texted me [OTP]"),
        ("find me on telegram, it's heron_walks9", "find me on telegram, it's [IM_ID]"),
        ("到门口按2580#", "到门口按[PASSWORD]"),
        ("我所有网站都用Fluffy2011!", "我所有网站都用[PASSWORD]"),
        ("刚收到银行短信 482913", "刚收到银行短信 [OTP]"),
        ("绿泡泡搜momo_tea3", "绿泡泡搜[IM_ID]"),
    ],
)
def test_they_are_masked(gate: PrivacyGate, text: str, masked: str) -> None:
    assert gate.mask(text).text == masked


@pytest.mark.parametrize(
    "text",
    [
        "type 7734 rows into the sheet and push",
        "netflix raised it from 13 to 15 and added 4K HDR10",
        "the bank texted me about order 482913",
        "the user heron_walks9 and the password were both refused",
        "KeyError in LoginView, python3.11 on ubuntu22",
        "add 4820, 1937, 5566 and open the sheet",
        "门高2580毫米",
        "短信说订单482913已发货",
        "用iphone15拍的，发到群里",
    ],
)
def test_everyday_figures_stay(gate: PrivacyGate, text: str) -> None:
    assert gate.check(text) == ()


def test_a_name_before_its_password_is_no_secret(gate: PrivacyGate) -> None:
    assert gate.mask("user: brook_side9, pass: Bake$ale24").text == "user: brook_side9, pass: [PASSWORD]"
