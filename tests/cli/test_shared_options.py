from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.desk_shell import Desk


def test_paths_follow_the_data_folder_and_touch_nothing(desk: Desk, data: Path) -> None:
    result = desk("paths", "--json")

    places = json.loads(result.stdout)
    assert places["data"] == str(data)
    assert places["database"].startswith(str(data))
    assert not data.exists()


def test_shared_options_work_before_and_after_the_command(desk: Desk, tmp_path: Path) -> None:
    other = tmp_path / "other"

    before = json.loads(desk("--profile", "work", "paths", "--json").stdout)
    after = json.loads(desk("paths", "--json", "--profile", "work", "--data-dir", str(other)).stdout)

    assert Path(before["profile"]).name == Path(after["profile"]).name == "work"
    assert after["data"] == str(other)


@pytest.mark.parametrize("name", ["../other", "a/b", ".hidden", ""])
def test_a_profile_that_no_folder_can_carry_is_refused(desk: Desk, name: str) -> None:
    result = desk("--profile", name, "paths")

    if name == "":  # an empty name is the default profile
        assert result.returncode == 0
    else:
        assert result.returncode == 2
        assert "profile name" in result.stderr


@pytest.mark.parametrize(
    "arguments", [["recal"], ["memory"], ["memory", "show"], ["recall"], ["ask"], ["paths", "--colour"], ["--data-dir"]]
)
def test_unusable_arguments_are_exit_code_2(desk: Desk, arguments: list[str]) -> None:
    result = desk(*arguments)

    assert result.returncode == 2
    assert result.stdout == ""
    assert "desk-assistant" in result.stderr
