from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from desk_assistant.index.child import IndexChild
from desk_assistant.index.evidence import Evidence
from desk_assistant.index.mirror import Mirror
from desk_assistant.index.table import EpisodeTable
from desk_assistant.workers import WorkerCancelled
from desk_assistant.workers.child import Call


class _Loading(IndexChild):
    """A child whose table is open and whose embedding model is still on its way."""

    def serve(self, table: EpisodeTable) -> None:
        self._table, self._mirror, self._state = table, Mirror(table, "m"), "loading"


@pytest.fixture
def child(table: EpisodeTable, fill: Callable[..., None]) -> _Loading:
    fill("The cat is called Miso", "The rent is due on Friday", "我的猫叫豆包")
    child = _Loading(lambda _: None)
    child.serve(table)
    return child


def call() -> Call:
    return Call(0, "", {}, False, lambda _: None)


def explore(child: IndexChild, question: str, **options: Any) -> Evidence:
    found = child.explore({"question": question, "limit": 10, **options}, call())
    return Evidence.from_message(question, found)


def test_the_first_question_does_not_wait_for_the_table_to_be_read(
    child: _Loading, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Mirror, "sync", lambda *_: pytest.fail("it waited"))
    evidence = explore(child, "What is the cat called? Also, when is the rent due?")
    assert evidence.degraded
    assert [[hit.id for hit in part.hits] for part in evidence.parts] == [["r0"], ["r1"]]
    assert set(explore(child, "猫").hits) == {"r2"}


def test_once_it_is_read_the_memory_answers(child: _Loading, monkeypatch: pytest.MonkeyPatch) -> None:
    child.warm({}, call())
    monkeypatch.setattr(EpisodeTable, "full_text", lambda *_: pytest.fail("it was searched on the disk"))
    assert set(explore(child, "When is the rent due?").hits) == {"r1"}
    assert explore(child, "When is the rent due?").degraded


def test_reading_ahead_gives_way(child: _Loading) -> None:
    given_up = call()
    given_up.cancel()
    with pytest.raises(WorkerCancelled):
        child.warm({}, given_up)
    child.warm({}, call())
    assert set(explore(child, "cat").hits) == {"r0"}
