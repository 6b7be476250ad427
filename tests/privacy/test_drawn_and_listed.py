"""Secrets that are drawn, turned, listed or asked for, and figures beside them that are nobody's."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("tablet pattern: a backwards N from the bottom left", "tablet pattern: [PASSWORD]"),
        ("old safe: twice right to 31, once left to 7", "old safe: [PASSWORD]"),
        ("手机锁屏图案是从左下角画一个M，外孙设的", "手机锁屏图案是[PASSWORD]，外孙设的"),
        ("保险柜左四圈33右一圈70，拧不动", "保险柜[PASSWORD]，拧不动"),
        ("backup codes for gitlab: 1b7d9-e40c2 and f63a8-92d05", "backup codes for gitlab: [OTP] and [OTP]"),
        ("G-240871 is the thing google messaged me", "[OTP] is the thing google messaged me"),
        ("Use V5N-63T to approve your laptop", "Use [OTP] to approve your laptop"),
        ("code for the side entrance on Pine Street? 5092C.", "code for the side entrance on Pine Street? [PASSWORD]."),
        ("they've got Throckmorton down as my security answer", "they've got [PASSWORD] down as my security answer"),
        ("requirepass heather3Loch_p in redis.conf", "requirepass [PASSWORD] in redis.conf"),
        ("我电话一三六，二二零七，四四一九", "我电话[PHONE]"),
    ],
)
def test_a_secret_is_masked_whole(gate: PrivacyGate, text: str, masked: str) -> None:
    assert gate.mask(text).text == masked


@pytest.mark.parametrize(
    "text",
    [
        'export DB_PASSWORD="${DB_PASSWORD:?please set it}"',
        "the game server is mc.example.org:25575, log in with any name",
        "账号密码都对，连接报1049",
        "MIUI 13.0.8.0还能升吗",
        "turn left at 9 and right at 30, the sign says",
        "手机壳上画了一个Z",
    ],
)
def test_what_only_looks_like_one_is_left_alone(gate: PrivacyGate, text: str) -> None:
    assert gate.mask(text).text == text
