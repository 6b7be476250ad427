"""What a message asks: its questions, taken out of the talk around them. The wording is data, one file a language.

People ask two things at once ("…? Another thing: …"), tell a story first and announce what they want ("what I meant to
ask is …"). Each question is searched by itself: in one search the wordier one would get all the answers, and a story
finds whatever it resembles.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from desk_assistant import textkit
from desk_assistant.index import analysis
from desk_assistant.index.asking import en, zh

MOST: Final = 6
"""Questions looked at; the last ones, since what is wanted stands at the end."""

WHOLE: Final = 0.8
"""A single question that makes up this share of the message is the message."""

_ALSO: Final = re.compile(f"(?i){en.ALSO}|{zh.ALSO}")
_ANNOUNCED: Final = re.compile(f"(?i){en.ANNOUNCED}|{zh.ANNOUNCED}")
_EDGES: Final = " \t\n,，、:：;；"
_QUOTE_ENDS: Final = "\"”」』’'"


@dataclass(frozen=True)
class Asked:
    """What is to be searched for.

    Attributes:
        parts: The questions of a message, or the sentences of one that asks nothing; none when it is one piece.
        questions: The parts are questions, each with a claim to an answer; else they are only said.
    """

    parts: tuple[str, ...] = ()
    questions: bool = False


def asked(message: str) -> Asked:
    """Return the questions of a message.

    Args:
        message: A question or any message, English or Chinese.
    """
    pieces = [piece for piece in _ALSO.split(message) if analysis.content_terms(piece)]
    found: list[str] = []
    asks = len(pieces) > 1
    for piece in pieces:
        if announced := _announced(piece):
            found.append(announced)
            asks = True
            continue
        sentences = [s for s in map(_trimmed, _sentences(piece)) if analysis.content_terms(s)]
        questions = [s for s in sentences if s.endswith(("?", "？"))]
        asks = asks or bool(questions)
        found += questions or sentences
    parts = tuple(dict.fromkeys(found))[-MOST:]
    if len(parts) < 2 and sum(map(len, parts)) >= WHOLE * len(message.strip()):
        return Asked()
    return Asked(parts, asks)


def _announced(piece: str) -> str:
    """Return what follows the last announcement of a question; empty when there is none or nothing follows."""
    rest = ""
    for match in _ANNOUNCED.finditer(piece):
        rest = _trimmed(piece[match.end() :])
    return rest if analysis.content_terms(rest) else ""


def _sentences(text: str) -> list[str]:
    """Return the sentences; one that ends inside a quotation goes on behind it."""
    found: list[str] = []
    for sentence in textkit.sentences(text):
        goes_on = sentence[0] in zh.GOES_ON or (found and found[-1][-1] in _QUOTE_ENDS and sentence[0].islower())
        if found and goes_on:
            found[-1] += sentence
        else:
            found.append(sentence)
    return found


def _trimmed(text: str) -> str:
    return text.strip(_EDGES)
