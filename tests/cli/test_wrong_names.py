from __future__ import annotations

from tests.cli.desk_shell import Desk


def test_recall_in_a_conversation_that_does_not_exist_says_so(desk: Desk) -> None:
    result = desk("recall", "tea", "--session", "s_nothing")
    assert result.returncode == 3
    assert "s_nothing" in result.stderr


def test_a_time_span_that_ends_before_it_begins_is_refused(desk: Desk) -> None:
    result = desk("memory", "forget", "--since", "2026-12-01", "--until", "2026-01-01", "--yes")
    assert result.returncode == 2
    assert "ends before it begins" in result.stderr
