from __future__ import annotations

from desk_assistant.memory.passages import chunks


def test_a_long_text_is_cut_at_sentence_ends_and_nothing_is_lost() -> None:
    sentences = [f"Sentence number {i} says something." for i in range(300)]
    passages = chunks(" ".join(sentences), 400)
    assert all(len(passage) <= 400 for passage in passages)
    for sentence in sentences:
        assert any(sentence in passage for passage in passages)


def test_a_text_without_any_end_is_cut_where_it_must() -> None:
    passages = chunks("字" * 2500, 1000)
    assert [len(p) for p in passages] == [1000, 1000, 500]
