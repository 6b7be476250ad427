from __future__ import annotations

import json
from pathlib import Path

from tests.cli.desk_shell import Desk
from tests.importers.exports import NOON, gpt_line, zipped


def test_a_preview_names_what_would_come_in_and_writes_nothing(desk: Desk, tmp_path: Path) -> None:
    talks = [
        gpt_line("a", "Boats", [("user", "Write to jo@example.org about the boat."), ("assistant", "Done.")]),
        gpt_line("b", "Bees", [("user", "I keep bees.")], at=NOON + 40 * 86_400),
    ]
    path = str(zipped(tmp_path / "export.zip", {"conversations.json": [*talks, {"title": "broken"}]}))
    told = desk("import", path, "--preview")
    shown = json.loads(desk("import", path, "-n", "--since", "2024-06-01", "--json").stdout)
    listed = desk("sessions", "--json")

    assert told.returncode == 7
    assert "ChatGPT export: 2 conversations, 3 messages" in told.stdout
    assert "e-mail" in told.stdout.lower()
    assert "Conversation 3 was left out" in told.stderr
    assert (shown["conversations"], shown["left_out"], shown["masked"]) == (1, 1, {})
    assert shown["listed"][0]["title"] == "Bees"
    assert listed.stdout == ""


def test_what_is_asked_for_wrongly_is_said(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "c.jsonl"
    path.write_text("{}\n", encoding="utf-8")

    assert desk("import", str(tmp_path / "none.zip")).returncode == 3
    assert desk("import", str(path), "-n", "--since", "May").returncode == 2
    assert desk("import", str(path), "-n", "--since", "2024-05-02", "--until", "2024-05-01").returncode == 2
    assert desk("import", str(path), "-n", "--format", "word").returncode == 2
