from __future__ import annotations

import math
from collections.abc import Callable

import pytest

from desk_assistant.index.analysis import query_terms
from desk_assistant.index.postings import Postings
from desk_assistant.index.table import EpisodeTable


def postings(*texts: str) -> Postings:
    made = Postings()
    for place, text in enumerate(texts):
        made.add(place, text)
    return made


def test_the_score_is_bm25() -> None:
    made = postings("tea tea milk", "milk bread", "jam")
    rarity = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    tea = rarity * 2 * 2.2 / (2 + 1.2 * (0.25 + 0.75 * 3 / 2))
    assert made.scores(["tea"]).tolist() == pytest.approx([tea, 0, 0], rel=1e-5)


def test_rare_words_count_more_and_long_records_less() -> None:
    scores = postings("tea milk", "milk bread", "milk bread oats rye salt").scores(["tea", "milk"])
    assert scores[0] > scores[1] > scores[2] > 0


def test_a_word_asked_twice_counts_once() -> None:
    made = postings("tea milk", "bread")
    assert made.scores(["tea", "tea"]).tolist() == made.scores(["tea"]).tolist()


def test_a_removed_record_leaves_no_trace() -> None:
    made = postings("tea milk", "milk secretword", "bread")
    made.remove(1, "milk secretword")
    assert made.scores(["milk"]).tolist()[1] == 0
    assert "secretword" not in vars(made)["_places"]
    assert made.scores(["milk"])[0] == pytest.approx(postings("tea milk", "bread").scores(["milk"])[0], rel=1e-6)


def test_the_same_order_as_the_tables_own_full_text(table: EpisodeTable, fill: Callable[..., None]) -> None:
    texts = ["我在阳台种了薄荷", "薄荷茶很好喝，薄荷糖也是", "I planted basil and mint", "mint tea", "the harbour"]
    fill(*texts)
    made = Postings()
    for place, terms in enumerate(table.read(("terms",))["terms"].to_pylist()):
        made.add(place, terms)
    for question in ("薄荷", "mint tea", "basil"):
        own = made.scores(query_terms(question))
        order = [f"r{place}" for place in sorted(range(len(texts)), key=lambda p: -own[p]) if own[place] > 0]
        assert order == [hit.id for hit in table.full_text(query_terms(question), 5)]


def test_a_word_in_a_pasted_list_a_thousand_times_is_no_overflow() -> None:
    made = postings("tea " * 1000, "tea milk")
    assert made.scores(["tea"])[1] > 0
    assert made.scores(["milk"]).tolist()[0] == 0
