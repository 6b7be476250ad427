"""Short conversations about changed minds, other people, games and slips: what is believed at their end."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Protocol

import pytest

HERE = Path(__file__).parent


class Book(Protocol):
    def active(self, *, of_user: bool = False) -> list[str]: ...


def stories() -> Iterator[tuple[str, list[str], list[str]]]:
    for name in ("stories.tsv", "stories_more.tsv", "stories_last.tsv", "stories_unseen.tsv"):
        for line in (HERE / name).read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                story, turns, checks = line.split("\t")
                yield story, [turn.strip().replace("\\n", "\n") for turn in turns.split("||")], checks.split(" ;; ")


@pytest.mark.parametrize(("turns", "checks"), [pytest.param(t, c, id=i) for i, t, c in stories()])
def test_story_ends_with_the_right_beliefs(
    hear: Callable[[Iterable[str]], Book], turns: list[str], checks: list[str]
) -> None:
    book = hear(turns)
    mine, everything = book.active(of_user=True), book.active()
    for check in checks:
        kind, _, pattern = check.partition(":")
        if kind.startswith("count="):
            assert sum(bool(re.search(pattern, fact)) for fact in mine) == int(kind[6:]), (check, everything)
            continue
        pool = everything if kind in {"any", "none"} else mine
        found = any(re.search(pattern, fact) for fact in pool)
        assert found == (kind in {"has", "any"}), (check, everything)
