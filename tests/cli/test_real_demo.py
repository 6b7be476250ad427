from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.desk_shell import Desk

pytestmark = [pytest.mark.real, pytest.mark.timeout(900)]


def test_the_demo_holds_in_both_languages_and_leaves_nothing_behind(desk: Desk, data: Path) -> None:
    result = desk("demo", timeout=800)

    assert result.returncode == 0, result.stdout + result.stderr
    assert "✗" not in result.stdout
    assert "MySQL" in result.stdout
    assert "Python" in result.stdout
    assert list((data / "profiles").iterdir()) == []


def test_the_doctor_finds_all_well_and_leaves_nothing_behind(desk: Desk, data: Path) -> None:
    result = desk("doctor", "--json", timeout=500)

    findings = {row["check"]: row for row in map(json.loads, result.stdout.splitlines())}
    assert result.returncode == 0, result.stdout
    assert {"data_folder", "database", "llm", "index", "answer", "remember", "forget", "network"} <= set(findings)
    assert all(row["ok"] for row in findings.values())
    assert [path.name for path in (data / "profiles").iterdir()] == ["default"]
