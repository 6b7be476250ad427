from __future__ import annotations

import pytest

from desk_assistant.index.asking import MOST, asked


@pytest.mark.parametrize(
    ("message", "parts"),
    [
        ("What is my cat called?", ()),
        ("我的手机是什么型号？另外，活动在哪里举行？", ("我的手机是什么型号？", "活动在哪里举行？")),
        (
            "Such weather today! I forgot my umbrella. Where does Leo work?",
            ("Where does Leo work?",),
        ),
        ("Who repairs the roof, and also when is the rent due?", ("Who repairs the roof", "when is the rent due?")),
        (
            "Busy week. What I wanted to ask is: which dentist did I like? Also, what was her number?",
            ("which dentist did I like?", "what was her number?"),
        ),
        (
            "今天雨好大，你吃饭了吗？其实我想问的是，我的医保卡放在哪儿了？",
            ("我的医保卡放在哪儿了？",),
        ),
        ("说来话长。我想请教一下，我的房东叫什么？此外，房租是多少？", ("我的房东叫什么？", "房租是多少？")),
        (
            "那个主题是“一起读书。”的活动，地点在哪里？另外，谁报名了？",
            ("那个主题是“一起读书。”的活动，地点在哪里？", "谁报名了？"),
        ),
    ],
)
def test_the_questions_of_a_message(message: str, parts: tuple[str, ...]) -> None:
    assert asked(message).parts == parts
    assert asked(message).questions is bool(parts)


def test_what_only_tells_keeps_its_sentences_and_is_no_question() -> None:
    told = asked("I sold the boat. The new owner lives in Aldby.")
    assert told.parts == ("I sold the boat.", "The new owner lives in Aldby.")
    assert not told.questions


def test_a_long_list_of_questions_is_cut_at_its_beginning() -> None:
    message = " ".join(f"Where is parcel number {number}?" for number in range(20))
    assert len(asked(message).parts) == MOST
    assert asked(message).parts[-1] == "Where is parcel number 19?"


@pytest.mark.parametrize("message", ["", "??", "嗯", "What I wanted to ask is", "另外，另外，", "我想问的是"])
def test_messages_without_anything_in_them(message: str) -> None:
    assert asked(message).parts == ()
