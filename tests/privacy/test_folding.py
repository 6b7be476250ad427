"""Characters that look alike or cannot be seen do not hide a value, and offsets stay those of the text given."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("电话１３８００１３８０００", "１３８００１３８０００"),
        ("电话：138\u200b0013\u200b8000。", "138\u200b0013\u200b8000"),
        ("call 415\u00a0555\u00a00132 today", "415\u00a0555\u00a00132"),
        ("card 4453\u20113314\u20117893\u20112885", "4453\u20113314\u20117893\u20112885"),
        ("ｊｏ＠ｅｘａｍｐｌｅ．ｏｒｇ", "ｊｏ＠ｅｘａｍｐｌｅ．ｏｒｇ"),
        ("\ufeffmy pin is 4\u20608\u20602\u20609", "4\u20608\u20602\u20609"),
        ("İİİ my pin is 4829", "4829"),
    ],
)
def test_a_disguised_value_is_found_where_it_stands(gate: PrivacyGate, text: str, value: str) -> None:
    (span,) = gate.check(text)

    assert text[span.start : span.end] == value


def test_a_value_that_touches_chinese_is_found(gate: PrivacyGate) -> None:
    assert gate.mask("卡号4111111111111111啊").text == "卡号[CREDIT_CARD]啊"
