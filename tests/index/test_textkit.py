from __future__ import annotations

import itertools
import random
import re

import pytest

from desk_assistant import textkit


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Which database do I use?", "en"),
        ("我主要用 Python 和 PostgreSQL", "zh"),
        ("The word 你好 means hello", "en"),
        ("好", "zh"),
        ("12345", "en"),
        ("", "en"),
        ("\ud800", "en"),
    ],
)
def test_language_is_the_one_that_carries_most(text: str, language: str) -> None:
    assert textkit.guess_language(text) == language


def test_sentences_of_both_languages() -> None:
    text = "Dr. Okafor uses version 8.0. Really? 我住在上海。真的！\nnext line"
    assert textkit.sentences(text) == (
        "Dr. Okafor uses version 8.0.",
        "Really?",
        "我住在上海。",
        "真的！",
        "next line",
    )


def test_sentence_spans_point_into_the_text() -> None:
    text = "  One.  二。Three"
    assert [text[start:end] for start, end in textkit.sentence_spans(text)] == ["One.", "二。", "Three"]


def test_fold_makes_width_case_and_accents_equal() -> None:
    assert textkit.fold("ＣＡＦÉ\u200b") == textkit.fold("café") == "cafe"
    assert textkit.fold("ガ") == "ガ"


def test_clean_can_be_encoded_and_keeps_offsets() -> None:
    text = "a\ud800b\x00c\nd"
    assert textkit.clean(text) == "a\ufffdb c\nd"
    assert len(textkit.clean(text)) == len(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What did we say last time?", ()),
        ("上次说到哪了", ()),
        ("What was the name of Alice's dog again?", ("name", "alice", "dog")),
        ("我的猫叫什么名字", ("猫叫", "名字")),
    ],
)
def test_content_words(text: str, words: tuple[str, ...]) -> None:
    assert textkit.content_words(text) == words


@pytest.mark.parametrize("pattern", [r"a+", r"\ba\w*", r"(?<=b)a|c{3}", r"\.+(?=\s|$)|\n+"])
def test_a_long_text_searched_in_pieces_gives_the_same_matches(pattern: str) -> None:
    chance = random.Random(5)
    compiled = re.compile(pattern)
    for length in (0, 1, 30, 400):
        text = "".join(chance.choices("aabc. \n", k=length))
        whole = [match.span() for match in compiled.finditer(text)]
        assert [match.span() for match in textkit.matches(compiled, text, piece=25, overlap=12)] == whole


def test_a_match_longer_than_a_piece_is_found_in_parts_and_the_rest_as_ever() -> None:
    spans = [match.span() for match in textkit.matches(re.compile("x+"), "-" + "x" * 100 + "-xx", piece=20, overlap=5)]
    assert spans[0][0] == 1
    assert all(before[1] == after[0] for before, after in itertools.pairwise(spans[:-1]))
    assert spans[-2][1] == 101
    assert spans[-1] == (102, 104)
