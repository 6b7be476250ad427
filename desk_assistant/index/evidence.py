"""Everything that was searched for one question: what the index child sends and the ranking reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from desk_assistant.index.records import Hit

DIGITS: Final = 5
"""Decimals of the numbers sent: more cost bytes and change no order."""


@dataclass(frozen=True)
class Part:
    """What was found for one question of a message, or for the message when it is one piece.

    Attributes:
        text: The question.
        hits: The best by meaning together with the best by words.
        near: How near records are to the best hit, 0 to 1, by id; the best itself has 1.
        bridges: Strength of the pair a record belongs to, and the id of its other half, by id; see `index.bridge`.
        around: Records that only `near` knows.
    """

    text: str
    hits: tuple[Hit, ...]
    near: Mapping[str, float] = field(default_factory=dict)
    bridges: Mapping[str, tuple[float, str]] = field(default_factory=dict)
    around: tuple[Hit, ...] = ()


@dataclass(frozen=True)
class Evidence:
    """What was found for a message.

    Attributes:
        question: The message.
        parts: Its questions, or itself.
        whole: Hits of the message as it stands; empty when it is its only part.
        questions: The parts are questions, so that each has a claim to an answer.
        degraded: Only full text was searched.
    """

    question: str
    parts: tuple[Part, ...]
    whole: tuple[Hit, ...] = ()
    questions: bool = False
    degraded: bool = False

    @property
    def hits(self) -> dict[str, Hit]:
        """All records found, each as the message, or the part that likes it best, found it."""
        found: dict[str, Hit] = {}
        for hit in (*self.whole, *(hit for part in self.parts for hit in part.hits)):
            known = found.get(hit.id)
            if known is None or (hit.cosine or 0.0) > (known.cosine or 0.0):
                found[hit.id] = hit
        for part in self.parts:
            for hit in part.around:
                found.setdefault(hit.id, hit)
        return found

    def to_message(self) -> dict[str, Any]:
        """Return it as JSON data for the pipe; every record is described once."""
        records: dict[str, int] = {}
        rows: list[tuple[str, str, str]] = []

        def place(hit: Hit) -> int:
            if hit.id not in records:
                records[hit.id] = len(rows)
                rows.append((hit.id, hit.kind, hit.session))
            return records[hit.id]

        def numbers(hits: Sequence[Hit]) -> list[list[Any]]:
            return [[place(hit), _short(hit.cosine), _short(hit.bm25)] for hit in hits]

        return {
            "whole": numbers(self.whole),
            "parts": [
                {
                    "text": part.text,
                    "hits": numbers(part.hits),
                    "around": numbers(part.around),
                    "near": {key: _short(value) for key, value in part.near.items()},
                    "bridges": {key: [_short(value), other] for key, (value, other) in part.bridges.items()},
                }
                for part in self.parts
            ],
            "questions": self.questions,
            "degraded": self.degraded,
            "records": rows,
        }

    @classmethod
    def from_message(cls, question: str, data: Mapping[str, Any]) -> Evidence:
        """Return what `to_message` described."""
        rows: list[tuple[str, str, str]] = data["records"]

        def hits(numbers: Sequence[Sequence[Any]]) -> tuple[Hit, ...]:
            found = ((rows[place], cosine, bm25) for place, cosine, bm25 in numbers)
            return tuple(Hit(key, kind, session, cosine, bm25) for (key, kind, session), cosine, bm25 in found)

        parts = (
            Part(
                part["text"],
                hits(part["hits"]),
                part["near"],
                {key: (value, other) for key, (value, other) in part["bridges"].items()},
                hits(part["around"]),
            )
            for part in data["parts"]
        )
        return cls(question, tuple(parts), hits(data["whole"]), bool(data["questions"]), bool(data["degraded"]))


def _short(value: float | None) -> float | None:
    return None if value is None else round(value, DIGITS)
