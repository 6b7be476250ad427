from __future__ import annotations

import pytest

from desk_assistant.index.analysis import MAX_TERM, MAX_TERMS, content_terms, query_terms, terms


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("when did I repaint it?", "Yesterday I repainted the door."),
        ("where did we go?", "We went to the lake."),
        ("who teaches Danish?", "Ruben taught Danish."),
        ("the child's shoes", "shoes for the children"),
        ("数据库", "最近在选向量数据库"),
        ("猫", "我的猫叫豆包"),
        ("薄荷", "我在阳台种了薄荷。"),
        ("ＭｙＳＱＬ", "MySQL 8.0"),
        ("mysql", "we run MySQL8.0 here"),
        ("8.0", "MySQL 8.0"),
        ("1.2.3", "released as v1.2.3"),
        ("node", "a node.js service"),
        ("C++", "written in C++ and C#"),
        ("cafe", "the Café at the corner"),
        ("Привет", "привет всем"),
    ],
)
def test_a_question_shares_terms_with_the_text_it_is_about(question: str, text: str) -> None:
    assert set(query_terms(question)) & set(terms(text))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("what is the name of it?", "It is what it is and the rest of it."),
        ("我的血型是什么？", "我在阳台种了薄荷。"),
        ("你是我的吗", "这是他的。"),
        ("cat", "the category of concatenation"),
        ("猫咪", "熊猫"),
    ],
)
def test_function_words_and_chance_neighbours_find_nothing(question: str, text: str) -> None:
    assert not set(query_terms(question)) & set(terms(text))


def test_content_leaves_out_talk_about_the_talk() -> None:
    assert content_terms("What did we say last time about the database?") == ["databas"]
    assert "上次" not in content_terms("上次说的向量数据库选到哪了")
    assert content_terms("上次说到哪了？") == []


def test_monstrous_words_and_texts_stay_bounded() -> None:
    assert max(map(len, terms("x" * 10_000))) <= MAX_TERM
    assert len(terms("word " * 50_000)) <= MAX_TERMS
    assert len(terms("字" * 50_000)) <= MAX_TERMS


def test_any_string_is_taken() -> None:
    assert terms("\ud800 \x00 ok") == ["ok"]
    assert not any(character.isspace() for term in terms("a\u3000b\u00a0c\u2003d e") for character in term)
