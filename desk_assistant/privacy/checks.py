"""Check digits and ranges of published number formats. Every function takes characters only, separators removed."""

from __future__ import annotations

from datetime import date
from typing import Final

_CN_WEIGHTS: Final = (7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2)
_CN_DIGITS: Final = "10X98765432"
# Issuer prefixes and lengths, from the public ranges of ISO/IEC 7812 registrations.
_CARD_PREFIXES: Final = (
    (("34", "37"), (15,)),
    (("300", "301", "302", "303", "304", "305", "36", "38", "39"), (14,)),
    (("4",), (13, 16, 19)),
    (tuple(str(n) for n in range(51, 56)) + tuple(str(n) for n in range(2221, 2721)), (16,)),
    (("6011", "64", "65"), (16, 19)),
    (tuple(str(n) for n in range(3528, 3590)), (16,)),
    (("62", "60", "81"), (16, 17, 18, 19)),
    (("9", "50", "56", "57", "58", "67"), (16, 19)),
)
# Registry lengths of the SWIFT IBAN register for the countries met most; others fall back to 15..34.
_IBAN_LENGTHS: Final = {
    "AT": 20, "BE": 16, "CH": 21, "CZ": 24, "DE": 22, "DK": 18, "ES": 24, "FI": 18, "FR": 27, "GB": 22, "GR": 27,
    "HU": 28, "IE": 22, "IT": 27, "LU": 20, "NL": 18, "NO": 15, "PL": 28, "PT": 25, "RO": 24, "SE": 24, "TR": 26,
    "AE": 23, "SA": 24, "IL": 23,
}  # fmt: skip


def luhn(digits: str) -> bool:
    """Whether `digits` passes the Luhn check (ISO/IEC 7812-1, annex B)."""
    total = 0
    for index, char in enumerate(reversed(digits)):
        value = ord(char) - 48
        if index % 2:
            value = value * 2 - 9 * (value > 4)
        total += value
    return total % 10 == 0


def card(digits: str) -> bool:
    """Whether `digits` is a payment card number: an issuer's prefix and length, the Luhn check, not one digit only."""
    if len(set(digits)) < 2:
        return False
    for prefixes, lengths in _CARD_PREFIXES:
        if len(digits) in lengths and digits.startswith(prefixes):
            return luhn(digits)
    return False


def iban(text: str) -> bool:
    """Whether `text` is an IBAN: registered length and remainder 1 modulo 97 (ISO 13616)."""
    country = text[:2].upper()
    expected = _IBAN_LENGTHS.get(country)
    if not 15 <= len(text) <= 34 or (expected is not None and len(text) != expected):
        return False
    rearranged = text[4:] + text[:4]
    return int("".join(str(int(char, 36)) for char in rearranged)) % 97 == 1


def iban_length(text: str) -> bool:
    """Whether `text` has the length that the register gives for its country; of no use for countries not listed."""
    return _IBAN_LENGTHS.get(text[:2].upper()) == len(text)


def cn_id(text: str) -> bool:
    """Whether `text` is a Chinese resident identity number (GB 11643): date and MOD 11-2 check, or 15 digits with date.

    The county is not looked up: codes that were abolished decades ago stay valid for those who got them.
    """
    if len(text) == 15:
        return text[0] in "1234568" and real_date(1900 + int(text[6:8]), int(text[8:10]), int(text[10:12]))
    if len(text) != 18 or text[0] not in "1234568":
        return False
    if not real_date(int(text[6:10]), int(text[10:12]), int(text[12:14])):
        return False
    total = sum(int(char) * weight for char, weight in zip(text[:17], _CN_WEIGHTS, strict=True))
    return _CN_DIGITS[total % 11] == text[17].upper()


def real_date(year: int, month: int, day: int) -> bool:
    """Whether the three make a date between 1880 and 2099."""
    try:
        return 1880 <= date(year, month, day).year < 2100
    except ValueError:
        return False


def us_ssn(digits: str) -> bool:
    """Whether nine `digits` can be a Social Security number: no zero group, area neither 666 nor 9xx."""
    return digits[:3] not in ("000", "666") and digits[0] != "9" and digits[3:5] != "00" and digits[5:] != "0000"


def uk_nino(text: str) -> bool:
    """Whether `text` has the letters HMRC allows in a National Insurance number's prefix and suffix."""
    prefix = text[:2].upper()
    return (
        prefix[0] not in "DFIQUV"
        and prefix[1] not in "DFIQUVO"
        and prefix not in ("BG", "GB", "NK", "KN", "TN", "NT", "ZZ")
    )


def aba(digits: str) -> bool:
    """Whether nine `digits` pass the 3-7-1 check of an ABA routing number."""
    return sum(int(char) * weight for char, weight in zip(digits, (3, 7, 1) * 3, strict=True)) % 10 == 0
