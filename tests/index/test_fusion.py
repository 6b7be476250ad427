from __future__ import annotations

from dataclasses import replace

from desk_assistant.index.evidence import Evidence, Part
from desk_assistant.index.fusion import Context, base_scores, rank
from desk_assistant.index.judge import Judge
from desk_assistant.index.policy import POLICY
from desk_assistant.index.records import Hit


def hit(key: str, cosine: float | None, bm25: float | None = None) -> Hit:
    return Hit(key, "turn", "s", cosine, bm25)


def one(question: str, *hits: Hit) -> Evidence:
    return Evidence(question, (Part(question, hits),))


def order(evidence: Evidence, contexts: dict[str, Context]) -> list[str]:
    return [item.hit.id for item in rank(evidence, contexts, replace(POLICY, beside_best=0.0)).items]


def test_both_ways_of_searching_count() -> None:
    scores = base_scores([hit("both", 0.5, 8.0), hit("meaning", 0.6), hit("words", 0.1, 9.0), hit("none", 0.1)])
    assert max(scores, key=lambda key: scores[key]) == "both"
    assert scores["none"] == 0.0


def test_without_vectors_words_decide() -> None:
    assert base_scores([hit("a", None, 2.0), hit("b", None, 4.0)]) == {"a": 0.0, "b": 1.0}


def test_a_named_speaker_goes_first() -> None:
    contexts = {"a": Context("x", "Nina"), "b": Context("y", "Tom")}
    hits = (hit("a", 0.40), hit("b", 0.42), hit("c", 0.0))
    contexts["c"] = Context("z")
    assert order(one("What does Nina like?", *hits), contexts)[0] == "a"
    assert order(one("What do people like?", *hits), contexts)[0] == "b"
    assert order(one("What does Ninave like?", *hits), contexts)[0] == "b"


def test_an_answer_helps_the_turn_it_answers() -> None:
    hits = (hit("a", 0.40), hit("b", 0.41), hit("reply", 0.5, 5.0), hit("low", 0.0))
    contexts = {
        "a": Context("?", "Nina", "s", 4),
        "reply": Context("!", "Tom", "s", 5),
        "b": Context("?", "Tom", "s", 6),
        "low": Context("", "Tom", "s", 9),
    }
    found = order(one("question", *hits), contexts)
    assert found.index("a") < found.index("b")


def test_one_step_on_reaches_what_the_question_does_not_say() -> None:
    whole = (hit("diploma", 0.5, 6.0), hit("work", 0.1), hit("garden", 0.12), hit("low", 0.0))
    contexts = {key: Context(key) for key in ("diploma", "work", "garden", "low")}
    near = {"diploma": 1.0, "work": 1.0, "garden": 0.0}
    assert order(one("q", *whole), contexts)[:2] == ["diploma", "garden"]
    assert order(Evidence("q", (Part("q", whole, near),)), contexts)[:2] == ["diploma", "work"]


def test_two_that_answer_together_go_before_what_looks_more_like_the_question() -> None:
    hits = (hit("phone of another", 0.5, 6.0), hit("her phone", 0.45, 5.0), hit("her age", 0.3, 4.0), hit("low", 0.0))
    contexts = {h.id: Context(h.id) for h in hits}
    tied = {"her phone": (1.0, "her age"), "her age": (1.0, "her phone")}
    assert order(one("q", *hits), contexts)[0] == "phone of another"
    evidence = Evidence("q", (Part("q", hits, bridges=tied),))
    assert order(evidence, contexts)[:2] == ["her phone", "her age"]
    assert rank(evidence, contexts).items[0].with_id == "her age"


def test_a_record_fits_when_its_other_half_does() -> None:
    hits = (hit("her age", 0.5, 6.0), hit("her job", 0.1), hit("her height", 0.1), hit("low", 0.0))
    contexts = {h.id: Context(h.id) for h in hits}
    tied = {"her job": (POLICY.tied, "her age"), "her height": (POLICY.tied / 2, "her age")}
    fits = {item.hit.id: item.fit for item in rank(Evidence("q", (Part("q", hits, bridges=tied),)), contexts).items}
    assert fits["her job"] == POLICY.answered
    assert fits.get("her height", 0.0) < POLICY.answered
    lonely = {"her job": (1.0, "low")}
    fits = {item.hit.id: item.fit for item in rank(Evidence("q", (Part("q", hits, bridges=lonely),)), contexts).items}
    assert fits.get("her job", 0.0) < POLICY.answered


def test_a_pair_is_none_when_its_other_half_may_not_be_shown() -> None:
    hits = (hit("other", 0.5, 6.0), hit("phone", 0.45, 5.0), hit("low", 0.0))
    contexts = {h.id: Context(h.id) for h in hits}
    evidence = Evidence("q", (Part("q", hits, bridges={"phone": (1.0, "forgotten")}),))
    assert order(evidence, contexts)[0] == "other"


def test_every_question_of_a_message_gets_its_share() -> None:
    first = tuple(hit(f"a{place}", 0.6 - place / 100, 5.0) for place in range(5))
    second = (hit("b0", 0.6, 5.0), hit("b1", 0.2, 1.0), hit("low", 0.0))
    contexts = {h.id: Context(h.id) for h in (*first, *second)}
    parts = (Part("a", (*first, hit("low", 0.0))), Part("b", second))
    assert set(order(Evidence("a b", parts, questions=True), contexts)[:4]) == {"a0", "a1", "b0", "b1"}
    # What is only said has no claim of its own.
    assert "b1" not in order(Evidence("a b", parts), contexts)[:4]


def test_a_part_of_a_question_brings_its_own_answer() -> None:
    whole = (hit("a", 0.5, 5.0), hit("b", 0.2), hit("low", 0.0))
    parts = (Part("a", (hit("a", 0.6, 5.0), hit("low", 0.0))), Part("b", (hit("b", 0.6, 5.0), hit("low", 0.1))))
    contexts = {key: Context(key) for key in ("a", "b", "low")}
    items = {item.hit.id: item for item in rank(Evidence("q", parts, whole), contexts).items}
    assert items["b"].score > 0.7
    assert items["b"].hit.cosine == 0.6


def test_records_unknown_to_the_caller_are_left_out() -> None:
    evidence = one("q", hit("gone", 0.9, 9.0), hit("here", 0.5))
    assert order(evidence, {"here": Context("text")}) == ["here"]


def test_nothing_fits_a_question_about_something_else() -> None:
    garden = ["I planted basil.", "Roses need pruning.", "My compost is warm.", "I sowed carrots.", "The hose leaks."]
    contexts = {str(place): Context(text) for place, text in enumerate(garden)}
    hits = tuple(hit(key, 0.02 * place) for place, key in enumerate(contexts))
    assert not rank(one("What's my blood type?", *hits), contexts).answered
    assert rank(one("What's my blood type?", *hits, hit("b", 0.5)), {**contexts, "b": Context("O")}).answered


def test_words_in_common_lower_the_bar() -> None:
    judge = Judge("What is my blood type?")
    low = hit("a", 0.2)
    assert judge.fit(low, "my blood type is O") > 0.5 > judge.fit(low, "my shoe size is 43")


def test_without_vectors_the_words_are_the_judge() -> None:
    judge = Judge("我的血型是什么？")
    assert (
        judge.fit(hit("a", None, 3.0), "我的血型是 O 型") > 0.5 > judge.fit(hit("a", None, 3.0), "我在阳台种了薄荷。")
    )


def test_nothing_at_all_is_no_answer() -> None:
    ranking = rank(one("q"), {})
    assert ranking.items == ()
    assert not ranking.answered
