"""National identity numbers that show themselves: a published shape, and the check that belongs to it.

Those that are bare figures (PESEL, SIN, Steuer-ID, My Number …) need their word and are left to `cues` and `documents`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy import checks, vetoes
from desk_assistant.privacy.finding import Finding, Rank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desk_assistant.privacy.fold import Shadow

_DNI_LETTERS: Final = "TRWAGMYFPDXBNJZSQVHLCKE"
_HETU_LETTERS: Final = "0123456789ABCDEFHJKLMNPRSTUVWXY"
# The letter of a Taiwanese number stands for its county; these are the values of A to Z.
_TAIWAN_LETTERS: Final = (
    *(10, 11, 12, 13, 14, 15, 16, 17, 34, 18, 19, 20, 21),
    *(22, 35, 23, 24, 25, 26, 27, 28, 29, 32, 30, 31, 33),
)
_VERHOEFF_TURN: Final = (
    *("0123456789", "1576283094", "5803796142", "8916043527"),
    *("9453126870", "4286573901", "2793806415", "7046913258"),
)
_VERHOEFF: Final = (
    *("0123456789", "1234067895", "2340178956", "3401289567", "4012395678"),
    *("5987604321", "6598710432", "7659821043", "8765932104", "9876543210"),
)


def _dated(figures: str) -> bool:
    """Whether the first six of `figures` are a date, year first."""
    year, month, day = int(figures[:2]), int(figures[2:4]), int(figures[4:6])
    try:
        return bool(date(2000 + year, month, day))
    except ValueError:
        return False


def dni(value: str) -> bool:
    """Spain: eight figures, or X, Y or Z (a foreigner's) and seven, and the letter of their remainder by 23."""
    figures = str("XYZ".index(value[0])) + value[1:8] if value[0] in "XYZ" else value[:8]
    return _DNI_LETTERS[int(figures) % 23] == value[-1]


def taiwan(value: str) -> bool:
    """Taiwan: a letter and nine figures whose weighted sum is a multiple of ten."""
    county = _TAIWAN_LETTERS[ord(value[0]) - 65]
    weights = (1, 9, 8, 7, 6, 5, 4, 3, 2, 1, 1)
    figures = [*divmod(county, 10), *map(int, value[1:])]
    return sum(figure * weight for figure, weight in zip(figures, weights, strict=True)) % 10 == 0


def aadhaar(value: str) -> bool:
    """India: twelve figures that pass the Verhoeff check."""
    state = 0
    for place, figure in enumerate(reversed(value)):
        state = int(_VERHOEFF[state][int(_VERHOEFF_TURN[place % 8][int(figure)])])
    return state == 0


def cpf(value: str) -> bool:
    """Brazil: eleven figures, the last two of which check the others."""
    for length in (9, 10):
        total = sum(int(value[place]) * (length + 1 - place) for place in range(length))
        if int(value[length]) != total * 10 % 11 % 10:
            return False
    return len(set(value)) > 1


def hetu(value: str) -> bool:
    """Finland: a date, day first, perhaps a century's letter, a serial number, the letter of their remainder."""
    value = value[:6] + value[-4:]
    return _HETU_LETTERS[int(value[:6] + value[6:9]) % 31] == value[9]


def nir(value: str) -> bool:
    """France: thirteen figures and the key that makes them a multiple of 97."""
    return (int(value[:13]) + int(value[13:])) % 97 == 0


def ean(value: str) -> bool:
    """Switzerland (AHV): thirteen figures with the check figure of an EAN."""
    return sum(int(figure) * (3 if place % 2 else 1) for place, figure in enumerate(value)) % 10 == 0


_SHAPES: Final[tuple[tuple[str, Callable[[str], bool]], ...]] = (
    (r"[XYZ]?-?[0-9]{7,8}-?[A-HJ-NP-TV-Z]", lambda value: len(value) == 9 and dni(value)),
    (r"[A-Z][1289][0-9]{8}", taiwan),
    (r"[0-9]{6}-[1-8][0-9]{6}", _dated),
    (r"[2-9][0-9]{3} [0-9]{4} [0-9]{4}", aadhaar),
    (r"[0-9]{3}\.[0-9]{3}\.[0-9]{3}-[0-9]{2}", cpf),
    (r"[A-Z]{6}[0-9]{2}[A-EHLMPRST][0-9]{2}[A-Z][0-9]{3}[A-Z]", lambda value: 0 < int(value[9:11]) % 40 <= 31),
    (r"[A-Z]{4}[0-9]{6}[HMX][A-Z]{5}[0-9A-Z][0-9]", lambda value: _dated(value[4:])),
    (r"(?:19|20)?[0-9]{6}[-+][0-9]{4}", lambda value: checks.luhn(value[-10:]) and _dated(value[-10:])),
    (
        r"[0-3][0-9][01][0-9]{3}[-+A][0-9]{3}[0-9A-FHJ-NPR-Y]",
        hetu,
    ),
    (r"[12] ?[0-9]{2} ?[01][0-9] ?[0-9]{2} ?[0-9]{3} ?[0-9]{3} ?[0-9]{2}", nir),
    (r"[0-9]{6}-[01][0-9]-[0-9]{4}", _dated),
    (r"756\.[0-9]{4}\.[0-9]{4}\.[0-9]{2}", ean),
)
# One pass over a text for all of them; the number of the group tells which it was.
_PATTERN: Final = re.compile(
    rf"(?<![0-9A-Za-z.-])(?:{'|'.join(f'({pattern})' for pattern, _ in _SHAPES)})(?![0-9A-Za-z]|[.-][0-9A-Za-z])"
)
_SEPARATORS: Final = re.compile(r"[ .+-]")


def find(shadow: Shadow) -> Iterator[Finding]:
    """Yield national identity numbers that pass the check of their country and are not said to be something else."""
    if not shadow.has_digit:
        return
    valid: dict[str, bool] = {}
    said = vetoes.Said(shadow.lower)
    for match in _PATTERN.finditer(shadow.text):
        value = match[0]
        if value not in valid:
            _, fits = _SHAPES[(match.lastindex or 1) - 1]
            valid[value] = fits(_SEPARATORS.sub("", value))
        if valid[value] and not said.against(match.start(), match.end()):
            yield Finding(match.start(), match.end(), "NATIONAL_ID", Rank.SHAPE)
