from __future__ import annotations

import pytest

from desk_assistant.memory import traces
from tests.memory.conftest import Profile


@pytest.mark.parametrize(
    ("value", "name"),
    [
        ("MySQL 8.0", "MySQL"),
        ("Spring Boot 3", "Spring Boot"),
        ("Node v20.1.0", "Node"),
        ("May 1990", "May 1990"),
        ("8.0", "8.0"),
        ("绿茶", "绿茶"),
    ],
)
def test_a_name_is_a_value_without_its_version(value: str, name: str) -> None:
    assert traces.name_of(value) == name


async def test_an_answer_that_left_the_version_out_forgets_it_too(profile: Profile) -> None:
    profile.say("My projects use MySQL 8.0.")
    profile.say("Sure. I can help with Java, MySQL and more. What is on your mind?", role="assistant")
    await profile.memory.settle()
    (fact,) = [f for f in await profile.memory.facts() if "MySQL" in f.text]

    await profile.memory.erase_now(await profile.memory.forget([fact.id], undo_seconds=0))

    assert await profile.memory.search("MySQL") == []
    assert await profile.memory.search("What is on your mind?")
    assert not any("MySQL" in record.text + record.lexical for record in profile.index.records.values())
