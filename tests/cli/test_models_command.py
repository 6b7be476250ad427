from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.desk_shell import Desk, Result
from tests.models.gguf_builder import TINY, Plan


class ModelsDesk:
    """The program with a models folder of the test's own."""

    def __init__(self, desk: Desk, folder: Path) -> None:
        self._desk = desk
        self.folder = folder

    def __call__(self, *arguments: str) -> Result:
        return self._desk(*arguments, env={"DESK_ASSISTANT_MODELS": str(self.folder)})


@pytest.fixture
def models(desk: Desk, tmp_path: Path) -> ModelsDesk:
    return ModelsDesk(desk, tmp_path / "models")


@pytest.fixture
def gguf(tmp_path: Path) -> Path:
    """A small file with a chat template."""
    path = tmp_path / "Tiny Model.gguf"
    path.write_bytes(Plan().bytes())
    return path


def test_a_file_of_ones_own_is_imported_listed_chosen_verified_and_removed(models: ModelsDesk, gguf: Path) -> None:
    assert models("models", "import", str(gguf)).returncode == 0

    rows = {row["id"]: row for row in map(json.loads, models("models", "list", "--json").stdout.splitlines())}
    assert rows["tiny-model"]["installed"]
    assert not rows["tiny-model"]["chosen"]
    assert not rows["smollm2-135m-instruct"]["installed"]

    assert models("models", "use", "tiny-model").returncode == 0
    assert "← chosen" in models("models", "list").stdout
    assert models("models", "verify").returncode == 0
    assert models("models", "use", "auto").returncode == 0
    assert models("models", "remove", "tiny-model").returncode == 0
    assert "tiny-model" not in models("models", "list").stdout


def test_a_model_tells_about_itself_and_is_set_by_itself(models: ModelsDesk, gguf: Path) -> None:
    models("models", "import", str(gguf))

    assert models("models", "set", "tiny-model", "temperature", "0.1").returncode == 0
    assert models("models", "set", "tiny-model", "top_p", "7").returncode == 2
    assert models("models", "set", "tiny-model", "charm", "1").returncode == 2
    said = models("models", "info", "tiny-model").stdout
    assert "weights" in said
    assert "temperature = 0.1 (set for this model)" in said
    assert models("models", "set", "tiny-model", "temperature", "default").returncode == 0
    (row,) = map(json.loads, models("models", "info", "tiny-model", "--json").stdout.splitlines())
    assert row["set_for_this_model"] == []
    assert row["memory"]["total"] > row["memory"]["weights"] > 0
    assert row["trained_context"] == 2048
    assert models("models", "info", "no-such-model").returncode == 3


def test_a_changed_file_is_found_by_verify(models: ModelsDesk, gguf: Path) -> None:
    models("models", "import", str(gguf))
    installed = models.folder / "tiny-model" / "model.gguf"
    content = bytearray(installed.read_bytes())
    content[-1] ^= 1
    installed.chmod(0o600)
    installed.write_bytes(content)

    result = models("models", "verify", "--json")

    assert result.returncode == 4
    (row,) = map(json.loads, result.stdout.splitlines())
    assert not row["ok"]
    assert str(installed) in row["problem"]


@pytest.mark.parametrize("damage", ["truncated", "no template", "not gguf"])
def test_a_file_that_cannot_answer_is_refused_with_a_sentence(models: ModelsDesk, tmp_path: Path, damage: str) -> None:
    path = tmp_path / "bad.gguf"
    without = {key: value for key, value in TINY.items() if key != "tokenizer.chat_template"}
    path.write_bytes(
        {
            "truncated": Plan().bytes()[:-200],
            "no template": Plan(metadata=without).bytes(),
            "not gguf": b"PK\x03\x04 something else entirely",
        }[damage]
    )

    result = models("--quiet", "models", "import", str(path))

    assert result.returncode == 4
    assert len(result.stderr.splitlines()) == 1
    assert models("models", "list").stdout.count("bad") == 0


def test_choosing_a_model_that_is_not_here_changes_nothing(models: ModelsDesk, data: Path) -> None:
    assert models("models", "use", "smollm2-135m-instruct").returncode == 3
    assert models("models", "use", "no-such-model").returncode == 3
    assert not (data / "profiles").exists()


def test_nothing_to_verify_is_said(models: ModelsDesk) -> None:
    result = models("models", "verify")

    assert result.returncode == 4
    assert "no model" in result.stderr


def test_the_doctor_names_what_is_missing(models: ModelsDesk) -> None:
    result = models("doctor", "--quick", "--json")

    findings = {row["check"]: row["ok"] for row in map(json.loads, result.stdout.splitlines())}
    assert result.returncode == 1
    assert findings["data_folder"]
    assert not findings["model llm"]
    assert not findings["model embedding"]
