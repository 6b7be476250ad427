from __future__ import annotations

import numpy as np

from desk_assistant.index.analysis import distinct, query_terms
from desk_assistant.index.bridge import bridges
from desk_assistant.index.vectors import Vectors

LINES = [
    "My cousin keeps bees.",
    "My cousin works at the harbour.",
    "My neighbour works at the bakery.",
    "My cousin is tall.",
    "It rained.",
]


def pairs(question: str, lines: list[str]) -> dict[str, str]:
    made = bridges(query_terms(question), [distinct(line) for line in lines])
    return {lines[place]: lines[bridge.other] for place, bridge in enumerate(made) if bridge}


def test_two_records_of_one_person_answer_together() -> None:
    found = pairs("Where does the one who keeps bees work?", LINES)
    assert found == {LINES[0]: LINES[1], LINES[1]: LINES[0]}


def test_in_chinese_too() -> None:
    lines = ["我表姐只有高中学历。", "我表姐在银行上班。", "我同事在学校上班。", "我表姐喜欢跳舞。"]
    found = pairs("那个高中学历的人在哪里上班？", lines)
    assert found == {lines[0]: lines[1], lines[1]: lines[0]}


def test_a_record_that_adds_nothing_belongs_to_no_pair() -> None:
    assert not pairs("What does my cousin do?", ["My cousin is tall.", "My cousin is away.", "It rained."])


def test_what_a_record_means_counts_where_its_words_are_others() -> None:
    def unit(*values: float) -> Vectors:
        vector: Vectors = np.asarray(values, dtype=np.float32)
        return vector / np.linalg.norm(vector)

    # The question is about beekeeping (first axis) and employment (second); third: whatever else.
    vectors = np.stack([unit(1, 0, 0.3), unit(0, 1, 0.3), unit(0, 0, 1)])
    asked = unit(1, 1, 0)
    lines = ["My cousin has hives.", "My cousin serves in the navy.", "My cousin is tall."]
    made = bridges(query_terms("Job of the apiarist?"), [distinct(line) for line in lines], vectors @ asked, vectors)
    assert made[0] is not None
    assert made[1] is not None
    assert (made[0].other, made[1].other) == (1, 0)
    assert made[2] is None or made[2].strength < made[0].strength / 2


def test_one_record_or_none_makes_no_pair() -> None:
    assert bridges(["a"], []) == []
    assert bridges(["a"], [{"a"}]) == [None]
