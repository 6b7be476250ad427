"""Traditional characters are read as simplified; secrets in commands, addresses beside addresses, codes sent once."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate

MASKED = [
    ("戶口號碼 418-220917-838，過數後話我知", "BANK_ACCOUNT", "418-220917-838"),
    ("屋企喺新界沙田翠瀾花園5座18樓D室", "ADDRESS", None),
    ("送貨去深水埗福桐街88號地下C舖", "ADDRESS", "深水埗福桐街88號地下C舖"),
    ("銀行一次性密碼 771204 啱啱到", "OTP", "771204"),
    ("我的密碼是 Taro-3391-moss", "PASSWORD", "Taro-3391-moss"),
    ("【和睦医院】动态码204417，5分钟内有效", "OTP", "204417"),
    ("电影院的验证码 448120", "OTP", "448120"),
    ("密码 448120，请勿泄露", "OTP", "448120"),
    ("Your Tidewell Bank passcode is 448120. Never share it.", "OTP", "448120"),
    ("单元门密码 4471", "PASSWORD", "4471"),
    ("Q2519004467，问作业", "IM_ID", "2519004467"),
    ("NI no PW410932B for the shift form", "UK_NINO", "PW410932B"),
    ("sshpass -p 'Rain.Winch77' ssh build@node3", "PASSWORD", "Rain.Winch77"),
    ("the till moved from 192.168.7.60 to 192.168.7.71", "IP", "192.168.7.71"),
    ("10.20.30.41 and 10.20.30.57 do not answer", "IP", "10.20.30.57"),
]

LEFT_ALONE = [
    "nginx 1.27.4.2 fixes the header bug",
    "Redis 7.2.4.1 这个补丁好吗",
    "updated from 7.2.4.1 to 7.2.4.3",
    "NDC 0071-0155-23 is out of stock",
    "bisect landed on 3f9c2ab from the Tuesday merge",
]


@pytest.mark.parametrize(("text", "kind", "value"), MASKED, ids=[text for text, _, _ in MASKED])
def test_it_is_masked_as_what_it_is(text: str, kind: str, value: str | None) -> None:
    found = [(span.type, text[span.start : span.end]) for span in PrivacyGate().mask(text).spans]
    assert any(one == kind and (value is None or words == value) for one, words in found), found


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_a_version_or_a_product_number_is_left_alone(text: str) -> None:
    assert PrivacyGate().mask(text).text == text
