"""A small classifier over sentence embeddings: what sort of statement a sentence is. Belongs to the index child.

Softmax regression on centred query embeddings, learnt from the sentences in `sorts`. With a few hundred examples it
tells a story, a quotation or a request from what somebody says of themselves better than any model that would fit
beside it, in a thousandth of the time.
"""

from __future__ import annotations

import contextlib
import io
import os
import zipfile
from collections.abc import Callable, Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any, Final

import numpy as np

from desk_assistant.index import sorts
from desk_assistant.index.embedder import Embedder
from desk_assistant.index.vectors import Vectors

ROUNDS: Final = 400
"""Steps of gradient descent; the loss does not move any more after some three hundred."""

STEP: Final = 8.0
MOMENTUM: Final = 0.9
DECAY: Final = 2e-4
"""Weight decay: how much simpler weights are preferred."""

DAMAGE: Final = (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile)
"""What reading kept weights may end with; then they are learnt again."""


def key_of(model: str) -> str:
    """Return what identifies weights: the embedding model they belong to and the examples they were learnt from."""
    return f"{model}/sorts-{sorts.version()}"


class Sorter:
    """Tells sorts of sentences apart.

    Args:
        weights: float32 of (dimensions + 1, sorts); the last row is the bias.
    """

    def __init__(self, weights: Vectors) -> None:
        self._weights = weights

    def probabilities(self, vectors: Vectors) -> Vectors:
        """Return the probability of each sort for each vector, float32 of (vectors, sorts)."""
        return _softmax(_with_bias(vectors) @ self._weights)


def learn(vectors: Vectors, wanted: Sequence[int]) -> Vectors:
    """Return the weights that tell the examples apart.

    Args:
        vectors: float32 of (examples, dimensions).
        wanted: Place in `sorts.SORTS` of each example.
    """
    inputs = _with_bias(vectors)
    targets: Vectors = np.eye(len(sorts.SORTS), dtype=np.float32)[list(wanted)]
    weights: Vectors = np.zeros((inputs.shape[1], len(sorts.SORTS)), dtype=np.float32)
    speed: Vectors = np.zeros_like(weights)
    for _ in range(ROUNDS):
        ahead = weights + MOMENTUM * speed
        slope = inputs.T @ (_softmax(inputs @ ahead) - targets) / len(inputs) + DECAY * ahead
        speed = (MOMENTUM * speed - STEP * slope).astype(np.float32)
        weights = weights + speed
    return weights


def sorter_for(embedder: Embedder, model: str, folder: Path, between: Callable[[], None] | None = None) -> Sorter:
    """Return the classifier for an embedding model: the one that came along, one learnt before, or a new one.

    Args:
        embedder: Embeds the examples where they have to be learnt.
        model: What identifies comparable vectors (`embedder.model_key`).
        folder: Where what is learnt is kept.
        between: Called between batches of examples; what it raises ends the work.
    """
    key = key_of(model)
    own = folder / f"sorts-{sorts.version()}.npz"
    for file in (resources.files(sorts).joinpath(sorts.TRAINED), own):
        with contextlib.suppress(*DAMAGE):
            weights = load(file.read_bytes(), key)
            if weights is not None and weights.shape == (embedder.size + 1, len(sorts.SORTS)):
                return Sorter(weights)
    weights = train(embedder, between)
    with contextlib.suppress(OSError):  # where it cannot be kept it is learnt again next time
        part = own.with_name(f"{own.name}.part-{os.getpid()}")
        part.write_bytes(dump(weights, key))
        part.chmod(0o600)
        part.replace(own)
    return Sorter(weights)


def train(embedder: Embedder, between: Callable[[], None] | None = None) -> Vectors:
    """Learn the weights for an embedding model from the examples."""
    lines = list(sorts.examples())
    vectors = embedder.encode([text for _, _, text in lines], "query", between=between)
    return learn(vectors, [sorts.SORTS.index(sort) for sort, _, _ in lines])


def dump(weights: Vectors, key: str) -> bytes:
    """Return weights as the bytes of a file, in half precision."""
    file = io.BytesIO()
    np.savez_compressed(file, weights=weights.astype(np.float16), key=np.array(key))
    return file.getvalue()


def load(data: bytes, key: str) -> Vectors | None:
    """Return the weights in a file, or None when they were learnt for another model or from other examples.

    Raises:
        ValueError, KeyError, EOFError, BadZipFile: It is no such file.
    """
    stored: Mapping[str, Any] = np.load(io.BytesIO(data), allow_pickle=False)
    if str(stored["key"]) != key:
        return None
    weights: Vectors = stored["weights"].astype(np.float32)
    return weights


def _with_bias(vectors: Vectors) -> Vectors:
    ones: Vectors = np.ones((len(vectors), 1), dtype=np.float32)
    joined: Vectors = np.concatenate([vectors, ones], axis=1)
    return joined


def _softmax(scores: Vectors) -> Vectors:
    raised = np.exp(scores - scores.max(axis=1, keepdims=True))
    shares: Vectors = raised / raised.sum(axis=1, keepdims=True)
    return shares
