"""The filter itself: every detector over a folded copy of the text, settled and mapped back."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from desk_assistant.privacy import (
    address_en,
    address_zh,
    cues,
    described_en,
    described_zh,
    documents,
    hints,
    keys,
    national,
    network,
    numbers,
    phones,
)
from desk_assistant.privacy.accept import Link
from desk_assistant.privacy.finding import settle
from desk_assistant.privacy.fold import fold
from desk_assistant.privacy.spans import KINDS, Masked, Span

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence

    from desk_assistant.privacy.fold import Shadow

PLACEHOLDER: Final = re.compile(rf"\[(?:{'|'.join(KINDS)})(?: [1-9][0-9]{{0,5}})?\]")
"""What a mask leaves in the text. A second pass does not look inside."""

_DETECTORS: Final = (
    *(cues.find, keys.find, numbers.find, national.find, phones.find, network.find),
    *(address_en.find, address_zh.find, described_en.find, described_zh.find, documents.find),
)
_SEPARATORS: Final = re.compile(r"[\s().,/-]+")


_ENDING: Final = 8
"""Messages at the end of a conversation that may matter for how it ends: small talk in between is waited out."""

LeftOpen: TypeAlias = tuple[str, Link]
"""The cue word with which a message ends, and how it is joined to the value that does not follow."""


@dataclass(frozen=True, slots=True)
class Look:
    """What a gate sees in a message before it masks anything.

    Attributes:
        spans: The sensitive values.
        left_open: With what the message ends, where that is a cue without its value.
    """

    spans: tuple[Span, ...]
    left_open: LeftOpen | None


class PrivacyGate:
    """Finds and masks sensitive values. Has no state; one instance serves the whole program.

    Args:
        allow: Kinds a person chose to keep (`"EMAIL"`), or what tells them, for a choice that changes while the program
            runs. Kinds that open a door are masked whatever is asked.
    """

    def __init__(self, allow: Collection[str] | Callable[[], Collection[str]] = ()) -> None:
        self._allow = allow

    @property
    def allowed(self) -> frozenset[str]:
        """The kinds that are kept now."""
        kinds = self._allow() if callable(self._allow) else self._allow
        return frozenset(kind for kind in kinds if KINDS.get(kind, False))

    def check(self, text: str) -> tuple[Span, ...]:
        """Return the sensitive values in `text`, in order, not overlapping, without those that are allowed."""
        return self._spans(fold(text, PLACEHOLDER))

    def mask(self, text: str) -> Masked:
        """Return `text` with `[KIND]` in place of every sensitive value."""
        return render(text, self.check(text), lambda span: f"[{span.type}]")

    def session(self) -> SessionGate:
        """Return a gate for one conversation, in which the same value keeps the same number."""
        return SessionGate(self)

    def _spans(self, shadow: Shadow) -> tuple[Span, ...]:
        found = settle(finding for detector in _DETECTORS for finding in detector(shadow))
        more = [*hints.find(shadow, found), *documents.twins(shadow, found)]
        if more:
            found = settle((*found, *more))
        allowed = self.allowed
        return tuple(
            Span(*shadow.original(item.start, item.end), item.type) for item in found if item.type not in allowed
        )


class SessionGate:
    """The gate of one conversation: numbers values, and sees a secret that was split over two messages.

    Nothing of a value is kept but a keyed hash, whose key lives and dies with this object.
    """

    def __init__(self, gate: PrivacyGate) -> None:
        self._gate = gate
        self._key = secrets.token_bytes(32)
        self._numbers: dict[str, dict[bytes, int]] = {}
        self._last: dict[str, int] = {}
        self._open: LeftOpen | None = None

    def resume(self, turns: Sequence[tuple[str, str]]) -> None:
        """Go on after a conversation that was kept: number on from its placeholders, and see how it ends.

        A value that was masked then is not known again, so it gets another number; no two values share one.

        Args:
            turns: Role ("user" or another) and masked text of its messages, oldest first.
        """
        for _, text in turns:
            for mark in PLACEHOLDER.finditer(text) if "[" in text else ():
                kind, _, number = mark[0][1:-1].partition(" ")
                self._last[kind] = max(self._last.get(kind, 0), int(number or 0))
        for role, text in turns[-_ENDING:]:
            shadow = fold(text, PLACEHOLDER)
            if role == "user":
                self._open = self._ends(shadow)
            else:
                self._open = cues.dangling(shadow) or self._open

    def check(self, text: str) -> tuple[Span, ...]:
        """Return the sensitive values in `text`, given what the message before it left open. Changes nothing."""
        spans = self._gate.check(text)
        if self._open is None or cues.small_talk(fold(text, PLACEHOLDER)):
            return spans
        word, link = self._open
        lead = f"{word}: " if link >= Link.SAYS else f"{word} "
        stripped = text.lstrip()
        indent = len(text) - len(stripped)
        carried = tuple(
            Span(span.start - len(lead) + indent, span.end - len(lead) + indent, span.type)
            for span in self._gate.check(lead + stripped)
            if span.start >= len(lead)
        )
        first = [span for span in carried if not any(old.start < span.end and span.start < old.end for old in spans)]
        return tuple(sorted((*spans, *first), key=lambda span: span.start))

    def mask(self, text: str) -> Masked:
        """Return `text` with `[KIND n]` placeholders, and remember how it ends for the message after it."""
        return self.take(text, self.look(text))

    def look(self, text: str) -> Look:
        """Return what is to mask in a message and how it ends. Changes nothing; for a long text it takes seconds."""
        return Look(self.check(text), self._ends(fold(text, PLACEHOLDER)))

    def _ends(self, shadow: Shadow) -> LeftOpen | None:
        """With what a message of the person ends; "hang on, let me look" leaves open what was open before it."""
        return cues.dangling(shadow) or (self._open if cues.small_talk(shadow) else None)

    def take(self, text: str, look: Look) -> Masked:
        """Do what `mask` does with what a look at the same text has found, here or elsewhere."""
        self._open = look.left_open
        return self._numbered(text, look.spans)

    @property
    def allowed(self) -> frozenset[str]:
        """The kinds that are kept now."""
        return self._gate.allowed

    @property
    def left_open(self) -> LeftOpen | None:
        """With what the message before ended, where that was a cue without its value."""
        return self._open

    @left_open.setter
    def left_open(self, value: LeftOpen | None) -> None:
        self._open = value

    def mask_reply(self, text: str) -> Masked:
        """Return an answer of the assistant with the same placeholders.

        An answer that asks for a secret opens a place for it; any other leaves open what the person left open.
        """
        masked = self._numbered(text, self._gate.check(text))
        self._open = cues.dangling(fold(text, PLACEHOLDER)) or self._open
        return masked

    def _numbered(self, text: str, spans: tuple[Span, ...]) -> Masked:
        return render(text, spans, lambda span: f"[{span.type} {self._number(text, span)}]")

    def _number(self, text: str, span: Span) -> int:
        value = _SEPARATORS.sub("", fold(text[span.start : span.end]).lower)
        digest = hmac.digest(self._key, value.encode("utf-8", "surrogatepass"), hashlib.sha256)
        known = self._numbers.setdefault(span.type, {})
        if digest not in known:
            self._last[span.type] = known[digest] = self._last.get(span.type, 0) + 1
        return known[digest]


def render(text: str, spans: tuple[Span, ...], placeholder: Callable[[Span], str]) -> Masked:
    """Return `text` with `placeholder(span)` in place of each of `spans`, which are in order."""
    pieces: list[str] = []
    position = 0
    for span in spans:
        pieces += text[position : span.start], placeholder(span)
        position = span.end
    pieces.append(text[position:])
    return Masked("".join(pieces), spans)
