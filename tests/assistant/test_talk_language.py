from __future__ import annotations

import pytest

from desk_assistant.assistant.turn import conversation_language
from desk_assistant.store import Message

ENGLISH = "Which of the two routes is the shorter one?"
CHINESE = "这两条路哪条更近一些？"


def talk(*said: str) -> list[Message]:
    return [Message(f"m{place}", "s", "user", text, "2026-05-01T10:00:00") for place, text in enumerate(said)]


@pytest.mark.parametrize(
    ("before", "text", "language"),
    [
        (ENGLISH, "谢谢", "en"),
        (ENGLISH, "好的。", "en"),
        (ENGLISH, "我叫什么？", "zh"),
        (ENGLISH, CHINESE, "zh"),
        (CHINESE, "OK", "zh"),
        (CHINESE, "thanks a lot", "en"),
        (CHINESE, "谢谢", "zh"),
        (CHINESE, ENGLISH, "en"),
        (ENGLISH, "👍", "en"),
        (CHINESE, "👍", "zh"),
    ],
)
def test_an_aside_in_the_other_language_changes_nothing(before: str, text: str, language: str) -> None:
    assert conversation_language(text, talk(before)) == language


@pytest.mark.parametrize(("text", "language"), [("谢谢", "zh"), ("OK", "en"), (CHINESE, "zh"), (ENGLISH, "en")])
def test_a_first_message_is_in_its_own_language(text: str, language: str) -> None:
    assert conversation_language(text, ()) == language
