"""What the filter finds and what it makes of it: spans, masked text, and the kinds there are."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Span:
    """One sensitive value in a text.

    Attributes:
        start: First code point of the value in the text that was given.
        end: Code point after its last one.
        type: One of `KINDS`. The keyword before the value ("my PIN is") is not part of the span.
    """

    start: int
    end: int
    type: str


@dataclass(frozen=True, slots=True)
class Masked:
    """A text that is safe to write.

    Attributes:
        text: The text with a readable placeholder in place of every value.
        spans: The values, as offsets into the *original* text, in order, not overlapping.
    """

    text: str
    spans: tuple[Span, ...]


KINDS: Final[Mapping[str, bool]] = MappingProxyType(
    {
        "PASSWORD": False,
        "API_KEY": False,
        "OTP": False,
        "CREDIT_CARD": True,
        "BANK_ACCOUNT": True,
        "IBAN": True,
        "CN_ID": True,
        "US_SSN": True,
        "UK_NINO": True,
        "NATIONAL_ID": True,
        "PASSPORT": True,
        "DRIVER_LICENSE": True,
        "MEDICAL_ID": True,
        "PHONE": True,
        "EMAIL": True,
        "ADDRESS": True,
        "IP": True,
        "IM_ID": True,
        "CRYPTO": True,
    }
)
"""Kind of value -> whether a person may allow it to be kept. What opens a door is never kept."""
