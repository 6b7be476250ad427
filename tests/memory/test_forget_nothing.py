"""A profile in which nothing was forgotten asks nothing of what comes in."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from desk_assistant.memory.extract import extract
from desk_assistant.memory.returning import brings_back
from desk_assistant.store.ledger import Tombstones
from tests.memory.conftest import Profile


@pytest.mark.parametrize("text", ["I'm using Thrumbase daily.", "我每天都用磐石数据库。"])
def test_no_mark_is_computed_when_there_are_none(profile: Profile, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    statements = extract(text, said_at=datetime(2026, 5, 11, 9, tzinfo=UTC))

    def asked(_self: Tombstones, statement: str) -> str:
        raise AssertionError(statement)

    monkeypatch.setattr(Tombstones, "_digest", asked)
    assert statements
    assert not any(brings_back(statement, profile.store) for statement in statements)
