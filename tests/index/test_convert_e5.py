from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file
from tokenizers import Tokenizer

from desk_assistant.errors import ModelError, StorageError
from desk_assistant.index.convert_e5 import convert
from desk_assistant.index.e5_file import E5File, dequantise
from tests.index.conftest import HIDDEN, q4_0


def test_low_and_high_nibbles_are_the_two_halves_of_a_block() -> None:
    weights = dequantise(np.frombuffer(q4_0(32), dtype=np.uint8), 32)
    assert weights[:16].tolist() == [(place - 8) * 0.25 for place in range(16)]
    assert weights[16:].tolist() == [((place + 3) % 16 - 8) * 0.25 for place in range(16)]


def test_the_folder_holds_weights_under_their_usual_names(tiny_e5: Path, tmp_path: Path) -> None:
    convert(tiny_e5, tmp_path / "st", centre=False)
    weights = load_file(tmp_path / "st" / "model.safetensors")
    assert weights["encoder.layer.0.intermediate.dense.weight"].shape == (64, HIDDEN)
    assert weights["encoder.layer.0.output.dense.weight"].shape == (HIDDEN, 64)
    assert weights["embeddings.word_embeddings.weight"][0, :2].tolist() == [-2.0, -1.75]
    assert {weight.dtype for weight in weights.values()} == {np.dtype(np.float16)}
    assert json.loads((tmp_path / "st" / "1_Pooling" / "config.json").read_text())["embedding_dimension"] == HIDDEN


def test_the_tokenizer_normalises_and_splits_like_the_packed_one(tiny_e5: Path, tmp_path: Path) -> None:
    convert(tiny_e5, tmp_path / "st", centre=False)
    tokenizer = Tokenizer.from_file(str(tmp_path / "st" / "tokenizer.json"))
    assert tokenizer.encode("\uff21\u200b   b ").tokens == ["<s>", "▁a", "▁b", "</s>"]


def test_every_cut_is_refused_and_leaves_nothing(tiny_e5: Path, tmp_path: Path) -> None:
    whole = tiny_e5.read_bytes()
    cut = tmp_path / "cut.bin"
    for size in (1, 8, 40, 60, 200, 330, len(whole) // 3, len(whole) - 1):
        cut.write_bytes(whole[:size])
        with pytest.raises(ModelError):
            convert(cut, tmp_path / "st", centre=False)
    assert not list(tmp_path.glob("st*"))


@pytest.mark.parametrize("content", [b"", b"not a model at all, only text", b"\xff" * 4096])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "other.bin"
    path.write_bytes(content)
    with pytest.raises(ModelError):
        E5File(path)


def test_a_target_that_cannot_be_written_is_said(tiny_e5: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError) as caught:
        convert(tiny_e5, tmp_path / "file" / "st", centre=False)
    assert str(tmp_path / "file" / "st") in str(caught.value)


def test_the_command_line_reports_in_a_sentence(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "desk_assistant.index.convert_e5", str(tmp_path / "none.bin"), str(tmp_path / "st")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == ModelError.exit_code
    assert "cannot be read" in run.stderr
    assert "Traceback" not in run.stderr
