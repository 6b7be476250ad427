"""Whose fact it is: the person, somebody named, somebody related, two of one name."""

from __future__ import annotations

from datetime import datetime

import pytest

from desk_assistant.memory.extract import KnownPeople, Person, extract

SAID_AT = datetime(2026, 5, 11, 9, 0)


def about(message: str, *people: Person) -> list[tuple[str, str, str]]:
    known = KnownPeople.of(people)
    return [(s.subject, s.predicate, s.object) for s in extract(message, said_at=SAID_AT, known=known)]


def test_a_named_relation_is_a_person_of_their_own() -> None:
    assert about("My flatmate Odo hates swimming but his mother booked him lessons.") == [
        ("user", "relation.flatmate", "Odo"),
        ("Odo", "dislikes", "swimming"),
    ]


def test_a_relation_without_a_name_is_the_subject() -> None:
    assert about("My dad hates flying.") == [("dad", "dislikes", "flying")]
    assert about("我爸爸喜欢钓鱼。") == [("爸爸", "likes", "钓鱼")]


def test_a_relation_whose_name_is_known_stands_for_that_person() -> None:
    assert about("My flatmate loves tea.", Person("Odo", "Odo", "flatmate")) == [("Odo", "likes", "tea")]


def test_a_second_person_of_the_same_name_is_kept_apart() -> None:
    work = Person("Alex", "Alex", "work")
    assert ("Alex (sister)", "lives_in", "Porto") in about("My sister Alex moved to Porto.", work)
    assert ("Alex", "about", "chess") in about("Alex from work plays chess.", work)


def test_a_bare_name_that_two_people_share_is_not_certain() -> None:
    people = KnownPeople.of([Person("Alex", "Alex", "work"), Person("Alex (sister)", "Alex", "sister")])
    (statement,) = extract("Alex loves chess.", said_at=SAID_AT, known=people)
    assert statement.confidence < 0.6


def test_a_pronoun_means_the_one_spoken_of_last() -> None:
    assert ("Karl", "pet", "three dogs") in about("My neighbour Karl is a beekeeper. He has three dogs.")


@pytest.mark.parametrize(
    "message", ["He lives in Rome.", "Napoleon was born in Corsica.", "他住在广州。", "李白喜欢喝酒。"]
)
def test_strangers_are_nobodys_business(message: str) -> None:
    assert about(message) == []


def test_the_person_keeps_their_name_beside_a_relation() -> None:
    assert about("I'm Ilse Varga, and Benedek is my nephew.") == [
        ("user", "name", "Ilse Varga"),
        ("user", "relation.nephew", "Benedek"),
    ]


def test_another_name_of_a_known_relation_is_asked_about() -> None:
    sister = KnownPeople.of([Person("Alex", "Alex", "work"), Person("Alex (sister)", "Alex", "sister")])
    alias, *_ = extract("Lexi (my sister) sent a postcard.", said_at=SAID_AT, known=sister)
    assert (alias.subject, alias.predicate, alias.object) == ("Alex (sister)", "alias", "Lexi")
    assert alias.confidence < 0.6
