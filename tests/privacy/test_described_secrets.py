"""Secrets told in words: drawn, turned, spelled, answered, read out."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("my unlock pattern is left, up, right, down again", "left, up, right, down"),
        ("the safe goes right to 14, left 33, right 9", "right to 14, left 33, right 9"),
        ("wifi: capital B, cat, underscore, nine", "capital B, cat, underscore, nine"),
        ("security question, first pet: Captain Socks", "Captain Socks"),
        ('the vault opens with "quiet bees paint walls"', "quiet bees paint walls"),
        ("the padlock reads five oh two six, remind me", "five oh two six"),
        ("图案是从右上到中间再到左下", "从右上到中间再到左下"),
        ("保险柜左转到12右转到40左转到7", "左转到12右转到40左转到7"),
        ("密码是大写K下划线0704井号", "大写K下划线0704井号"),
        ("密保问题问的是第一个老师，答案王小梅", "王小梅"),
        ("挂锁拨到七零二五就开", "七零二五"),
    ],
)
def test_it_is_masked_whole(gate: PrivacyGate, text: str, value: str) -> None:
    start = text.index(value)
    covered = {index for span in gate.check(text) for index in range(span.start, span.end)}

    assert {index for index in range(start, start + len(value)) if text[index].isalnum()} <= covered
    assert all(span.type in ("PASSWORD", "OTP") for span in gate.check(text))


@pytest.mark.parametrize(
    "text",
    [
        "turn left, then right, then left again at the church",
        "the capital of Peru, dash of salt, nine cups",
        "my first pet was a dog and my first car was red",
        'he said "we all paint walls today" in the vault scene',
        "one two three four, testing",
        "从左到右第三个门，再往上走",
        "大写字母和感叹号都要有",
        "安全问题怎么设置比较好",
    ],
)
def test_ordinary_descriptions_stay(gate: PrivacyGate, text: str) -> None:
    assert gate.check(text) == ()
