from __future__ import annotations

from pathlib import Path

from desk_assistant.store import Store


def test_work_that_a_living_program_has_taken_is_known_as_such(tmp_path: Path) -> None:
    one = Store(tmp_path / "assistant.db", tmp_path / "backups")
    two = Store(tmp_path / "assistant.db", tmp_path / "backups")
    one.outbox.put("remember", ["m_1", "m_2"])
    claimed = one.outbox.claim(["remember"], 1)
    assert two.outbox.busy(["remember", "index"]) == 1
    assert two.outbox.busy(["index"]) == 0
    one.outbox.done(claimed)
    assert two.outbox.busy(["remember"]) == 0
