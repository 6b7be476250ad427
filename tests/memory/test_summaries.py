from __future__ import annotations

from desk_assistant.memory.summarise import MAX_CHARACTERS, summarise
from desk_assistant.store import Message, Role


def said(*texts: str) -> list[Message]:
    roles: tuple[Role, Role] = ("user", "assistant")
    return [Message(f"m{i}", "s", roles[i % 2], text, "2026-05-01T10:00:00", seq=i) for i, text in enumerate(texts)]


def test_figures_dates_names_and_versions_are_kept_word_for_word() -> None:
    summary = summarise(
        said(
            "I am planning the move to Lyon.", "Tell me more.",
            "The van costs 349 euros and comes on 14 June at 8:30.", "Noted.",
            "We decided to take the flat on Rue Garibaldi, version 2.1 of the contract.", "Good.",
        )
    )  # fmt: skip
    assert summary is not None
    for words in ("move to Lyon", "349 euros", "14 June at 8:30", "Rue Garibaldi", "version 2.1"):
        assert words in summary.text
    assert {"m0", "m2", "m4"} <= set(summary.message_ids)


def test_a_chinese_talk_is_summarised_in_chinese() -> None:
    summary = summarise(
        said("我想给阳台装遮阳帘。", "好的。", "预算 800 元，决定用米色的，提醒我周五量尺寸。", "记下了。")
    )
    assert summary is not None
    assert summary.text.startswith("起因")
    assert "800 元" in summary.text


def test_greetings_alone_make_no_summary() -> None:
    assert summarise(said("hi", "Hello!", "thanks", "You are welcome.")) is None
    assert summarise(said("你好", "你好！", "谢谢", "不客气")) is None


def test_a_long_talk_stays_within_its_bound() -> None:
    texts = [f"On day {i} I paid {i * 7} crowns for item number {i}." for i in range(400)]
    summary = summarise(said(*texts))
    assert summary is not None
    assert len(summary.text) < MAX_CHARACTERS + 200
