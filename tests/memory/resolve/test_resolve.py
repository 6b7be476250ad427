"""What one statement does to what is known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from desk_assistant.memory.extract import Statement, predicates, statement_key
from desk_assistant.memory.resolve import KnownFact, resolve


def said(predicate: str, value: str, *, subject: str = "user", confidence: float = 0.9) -> Statement:
    kind = predicates.lookup(predicate).kind
    return Statement(subject, predicate, value, value, kind, confidence=confidence)


def known(fact_id: str, predicate: str, value: str, *, subject: str = "user") -> KnownFact:
    return KnownFact(fact_id, subject, predicate, value, value)


def test_something_new_is_added() -> None:
    assert resolve(said("pet", "parrot"), [known("1", "pet", "tortoise")]).outcome == "insert"


def test_a_single_valued_predicate_gives_way_to_the_new_value() -> None:
    resolution = resolve(said("lives_in", "Xiamen"), [known("1", "lives_in", "Qingdao"), known("2", "job", "nurse")])
    assert (resolution.outcome, resolution.ids) == ("supersede", ("1",))


def test_a_second_job_that_is_also_held_is_added() -> None:
    assert resolve(replace(said("job", "tutor"), additive=True), [known("1", "job", "nurse")]).outcome == "insert"


@pytest.mark.parametrize("again", ["Walnuts", "walnuts!", "  the walnuts", "walnut", "ＷＡＬＮＵＴＳ"])
def test_the_same_again_is_support(again: str) -> None:
    resolution = resolve(said("allergic_to", again), [known("1", "allergic_to", "walnuts")])
    assert (resolution.outcome, resolution.ids) == ("support", ("1",))


@pytest.mark.parametrize(
    ("new", "old"),
    [("dislikes", "likes"), ("likes", "dislikes"), ("avoids", "okay_with"), ("prohibition", "instruction")],
)
def test_opposites_over_one_thing_supersede(new: str, old: str) -> None:
    resolution = resolve(said(new, "musicals"), [known("1", old, "musicals"), known("2", old, "opera")])
    assert (resolution.outcome, resolution.ids) == ("supersede", ("1",))


def test_a_negation_supersedes_what_it_denies() -> None:
    denied = replace(said("owns", "car"), polarity=False)
    assert resolve(denied, [known("1", "owns", "car")]).outcome == "supersede"


def test_facts_of_other_people_are_never_touched() -> None:
    facts = [known("1", "lives_in", "Porto", subject="Alex")]
    assert resolve(said("lives_in", "Bern"), facts).outcome == "insert"
    assert resolve(replace(said("*", "Porto"), action="retract"), facts).outcome == "nothing"


def test_giving_up_one_of_several_leaves_the_others() -> None:
    facts = [known("1", "speaks", "Polish"), known("2", "speaks", "Welsh"), known("3", "speaks", "Dutch")]
    resolution = resolve(replace(said("*", "Dutch"), action="retract"), facts)
    assert (resolution.outcome, resolution.ids) == ("retract", ("3",))


@pytest.mark.parametrize("mark", ["pinned", "edited"])
def test_what_the_person_fixed_by_hand_is_not_changed(mark: str) -> None:
    fixed = replace(known("1", "lives_in", "Bern"), pinned=mark == "pinned", edited=mark == "edited")
    resolution = resolve(said("lives_in", "Basel"), [fixed])
    assert (resolution.outcome, resolution.ids, resolution.why) == ("pending", ("1",), "protected")
    assert resolve(replace(said("*", "Bern"), action="retract"), [fixed]).outcome == "pending"


def test_an_unsure_statement_waits_and_retires_nothing() -> None:
    resolution = resolve(said("lives_in", "Basel", confidence=0.5), [known("1", "lives_in", "Bern")])
    assert (resolution.outcome, resolution.why) == ("pending", "low_confidence")


def test_a_forgotten_statement_returns_only_when_said_afresh() -> None:
    statement = said("likes", "opera")
    forgotten = {statement_key("user", "likes", "Opera!")}
    assert resolve(statement, [], tombstones=forgotten, fresh=False).outcome == "blocked"
    assert resolve(statement, [], tombstones=forgotten, fresh=True).outcome == "insert"


@pytest.mark.parametrize("status", ["superseded", "retracted", "closed"])
def test_replaying_old_words_does_not_undo_a_correction(status: str) -> None:
    old = replace(known("1", "lives_in", "Qingdao"), status=status)
    now = known("2", "lives_in", "Xiamen")
    assert resolve(said("lives_in", "Qingdao"), [old, now], fresh=False).outcome == "nothing"


def test_a_mistaken_fact_moves_to_the_other_person() -> None:
    slip = Statement("user", "*", "", "that was Ruben", "fact", action="reattribute", target="Ruben")
    resolution = resolve(slip, [known("1", "pet", "cat"), known("2", "allergic_to", "shellfish")])
    assert (resolution.outcome, resolution.ids, resolution.person) == ("reattribute", ("2",), "Ruben")
    assert (resolution.statement.subject, resolution.statement.predicate) == ("Ruben", "allergic_to")


def test_a_correction_of_a_value_keeps_the_predicate_and_changes_the_text() -> None:
    fact = KnownFact("1", "user", "uses.database", "MySQL", "Uses MySQL as database")
    correction = replace(said("*", "MariaDB"), action="correct", replaces="MySQL")
    resolution = resolve(correction, [fact])
    assert (resolution.outcome, resolution.ids) == ("supersede", ("1",))
    assert resolution.statement.predicate == "uses.database"
    assert resolution.statement.text == "Uses MariaDB as database"


def test_a_finished_task_is_closed_by_the_words_it_shares() -> None:
    done = replace(said("task", "passport"), action="close")
    resolution = resolve(done, [known("1", "task", "renew my passport"), known("2", "task", "call Ann")])
    assert (resolution.outcome, resolution.ids) == ("close", ("1",))


def test_a_pending_fact_is_confirmed_by_the_person() -> None:
    fact = replace(known("1", "likes", "oolong"), status="pending", confidence=0.5)
    resolution = resolve(replace(said("likes", "oolong"), action="confirm"), [fact])
    assert (resolution.outcome, resolution.ids) == ("confirm", ("1",))


def test_giving_up_one_value_of_a_list_keeps_the_rest_of_it() -> None:
    fact = KnownFact(
        "1", "user", "owns", "subscriptions to Netflix, Hulu and Mubi", "Has subscriptions to Netflix, Hulu and Mubi"
    )
    resolution = resolve(replace(said("*", "Hulu"), action="retract"), [fact])
    assert (resolution.outcome, resolution.ids) == ("supersede", ("1",))
    assert resolution.statement.text == "Has subscriptions to Netflix and Mubi"


def test_an_appointment_that_moved_supersedes_itself() -> None:
    fact = KnownFact("1", "user", "schedule", "choir practice", "Choir practice, every Tuesday")
    moved = replace(
        said("schedule", "choir practice"), text="Choir practice, every Friday", recurs="FREQ=WEEKLY;BYDAY=FR"
    )
    assert resolve(moved, [fact]).outcome == "supersede"


def test_an_alias_is_believed_when_it_comes_up_twice() -> None:
    once = replace(known("1", "alias", "Lexi", subject="Alex"), status="pending", confidence=0.5)
    resolution = resolve(said("alias", "Lexi", subject="Alex", confidence=0.5), [once])
    assert (resolution.outcome, resolution.ids) == ("confirm", ("1",))
