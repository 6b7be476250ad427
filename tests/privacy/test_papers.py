"""Numbers of papers and accounts that stand away from their word, and second ones of the same shape."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("the embassy wants my passport, top right it reads L8203917", "L8203917", "PASSPORT"),
        ("M20483915, that's what my driving licence says", "M20483915", "DRIVER_LICENSE"),
        ("my social came by post today: 529-81-0034", "529-81-0034", "US_SSN"),
        ("they want the salary account, mine at Barclays is 60839217", "60839217", "BANK_ACCOUNT"),
        ("transfer it in lower case if you like: de87577626686940944787", "de87577626686940944787", "IBAN"),
        ("I pasted the appid we got, 6f1ed002ab5595859014ebf0951522d9", "6f1ed002ab5595859014ebf0951522d9", "API_KEY"),
        ("出境要填护照本上的，E71530268", "E71530268", "PASSPORT"),
        ("腕带上那串住院用的ZY20394857", "ZY20394857", "MEDICAL_ID"),
        ("打到我农行 103456789012 就行", "103456789012", "BANK_ACCOUNT"),
    ],
)
def test_the_nearest_word_names_it(gate: PrivacyGate, text: str, value: str, kind: str) -> None:
    assert [(text[span.start : span.end], span.type) for span in gate.check(text)] == [(value, kind)]


def test_another_of_the_same_shape_is_the_same_kind(gate: PrivacyGate) -> None:
    masked = gate.mask("passport no. F5LM83T27 is new, the ticket still carries F9RN14V60")

    assert masked.text == "passport no. [PASSPORT] is new, the ticket still carries [PASSPORT]"


@pytest.mark.parametrize(
    "text",
    [
        "the passport office moved to suite 48210",
        "my insurance went up, order 88204193 is the invoice",
        "checksum of the api build: 6f1ed002ab5595859014ebf0951522d9",
        "nhs waiting lists reached 7600000",
        "护照照片35x45，订单20394857",
    ],
)
def test_other_numbers_near_such_words_stay(gate: PrivacyGate, text: str) -> None:
    assert gate.check(text) == ()
