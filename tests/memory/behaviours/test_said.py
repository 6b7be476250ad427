"""What conversations in both languages leave behind, through the whole write path."""

from __future__ import annotations

import pytest

from tests.memory.behaviours.telling import Case, cases, failed, line, tell
from tests.memory.conftest import Profile

LOTS = ("said", "later", "third", "fourth", "fifth")
TABLES = [f"{lot}_{code}.tsv" for lot in LOTS for code in ("en", "zh")]


@pytest.mark.parametrize("case", [pytest.param(c, id=c.name) for c in cases(*TABLES)])
async def test_what_was_said_is_believed_and_nothing_else(profile: Profile, case: Case) -> None:
    await tell(profile, case.messages)

    wrong = await failed(profile, case.checks)
    assert not wrong, [f"{f.status}: {line(f)}" for f in await profile.memory.facts(None)]
