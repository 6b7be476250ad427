from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from desk_assistant.index.encoders import BLAS_THREADS, LibraryEncoder, encoder_for, light_encoder
from tests.index.tiny_model import make_model

TEXTS = (
    "the cat is called",
    "我的猫叫豆包",
    "",
    "rent, due on the 1st ☂☂ </s> ",
    "the rent is due in 成都 and the cat is not called anything at all, neither here nor there",
    "Ａ  b\tc",
    "on",
    "cat.",
    "你在成都?",
)


@pytest.mark.parametrize("half", [False, True], ids=["single", "half"])
def test_vectors_are_those_of_the_library(tmp_path: Path, half: bool) -> None:
    folder = make_model(tmp_path / "st", half=half)
    light, library = light_encoder(folder), LibraryEncoder(folder)
    assert light is not None
    for role in ("query", "document"):
        ours, theirs = light.encode(TEXTS, role), library.encode(TEXTS, role)
        assert np.einsum("ij,ij->i", ours, theirs).min() >= 0.9999
        assert np.abs(ours - theirs).max() < 1e-5
    assert light.size == library.size == 16


@pytest.mark.parametrize("blas_threads", ["1", "2"])
def test_a_text_has_one_vector_whatever_it_is_computed_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, blas_threads: str
) -> None:
    monkeypatch.setenv(BLAS_THREADS, blas_threads)
    light = light_encoder(make_model(tmp_path / "st"))
    assert light is not None
    together = light.encode(TEXTS, "query", threads=2)
    alone = np.concatenate([light.encode([text], "query") for text in TEXTS])
    assert np.abs(together - alone).max() < 1e-5
    assert light.encode([], "query").shape == (0, 16)


@pytest.mark.parametrize(
    ("file", "changes"),
    [
        ("config.json", {"hidden_act": "relu"}),
        ("config.json", {"model_type": "xlm-roberta"}),
        ("config.json", {"position_embedding_type": "relative_key"}),
        ("1_Pooling/config.json", {"pooling_mode": "cls"}),
        ("sentence_bert_config.json", {"do_lower_case": True}),
        ("config.json", {"num_hidden_layers": 3}),
    ],
)
def test_a_model_that_differs_is_left_to_the_library(tmp_path: Path, file: str, changes: dict[str, object]) -> None:
    folder = make_model(tmp_path / "st")
    assert light_encoder(folder) is not None
    settings = json.loads((folder / file).read_text())
    (folder / file).write_text(json.dumps(settings | changes))
    assert light_encoder(folder) is None


def test_the_library_serves_what_is_left_to_it(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "st", hidden_act="relu")
    encoder = encoder_for(folder)
    assert isinstance(encoder, LibraryEncoder)
    assert np.linalg.norm(encoder.encode(TEXTS, "document"), axis=1) == pytest.approx(1, abs=1e-5)


def test_cut_weights_are_no_model(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "st")
    weights = folder / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[: weights.stat().st_size // 2])
    assert light_encoder(folder) is None


def test_neither_torch_nor_its_libraries_are_imported_for_it(tmp_path: Path) -> None:
    folder = make_model(tmp_path / "st")
    code = (
        "import sys; from pathlib import Path; from desk_assistant.index.embedder import Embedder\n"
        "Embedder(Path(sys.argv[1])).encode(['the cat'], 'query')\n"
        "print(sorted({'torch', 'transformers', 'sentence_transformers', 'sklearn', 'scipy'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code, str(folder)], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
