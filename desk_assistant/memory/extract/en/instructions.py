"""English standing instructions to the assistant, and what to call the person."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.en.heads import REMEMBER
from desk_assistant.memory.extract.en.mine import FOR_ME
from desk_assistant.memory.extract.en.values import tidy
from desk_assistant.memory.extract.model import Draft, Span, draft_of
from desk_assistant.memory.extract.rules import load_patterns

_PATTERNS: Final = load_patterns(__package__, "instructions", words.LISTS)


def _re(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


STANDING: Final = _PATTERNS["standing"]
_LEADING_TIME: Final = _PATTERNS["leading_time"]
_COMMAND: Final = _PATTERNS["command"]
ABOUT_ANSWERS: Final = _PATTERNS["about_answers"]
_THIS: Final = _re(r"\b(?:this|that|these|those|it|above|below|following|attached)\b")
_DO_NOT_CALL: Final = _re(
    r"(?:please )?(?:stop|quit|don't|do not|never) (?:ever )?call(?:ing)? me (?P<o>\w[\w' -]{0,30})$"
)
CALL_ME: Final = _PATTERNS["call_me"]
ALLOWED: Final = _PATTERNS["allowed"]
"""What the assistant may or may not do: "you can book me meetings before ten"."""


_OFFERING: Final = _re(r"(?:suggest|recommend|offer|propos|mention)(?:e|ing)?$")
_ARRANGING: Final = frozenset(
    ["put", "schedule", "book", "order", "include", "add", "set", "send", "share", "plan", "buy"]
)
"""What an assistant does with the person's own things; being told not to once means never."""

_EVERYDAY: Final = frozenset(
    [
        "give",
        "say",
        "be",
        "keep",
        "make",
        "start",
        "end",
        "leave",
        "stop",
        "begin",
        "finish",
        "put",
        "read",
        "check",
        "wait",
        "speak",
        "talk",
        "call",
        "ask",
        "stick",
    ]
)


def instruction(clause: Span, at: int) -> Iterator[Draft]:
    """Yield a standing instruction or prohibition given to the assistant, if the clause is one."""
    text = clause.text
    if (match := CALL_ME.match(text, at)) and not re.search(r"\bdon't|never|not\b", text[: match.start("o")]):
        yield draft_of(clause, "nickname", tidy(text, *match.span("o")), "Is called {o}", 0.9)
        return
    start = at
    standing = bool(STANDING.search(text)) or bool(REMEMBER.search(text[:at]))
    if lead := _LEADING_TIME.match(text, start):
        start = lead.end()
    match = _COMMAND.match(text, start)
    if not match:
        return
    if (no := _DO_NOT_CALL.match(text, start)) is not None:
        pair = tidy(text, *no.span("o"))
        yield draft_of(clause, "prohibition", pair, "Do not call me {o}", 0.85)
        return
    verb, negative = match["v"].casefold(), bool(match["neg"])
    if verb.endswith("ing") and not negative and verb not in {"being"}:
        return
    if not negative and verb in {
        "emojis",
        "emoji",
        "markdown",
        "tables",
        "jargon",
        "bullet points",
        "code comments",
        "joke",
    }:
        return
    about_answers = bool(ABOUT_ANSWERS.search(text))
    if not standing:
        kept_from = negative and (
            _OFFERING.match(match["v"]) or (verb in _ARRANGING and FOR_ME.search(match["o"][len(verb) :]))
        )
        if not (about_answers or kept_from) or _THIS.search(match["o"]):
            return
        if not negative and verb not in {
            "answer",
            "reply",
            "respond",
            "speak",
            "talk",
            "keep",
            "use",
            "address",
            "be",
            "write",
            "skip",
        }:
            return
        if verb == "write" and not re.search(r"\bto me\b|\byour\b", text):
            return
        confidence = 0.64 if negative or verb in {"keep", "address", "speak", "talk"} else 0.55
    else:
        if verb in _EVERYDAY and not (lead or about_answers or FOR_ME.search(text) or REMEMBER.search(text[:at])):
            return  # "never give up" is a motto, not an order
        confidence = 0.92
        if re.search(r"\bremind me\b", match["o"], re.IGNORECASE):
            confidence = 0.7
    pair = tidy(text, *match.span("o"), head=False)
    words_said = text[match.start() : pair[1]].strip()
    said = words_said[:1].upper() + words_said[1:]
    yield draft_of(
        clause, "prohibition" if negative else "instruction", pair, said.replace("{", "(").replace("}", ")"), confidence
    )
