"""A language model that passed its exam reads on; what it says counts only in the person's own words."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

from desk_assistant.memory.extract import sentences_of
from desk_assistant.memory.model_reading import grounded
from desk_assistant.memory.service import Memory
from desk_assistant.privacy import PrivacyGate
from tests.memory.conftest import Profile

SAID = "Rice is what our table is built around. Is that odd?"
QUOTE = "Rice is what our table is built around"


class Scripted:
    """A model that says what it is told to."""

    def __init__(self, answer: object, *, able: bool = True) -> None:
        self.answer = answer if isinstance(answer, str) else json.dumps(answer, ensure_ascii=False)
        self.able = able
        self.summarises: tuple[str, ...] = ()
        self.asked: list[str] = []

    async def complete(self, instruction: str, text: str, schema: Mapping[str, Any]) -> str:
        self.asked.append(text)
        return self.answer


def _stating(*quotes: str, kind: str = "preference") -> dict[str, object]:
    return {"statements": [{"kind": kind, "quote": quote} for quote in quotes]}


async def _read(profile: Profile, model: Scripted, said: str, *, payload: str | None = None) -> list[str]:
    memory = Memory(profile.store, profile.index, profile.settings, profile.locations, PrivacyGate, reader=model)
    message = profile.say(said)
    profile.store.outbox.put("remember", [message.id], payload=payload)
    await memory.settle()
    return [fact.text for fact in await memory.facts(("active",))]


async def test_what_the_model_finds_is_kept_in_the_words_it_cites(profile: Profile) -> None:
    model = Scripted(_stating(QUOTE))

    assert await _read(profile, model, SAID) == [QUOTE]

    [fact] = await profile.memory.facts()
    [(message, span)] = await profile.memory.sources(fact.id)
    assert span is not None
    assert message.content[span[0] : span[1]] == QUOTE
    assert fact.kind == "preference"


async def test_a_model_that_failed_the_exam_is_never_asked(profile: Profile) -> None:
    model = Scripted(_stating(QUOTE), able=False)

    assert await _read(profile, model, SAID) == []
    assert model.asked == []
    assert profile.store.outbox.pending().get("read") is None


@pytest.mark.parametrize(
    "said", ["I live in Ghent.", "How long do lentils soak?", "hi", "Write a story about my table."]
)
async def test_the_model_is_not_asked_where_the_rules_know_better(profile: Profile, said: str) -> None:
    model = Scripted(_stating("anything"))
    await _read(profile, model, said)
    assert model.asked == []


async def test_an_import_is_not_read_by_the_model(profile: Profile) -> None:
    model = Scripted(_stating(QUOTE))
    assert await _read(profile, model, SAID, payload="import") == []


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "not json",
        "[]",
        '{"statements": "none"}',
        {"statements": [{"kind": "preference"}, {"quote": QUOTE}, 7, None]},
        _stating(QUOTE, kind="gossip"),
        _stating("The user loves sushi"),
        _stating("Is that odd"),
        _stating("table"),
        _stating("rice is what our table is built around"),
    ],
)
def test_what_is_not_by_the_schema_or_not_in_the_message_counts_for_nothing(answer: object) -> None:
    told = answer if isinstance(answer, str) else json.dumps(answer)
    sentences = [s for s in sentences_of(SAID) if s.may_state]
    assert list(grounded(told, SAID, sentences)) == []


def test_nothing_is_cited_twice_and_not_more_than_a_few() -> None:
    said = "Our table is built on rice. Our soup has leeks in it. Our bread comes dark."
    answer = json.dumps(_stating("Our table is built on rice", "Our table is built on rice.", "Our bread comes dark"))
    found = grounded(answer, said, [s for s in sentences_of(said) if s.may_state])
    assert [statement.object for statement in found] == ["Our table is built on rice", "Our bread comes dark"]
