"""Numbers that show themselves by length, prefix and check digit: cards, accounts, national ids, wallets."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy import checks, vetoes
from desk_assistant.privacy.finding import Finding, Rank

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desk_assistant.privacy.fold import Shadow

_CARD: Final = re.compile(
    r"(?<![0-9A-Za-z_.#/-])[2-9][0-9]{3}(?:[ -]?[0-9]{4}){2}[ -]?[0-9]{1,7}(?: [0-9]{3}"
    r")?(?![0-9A-Za-z_-])|(?<![0-9A-Za-z_.#/-])3[0-9]{3}[ -][0-9]{6}[ -][0-9]{4,5}(?![0-9A-Za-z_-])"
    r"|(?<![0-9A-Za-z_.#/-])[3-9][0-9]{12,18}(?![0-9A-Za-z_-])"
)
_IBAN: Final = re.compile(
    r"(?<![A-Za-z0-9])[A-Z]{2}[0-9]{2}(?:[ -]?[A-Z0-9]{4}){2,7}(?:[ -]?[A-Z0-9]{1,4})?(?![A-Za-z0-9])"
)
_CN_ID: Final = re.compile(
    r"(?<![0-9A-Za-z])[1-68][0-9]{5} ?(?:18|19|20)[0-9]{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]"
    r"|3[01]) ?[0-9]{3}[0-9Xx](?![0-9A-Za-z])"
)
_SSN: Final = re.compile(r"(?<![0-9A-Za-z.-])[0-9]{3}-[0-9]{2}-[0-9]{4}(?![0-9A-Za-z-])")
_NINO: Final = re.compile(
    r"(?<![A-Za-z0-9])[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?[0-9]{2} ?[0-9]{2} ?[0-9]{2} ?[A-D](?![A-Za-z0-9])"
)
_HK_ID: Final = re.compile(r"(?<![A-Za-z0-9])[A-Z]{1,2}[0-9]{6}\([0-9A]\)")
_NRIC: Final = re.compile(r"(?<![A-Za-z0-9])[STFGM][0-9]{7}[A-Z](?![A-Za-z0-9])")
_COINS: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:0x[0-9a-fA-F]{40}(?![0-9a-zA-Z])|(?:bc1|tb1|ltc1)[02-9ac-hj-np-z]{11,71}(?![A-Za-z0-9])"
    r"|T[1-9A-HJ-NP-Za-km-z]{33}(?![A-Za-z0-9])|[13][1-9A-HJ-NP-Za-km-z]{25,34}(?![A-Za-z0-9])"
    r"|addr1[02-9ac-hj-np-z]{40,110}(?![A-Za-z0-9])|[48][1-9A-HJ-NP-Za-km-z]{94}(?![A-Za-z0-9])"
    r"|[DL][1-9A-HJ-NP-Za-km-z]{33}(?![A-Za-z0-9]))"
)
_UK_LICENCE: Final = re.compile(r"(?<![A-Za-z0-9])[A-Z9]{5}[0-9]{6}[A-Z9]{2}[0-9][A-Z]{2}(?![A-Za-z0-9])")
"""As the DVLA makes it: surname, decade, month (50 more for women), day, year, initials, and three of its own."""
_GOOGLE: Final = re.compile(r"(?<![A-Za-z0-9])[Gg]-[0-9]{6}(?![0-9A-Za-z-])")
"""A one-time code as Google sends it."""
_NOT_DIGITS: Final = re.compile(r"[^0-9]")
_NOT_ALNUM: Final = re.compile(r"[^0-9A-Za-z]")


# pattern, type, rank, check
_SHAPES: Final[tuple[tuple[re.Pattern[str], str, Rank, Callable[[str], bool]], ...]] = (
    (_SSN, "US_SSN", Rank.SHAPE, lambda value: checks.us_ssn(_NOT_DIGITS.sub("", value))),
    (_NINO, "UK_NINO", Rank.SHAPE, checks.uk_nino),
    (_GOOGLE, "OTP", Rank.SHAPE, lambda value: len(set(value)) > 4),
    (
        _UK_LICENCE,
        "DRIVER_LICENSE",
        Rank.SHAPE,
        lambda value: 0 < int(value[6:8]) % 50 <= 12 and int(value[8:10]) <= 31,
    ),
    (_HK_ID, "NATIONAL_ID", Rank.SHAPE, lambda value: len(value) >= 10),
    (_NRIC, "NATIONAL_ID", Rank.HINT, lambda value: len(value) == 9),
)


def find(shadow: Shadow) -> Iterator[Finding]:
    """Yield numbers that need no word before them. Words such as "order" or "ISBN" beside one speak against it."""
    text, lower = shadow.text, shadow.lower
    if not shadow.has_digit:
        return
    for match in _CARD.finditer(text):
        digits = _NOT_DIGITS.sub("", match[0])
        if checks.card(digits) and not vetoes.spoken_against(lower, match.start(), match.end()):
            yield Finding(match.start(), match.end(), "CREDIT_CARD", Rank.CHECKED)
    for match in _IBAN.finditer(text):
        start, end = match.span()
        while end - start >= 15:  # the last group may be the next word in capitals
            if checks.iban(_NOT_ALNUM.sub("", text[start:end])):
                yield Finding(start, end, "IBAN", Rank.CHECKED)
                break
            cut = max(text.rfind(" ", start, end), text.rfind("-", start, end))
            end = cut if cut > start else start
    for match in _CN_ID.finditer(text):
        if checks.cn_id(match[0].replace(" ", "")):
            yield Finding(match.start(), match.end(), "CN_ID", Rank.CHECKED)
        elif not vetoes.spoken_against(lower, match.start(), match.end()):
            yield Finding(match.start(), match.end(), "CN_ID", Rank.HINT)
    for pattern, kind, rank, valid in _SHAPES:
        for match in pattern.finditer(text):
            if valid(match[0]) and not vetoes.spoken_against(lower, match.start(), match.end()):
                yield Finding(match.start(), match.end(), kind, rank)
    for match in _COINS.finditer(text):
        value = match[0]
        if value.startswith("0x") or value[:4].lower() in ("bc1q", "bc1p", "tb1q", "ltc1", "addr") or _base58(value):
            yield Finding(match.start(), match.end(), "CRYPTO", Rank.CHECKED)


def _base58(value: str) -> bool:
    """Whether `value` mixes cases and digits as base 58 does; a long word, number or hash does not."""
    return (
        any(c.isdigit() for c in value[1:]) and any(c.islower() for c in value) and any(c.isupper() for c in value[1:])
    )
