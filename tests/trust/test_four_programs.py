"""Four programs on one profile lose nothing, double nothing and never wait for each other for good.

Three seconds here; `python -m tests.bench trust` takes a minute.
"""

from __future__ import annotations

from pathlib import Path

from tests.trust.hammering import PROGRAMS, hammer


def test_no_update_is_lost_and_changes_show_up_elsewhere(tmp_path: Path) -> None:
    found = hammer(tmp_path, 3.0)

    assert found.writes >= len(PROGRAMS)
    assert (found.lost, found.doubled, found.refused) == (0, 0, 0)
    assert found.number == found.bumped
    assert found.seen > 0
