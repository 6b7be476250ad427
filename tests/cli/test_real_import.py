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


def test_what_is_imported_is_found_and_importing_again_adds_nothing(desk: Desk, tmp_path: Path) -> None:
    chat = write(tmp_path / "chat.jsonl", [json.dumps(line) for line in CHAT])
    queries = write(
        tmp_path / "queries.jsonl",
        [
            json.dumps({"id": "door", "query": "What colour is the kitchen door?"}),
            json.dumps({"id": "mint", "query": "阳台上种了什么？", "session": "阳台", "time": "2026-03-06T08:00:00"}),
            json.dumps({"id": "elsewhere", "query": "What colour is the kitchen door?", "session": "阳台"}),
        ],
    )

    first = json.loads(desk("import", chat, "--format", "jsonl", "--json").stdout)
    again = json.loads(desk("import", chat, "--format", "jsonl", "--json").stdout)
    rows = {
        row["id"]: row["items"]
        for row in map(json.loads, desk("recall", "--queries", queries, "--limit", "10", "--json").stdout.splitlines())
    }

    assert (first["messages"], first["sessions"], first["skipped"]) == (4, 2, 0)
    assert (again["messages"], again["skipped"], again["facts"]) == (0, 4, 0)
    assert rows["door"][0]["source"] == {"session": "garden", "messages": ["g1"]}
    assert {"layer", "text", "score", "source"} <= set(rows["door"][0])
    assert [item["score"] for item in rows["door"]] == sorted((i["score"] for i in rows["door"]), reverse=True)
    assert any("薄荷" in item["text"] for item in rows["mint"])
    assert all(item["source"]["session"] == "阳台" for item in rows["elsewhere"])


def test_bad_lines_are_named_and_the_rest_is_kept(desk: Desk, tmp_path: Path) -> None:
    good = [json.dumps(line) for line in CHAT]
    bad = write(tmp_path / "bad.jsonl", [good[0], '{"session": "x", "id":', good[2], '{"role": "king"}', good[3]])

    result = desk("import", bad, "--format", "jsonl")

    assert result.returncode == 7
    assert "Line 2 " in result.stderr
    assert "Line 4 " in result.stderr
    assert "3 messages" in result.stdout
    assert "kitchen door" in desk("memory", "search", "kitchen").stdout


def test_the_limit_may_exceed_what_an_answer_would_be_given(desk: Desk, tmp_path: Path) -> None:
    lines = [
        json.dumps(
            {"session": "s", "id": f"r{n}", "role": "user", "content": f"The harbour report number {n} is late."}
        )
        for n in range(12)
    ]
    assert desk("import", write(tmp_path / "many.jsonl", lines)).returncode == 0

    items = json.loads(desk("recall", "harbour report", "--limit", "12", "--json").stdout)["items"]

    assert len(items) > 5


def test_everything_works_with_the_network_cut_off(desk: Desk, tmp_path: Path) -> None:
    chat = write(tmp_path / "chat.jsonl", [json.dumps(line) for line in CHAT])
    cut = ("unshare", "-rn")

    assert desk("import", chat, wrapper=cut).returncode == 0
    found = desk("recall", "What colour is the kitchen door?", "--json", wrapper=cut)
    answer = desk("ask", "What instrument does my sister play?", "--json", wrapper=cut)

    recalled = json.loads(found.stdout)
    assert not recalled["by_text_only"]
    assert "green" in recalled["items"][0]["text"]
    assert answer.returncode == 0, answer.stderr
    assert json.loads(answer.stdout)["answer"].strip()
