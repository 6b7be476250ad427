from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.cli.desk_shell import Desk, Result

Run = Callable[..., Result]


@pytest.fixture
def run(desk: Desk, tmp_path: Path) -> Run:
    """Runs the program where no model is installed, after three notes."""
    home = {"HOME": str(tmp_path / "home"), "XDG_DATA_HOME": str(tmp_path / "home")}
    for note in ("My sister Maren lives in Bergen.", "My sister Maren repairs clocks.", "I moved to Bergen in May."):
        assert desk("memory", "add", note, env=home).returncode == 0
    return lambda *arguments, **env: desk("memory", "why", *arguments, env={**home, **env})


def test_the_whole_path_is_told_from_what_was_found_to_the_prompt(run: Run) -> None:
    trace = json.loads(run("Where does Maren live? Also, what does Maren repair?", "--json").stdout)
    assert trace["questions"] == ["Where does Maren live?", "what does Maren repair?"]
    assert trace["by_text_only"]
    kept = [one for one in trace["considered"] if one["verdict"] == "kept"]
    assert [one["id"] for one in kept] == [item["id"] for item in trace["items"]]
    assert all(one["made_of"] and 0 < one["fit"] <= 1 for one in kept)
    assert len(kept) >= 2
    assert all(item["text"] in trace["prompt"]["recalled"] for item in trace["items"])
    assert any("clocks" in line for line in trace["prompt"]["profile"])


def test_people_read_it_in_their_language(run: Run) -> None:
    english = run("Where does Maren live?").stdout
    assert "Searched for: Where does Maren live?" in english
    assert "In the answer" in english
    assert "End of notes." in english
    chinese = run("Where does Maren live?", LC_ALL="zh_CN.UTF-8", LANGUAGE="zh").stdout
    assert "搜索：Where does Maren live?" in chinese


def test_a_question_without_an_answer_says_so(run: Run) -> None:
    result = run("Which violin strings did I order?")
    assert "Memory holds nothing about this." in result.stderr
    assert "Nothing is put before the question." in result.stdout
