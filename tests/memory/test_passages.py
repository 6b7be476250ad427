from __future__ import annotations

import pytest

from desk_assistant.memory.passages import chunks, occurrences


def test_a_long_text_is_cut_at_sentence_ends_and_nothing_is_lost() -> None:
    sentences = [f"Sentence number {i} says something." for i in range(300)]
    passages = chunks(" ".join(sentences), 400)
    assert all(len(passage) <= 400 for passage in passages)
    for sentence in sentences:
        assert any(sentence in passage for passage in passages)


def test_a_text_without_any_end_is_cut_where_it_must() -> None:
    passages = chunks("字" * 2500, 1000)
    assert [len(p) for p in passages] == [1000, 1000, 500]


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("I drink tea with my team. Tea!", "tea", ["tea", "Tea"]),
        ("用 MySQL  8.0 和 mysql 8.0。", "MySQL 8.0", ["MySQL  8.0", "mysql 8.0"]),
        ("我喜欢京剧，京剧很好", "京剧", ["京剧", "京剧"]),
        ("C++ and c++", "C++", ["C++", "c++"]),
        ("anything", "  ", []),
    ],
)
def test_words_are_found_whole_whatever_their_case(text: str, words: str, found: list[str]) -> None:
    assert [text[start:end] for start, end in occurrences(text, words)] == found
