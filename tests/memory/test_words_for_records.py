"""Every state of a fact, and every entry of its history, has words for people in both languages."""

from __future__ import annotations

from typing import get_args

import pytest

from desk_assistant.i18n import t_in
from desk_assistant.memory.people import MERGED, SPLIT
from desk_assistant.memory.second_look import DOUBTED
from desk_assistant.memory.semantic import CONFLICT
from desk_assistant.memory.upkeep import ARCHIVED
from desk_assistant.store import FactStatus

ACTIONS = (
    "added", "supported", "confirmed", "edited", "pinned", "unpinned", "moved", "restored", "closed", "reopened",
    "rejected",
)  # fmt: skip


@pytest.mark.parametrize("language", ["en", "zh"])
def test_nothing_is_shown_by_its_key(language: str) -> None:
    for status in get_args(FactStatus):
        assert t_in(language, f"cli.status_{status}")
        assert t_in(language, f"tui.status_{status}")
    for action in (*ACTIONS, CONFLICT, MERGED, SPLIT, ARCHIVED, DOUBTED):
        assert t_in(language, f"tui.action_{action}")
