"""Messages that point back to an earlier one."""

from __future__ import annotations

from datetime import datetime

import pytest

from desk_assistant.memory.extract import Turn, extract

SAID_AT = datetime(2026, 5, 11, 9, 0)


@pytest.mark.parametrize(
    ("before", "message", "target"),
    [
        ("I play the tuba.", "That was not me, that was my cousin Ruben.", "Ruben"),
        ("I play the tuba.", "no, that's not me, that's my brother", "brother"),
        ("我会弹琵琶。", "那不是我，是我表弟小安。", "小安"),
    ],
)
def test_a_fact_is_given_to_the_one_it_belongs_to(before: str, message: str, target: str) -> None:
    (statement,) = extract(message, said_at=SAID_AT, previous=[Turn("user", before)])
    assert (statement.action, statement.target) == ("reattribute", target)
    assert statement.object in before


@pytest.mark.parametrize("message", ["Yes, remember that.", "对，记住这个。"])
def test_remember_that_confirms_what_was_said_before(message: str) -> None:
    (statement,) = extract(message, said_at=SAID_AT, previous=[Turn("user", ["I love oolong", "我住在长沙。"][0])])
    assert (statement.action, statement.object) == ("confirm", "oolong")


@pytest.mark.parametrize("message", ["That's not true about me.", "Forget what I just said.", "你记错了。"])
def test_a_rejection_takes_back_what_was_said_before(message: str) -> None:
    (statement,) = extract(message, said_at=SAID_AT, previous=[Turn("user", "I love oolong.")])
    assert (statement.action, statement.object) == ("retract", "oolong")


def test_a_slip_is_corrected_with_the_predicate_of_the_slip() -> None:
    (statement,) = extract("Sorry, I meant Lundby.", said_at=SAID_AT, previous=[Turn("user", "I live in Lund.")])
    assert (statement.predicate, statement.object, statement.replaces) == ("lives_in", "Lundby", "Lund")
    assert "Lundby" in statement.text


def test_what_the_assistant_guessed_is_nothing_until_the_person_says_it() -> None:
    guess = [Turn("user", "How do I sort?"), Turn("assistant", "You probably like functional style.")]
    assert extract("ok thanks", said_at=SAID_AT, previous=guess) == ()
    (statement,) = extract("yes, exactly, I prefer functional style", said_at=SAID_AT, previous=guess)
    assert (statement.predicate, statement.object) == ("likes", "functional style")


def test_a_part_is_played_until_the_game_is_over() -> None:
    game = [Turn("user", "Let's role-play: you're the captain and I'm a stowaway.")]
    assert extract("I hate the sea.", said_at=SAID_AT, previous=game) == ()
    over = [*game, Turn("user", "Let's stop the role-play.")]
    assert [s.object for s in extract("I hate the sea.", said_at=SAID_AT, previous=over)] == ["sea"]
