"""The registry of predicates and its labels in both interface languages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import get_args

import pytest

from desk_assistant import i18n
from desk_assistant.memory.extract import Kind, predicates, statement_key


@pytest.fixture(params=i18n.LANGUAGES)
def language(request: pytest.FixtureRequest) -> Iterator[str]:
    before = i18n.language()
    yield i18n.set_language(request.param)
    i18n.set_language(before)


def test_every_predicate_and_kind_has_a_label(language: str) -> None:
    labels = [predicates.label(name) for name in predicates.registry()]
    labels += [predicates.kind_label(kind) for kind in get_args(Kind)]
    assert all(labels)
    if language == "zh":
        assert not any(label.isascii() for label in labels)


def test_a_qualifier_is_shown_and_does_not_change_behaviour(language: str) -> None:
    assert "drink" in predicates.label("favourite.drink")
    assert predicates.lookup("favourite.drink").single


def test_keys_ignore_how_it_was_written() -> None:
    assert statement_key("user", "likes", "The Walnuts!") == statement_key("user", "likes", "ｗａｌｎｕｔ")
    assert statement_key("user", "likes", "tea") != statement_key("user", "dislikes", "tea")
