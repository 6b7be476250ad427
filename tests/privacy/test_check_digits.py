"""Published examples of the check digits, right and with one digit changed."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from desk_assistant.privacy import checks


@pytest.mark.parametrize(
    ("check", "right", "wrong"),
    [
        (checks.luhn, "79927398713", "79927398710"),
        (checks.card, "4111111111111111", "4111111111111112"),
        (checks.iban, "GB82WEST12345698765432", "GB82WEST12345698765433"),
        (checks.iban, "DE89370400440532013000", "DE8937040044053201300"),
        (checks.cn_id, "11010519491231002X", "110105194912310021"),
        (checks.cn_id, "310104480215231", "310104481315231"),
        (checks.us_ssn, "536228417", "666228417"),
        (checks.uk_nino, "AB123456C", "BG123456C"),
    ],
)
def test_a_check_digit_tells_right_from_wrong(check: Callable[[str], bool], right: str, wrong: str) -> None:
    assert check(right)
    assert not check(wrong)
