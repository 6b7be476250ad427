from __future__ import annotations

from pathlib import Path

from desk_assistant.paths import Locations
from desk_assistant.settings import Settings
from tests.cli.desk_shell import Desk
from tests.cli.test_memory_more import records


def test_without_three_conversations_there_is_no_insight(desk: Desk) -> None:
    assert records(desk, "memory", "insights") == []
    assert "three conversations" in desk("memory", "insights").stderr


def test_what_is_too_much_is_put_aside_listed_and_restored(desk: Desk, tmp_path: Path) -> None:
    talk = tmp_path / "talk.jsonl"
    talk.write_text(
        "".join(
            f'{{"session": "s{n}", "id": "{n}", "role": "user", "content": "The heron number {n} flew past."}}\n'
            for n in range(5)
        ),
        encoding="utf-8",
    )
    records(desk, "import", str(talk), "--format", "jsonl")
    assert records(desk, "memory", "tidy") == []
    Settings.load(Locations.find(desk.data).settings).set("memory.max_exchanges", 2)

    aside = [str(row["archived"]) for row in records(desk, "memory", "tidy")]

    assert len(aside) == 3
    assert {row["id"] for row in records(desk, "memory", "archived")} == set(aside)
    assert desk("memory", "restore", *aside).returncode == 0
    assert records(desk, "memory", "archived") == []
