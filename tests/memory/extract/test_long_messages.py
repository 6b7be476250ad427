"""Long messages: what somebody typed is read to its end, what was pasted is not."""

from __future__ import annotations

from datetime import datetime

import pytest

from desk_assistant.memory.extract import extract

SAID_AT = datetime(2026, 5, 11, 9)
TYPED = {
    "en": "I woke up early and looked at the river from my window. The mist was low. I made us some porridge. ",
    "zh": "我一早醒来，从我家窗口看河。雾很低。我给我们煮了粥，然后我出门走了走。",
}
PASTED = {
    "en": "The river rose early that year and the mist hung low. Boats were moored along the quay. ",
    "zh": "那一年河水涨得早，雾气很低。船只沿着码头停着，没有人说话。",
}
ASIDE = {"en": "I'm allergic to latex. ", "zh": "我对乳胶过敏。"}


def _message(filling: str, aside: str) -> str:
    half = filling * (4000 // len(filling))
    return half + aside + half


def _told(text: str) -> list[str]:
    return [s.object for s in extract(text, said_at=SAID_AT) if s.predicate == "allergic_to"]


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_long_story_of_ones_own_is_read_in_the_middle_too(language: str) -> None:
    text = _message(TYPED[language], ASIDE[language])
    [statement] = [s for s in extract(text, said_at=SAID_AT) if s.predicate == "allergic_to"]
    assert text[statement.start : statement.end] == statement.object


@pytest.mark.parametrize("language", ["en", "zh"])
def test_what_was_pasted_is_not(language: str) -> None:
    assert _told(_message(PASTED[language], ASIDE[language])) == []


@pytest.mark.parametrize(
    "mark", ["```\ncode\n```\n", "> quoted by somebody\n", "2026-05-11 09:00: started\n", "Alice: hello there\n"]
)
def test_a_typed_look_with_marks_of_a_paste_is_a_paste(mark: str) -> None:
    assert _told(mark + _message(TYPED["en"], ASIDE["en"])) == []
