"""National identity numbers are known by their shape and check, without a word beside them."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate


@pytest.mark.parametrize(
    "value",
    [
        "12345678Z",  # Spain
        "X-1234567-L",  # Spain, of a foreigner
        "A123456789",  # Taiwan
        "930628-2514076",  # Korea
        "2345 6789 0124",  # India
        "529.982.247-25",  # Brazil
        "RSSMRA85T10A562S",  # Italy
        "811228-9874",  # Sweden
        "131052-308T",  # Finland
        "2 55 08 14 168 025 38",  # France
        "880401-14-5678",  # Malaysia
        "756.9217.0769.85",  # Switzerland
        "A123456(3)",  # Hong Kong
        "S1234567D",  # Singapore
    ],
)
def test_a_valid_one_is_masked(gate: PrivacyGate, value: str) -> None:
    assert gate.mask(f"they noted {value} at the desk").text == "they noted [NATIONAL_ID] at the desk"


@pytest.mark.parametrize(
    "text",
    [
        "they noted 12345678A at the desk",  # wrong letter
        "they noted A123456780 at the desk",
        "they noted 529.982.247-24 at the desk",
        "they noted 811328-9874 at the desk",  # no such month
        "order 930628-2514076 was sent",
        "the part is 131052-308X",
    ],
)
def test_what_fails_its_check_is_not(gate: PrivacyGate, text: str) -> None:
    assert gate.check(text) == ()
