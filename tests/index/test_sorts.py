"""The classifier: its examples, what came with the program, and what is learnt for another model."""

from __future__ import annotations

from collections import Counter
from importlib import resources
from pathlib import Path

import numpy as np

from desk_assistant.index import sorting, sorts
from desk_assistant.index.embedder import model_key
from desk_assistant.index.vectors import Vectors


def test_every_sort_has_as_many_examples_in_both_languages() -> None:
    counts = Counter((sort, language) for sort, language, _ in sorts.examples())
    assert set(counts) == {(sort, language) for sort in sorts.SORTS for language in ("en", "zh")}
    assert set(counts.values()) == {20}


def test_what_came_with_the_program_was_learnt_from_these_examples() -> None:
    data = resources.files(sorts).joinpath(sorts.TRAINED).read_bytes()
    weights = sorting.load(data, sorting.key_of(model_key("multilingual-e5-small", 384)))
    assert weights is not None, "run desk_assistant.index.train_sorts"
    assert weights.shape == (385, len(sorts.SORTS))
    assert sorting.load(data, sorting.key_of(model_key("another", 384))) is None


def test_learning_tells_examples_apart() -> None:
    random = np.random.default_rng(1)
    middles = random.normal(size=(3, 24)).astype(np.float32)
    vectors = np.concatenate([middles[place] + 0.1 * random.normal(size=(20, 24)) for place in (0, 1, 2)])
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    wanted = [place for place in (0, 5, 11) for _ in range(20)]

    found = sorting.Sorter(sorting.learn(vectors, wanted)).probabilities(vectors)

    assert found.argmax(axis=1).tolist() == wanted
    assert np.allclose(found.sum(axis=1), 1, atol=1e-4)


class _OtherModel:
    """An embedding model of another size, whose vectors depend on the characters of a text."""

    size = 16
    calls = 0

    def encode(self, texts: list[str], _role: str, *, between: object = None) -> Vectors:
        self.calls += 1
        seeds = [np.random.default_rng(sum(map(ord, text))) for text in texts]
        vectors = np.array([seed.normal(size=self.size) for seed in seeds], dtype=np.float32)
        unit: Vectors = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return unit


def test_another_model_is_learnt_for_once_and_kept(tmp_path: Path) -> None:
    other = _OtherModel()
    first = sorting.sorter_for(other, "other/16/1", tmp_path)  # type: ignore[arg-type]
    second = sorting.sorter_for(other, "other/16/1", tmp_path)  # type: ignore[arg-type]

    assert other.calls == 1
    vectors = other.encode(["one", "two"], "query")
    assert np.allclose(first.probabilities(vectors), second.probabilities(vectors), atol=1e-2)
    assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o600]
    sorting.sorter_for(other, "third/16/1", tmp_path)  # type: ignore[arg-type]
    assert other.calls == 3


def test_damaged_weights_are_learnt_again(tmp_path: Path) -> None:
    other = _OtherModel()
    sorting.sorter_for(other, "other/16/1", tmp_path)  # type: ignore[arg-type]
    (kept,) = tmp_path.iterdir()
    for size in (0, 100, kept.stat().st_size - 30):
        kept.write_bytes(kept.read_bytes()[:size])
        sorting.sorter_for(other, "other/16/1", tmp_path)  # type: ignore[arg-type]
    assert other.calls == 4
