from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from desk_assistant.paths import Locations
from tests.cli.desk_shell import Desk

pytestmark = [pytest.mark.real, pytest.mark.timeout(300)]

STARTER = "smollm2-135m-instruct"


def test_without_any_model_the_message_is_kept_and_the_sentence_says_how_to_get_one(desk: Desk, tmp_path: Path) -> None:
    bare = {"DESK_ASSISTANT_MODELS": str(tmp_path / "models")}

    result = desk("ask", "I keep bees on the roof", env=bare)

    assert result.returncode == 4
    assert result.stdout == ""
    assert "make run" in result.stderr
    assert "bees" in desk("memory", "search", "bees", env=bare).stdout


def test_a_model_file_that_was_cut_short_is_refused_before_it_is_loaded(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    shutil.copytree(Locations.find().models / STARTER, folder / STARTER)
    weights = folder / STARTER / "model.gguf"
    weights.chmod(0o600)
    with weights.open("r+b") as file:
        file.truncate(50_000_000)

    result = desk("ask", "hello", env={"DESK_ASSISTANT_MODELS": str(folder)})

    assert result.returncode == 4
    assert str(weights) in result.stderr
    (session,) = map(json.loads, desk("sessions", "--json").stdout.splitlines())
    assert session["messages"] == 1
