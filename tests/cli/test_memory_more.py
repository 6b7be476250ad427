from __future__ import annotations

import json
from typing import Any

from tests.cli.desk_shell import Desk


def records(desk: Desk, *arguments: str) -> list[dict[str, Any]]:
    """Run a command that succeeds and return its JSON lines."""
    result = desk(*arguments, "--json")
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_a_task_is_listed_with_its_due_date_and_closed(desk: Desk) -> None:
    records(desk, "memory", "add", "I need to renew my passport by 2031-04-05.")
    listed = records(desk, "memory", "tasks")
    assert [(task["kind"], task["due"]) for task in listed] == [("task", "2031-04-05")]
    records(desk, "memory", "close", str(listed[0]["id"]))
    assert records(desk, "memory", "tasks") == []
    assert [fact["status"] for fact in records(desk, "memory", "list", "--all")] == ["closed"]


def test_the_graph_shows_relations_and_the_way_between_two(desk: Desk) -> None:
    records(desk, "memory", "add", "My sister Maren lives in Bergen.")
    assert any(edge["target"]["name"] == "Bergen" for edge in records(desk, "memory", "graph", "Maren"))
    way = records(desk, "memory", "path", "Maren", "Bergen")
    assert [edge["target"]["name"] for edge in way] == ["Bergen"]
    assert "Bergen" in desk("memory", "graph", "Maren").stdout


def test_a_depth_that_cannot_be_used_is_refused(desk: Desk) -> None:
    result = desk("memory", "graph", "--depth", "0")
    assert result.returncode == 2
    assert "1 to 5" in result.stderr
