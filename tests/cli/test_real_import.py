from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.desk_shell import Desk

pytestmark = [pytest.mark.real, pytest.mark.timeout(600)]

CHAT = [
    {"session": "garden", "id": "g1", "role": "user", "content": "Yesterday I repainted the kitchen door green."},
    {"session": "garden", "id": "g2", "role": "assistant", "content": "That sounds lovely."},
    {"session": "garden", "id": "g3", "role": "user", "content": "My sister plays the cello.", "time": "2026-03-02"},
    {"session": "阳台", "id": "g1", "role": "user", "content": "我在阳台种了薄荷。", "time": "2026-03-05T08:00:00"},
]  # fmt: skip


def write(path: Path, lines: list[str]) -> str:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def test_what_is_imported_is_found_bad_lines_are_named_and_importing_again_adds_nothing(
    desk: Desk, tmp_path: Path
) -> None:
    good = [json.dumps(line) for line in CHAT]
    reports = [
        json.dumps({"session": "s", "id": f"r{n}", "role": "user", "content": f"The harbour report {n} is late."})
        for n in range(12)
    ]
    chat = write(tmp_path / "chat.jsonl", [good[0], '{"session": "x", "id":', *good[1:], '{"role": "king"}', *reports])
    queries = write(
        tmp_path / "queries.jsonl",
        [
            json.dumps({"id": "door", "query": "What colour is the kitchen door?"}),
            json.dumps({"id": "mint", "query": "阳台上种了什么？", "session": "阳台", "time": "2026-03-06T08:00:00"}),
            "not a query",
            json.dumps({"id": "elsewhere", "query": "What colour is the kitchen door?", "session": "阳台"}),
            json.dumps({"id": "many", "query": "harbour report"}),
        ],
    )

    first = desk("import", chat, "--format", "jsonl")
    again = json.loads(desk("import", chat, "--format", "jsonl", "--json").stdout)
    answers = desk("recall", "--queries", queries, "--limit", "10", "--json")
    rows = {row["id"]: row["items"] for row in map(json.loads, answers.stdout.splitlines())}

    assert first.returncode == 7
    assert "Line 2 " in first.stderr
    assert "Line 6 " in first.stderr
    assert "16 messages in 3 conversations" in first.stdout
    assert (again["messages"], again["skipped"], again["facts"]) == (0, 16, 0)
    assert [row["line"] for row in again["bad_lines"]] == [2, 6]
    assert answers.returncode == 7
    assert "Line 3 " in answers.stderr
    assert rows["door"][0]["source"] == {"session": "garden", "messages": ["g1"]}
    assert {"layer", "text", "score", "source"} <= set(rows["door"][0])
    assert [item["score"] for item in rows["door"]] == sorted((i["score"] for i in rows["door"]), reverse=True)
    assert any("薄荷" in item["text"] for item in rows["mint"])
    assert all(item["source"]["session"] == "阳台" for item in rows["elsewhere"])
    assert len(rows["many"]) > 5  # more than an answer would be given


def test_everything_works_with_the_network_cut_off(desk: Desk, tmp_path: Path) -> None:
    cut = ("unshare", "-rn")

    told = desk("ask", "I repainted the kitchen door green.", wrapper=cut)
    found = desk("recall", "What colour is the kitchen door?", "--json", wrapper=cut)

    assert told.returncode == 0, told.stderr
    assert told.stdout.strip()
    recalled = json.loads(found.stdout)
    assert not recalled["by_text_only"]
    assert "green" in recalled["items"][0]["text"]
