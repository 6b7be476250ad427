"""A BERT encoder in numpy: tokens in, one vector a text out. Belongs to the index child.

An embedding model of this size is a hundred matrix products, which numpy's BLAS computes about as fast as torch does.
But torch, transformers and sentence-transformers together take five seconds of a processor and half a gigabyte before
they have read a word, in a process that runs all day beside everything else. So the common architecture is computed
here; whatever differs from it in any way (`model_folder.Plain`) is left to the libraries.

The texts of a call are computed side by side without padding: everything but the attention looks at one token at a
time, so all tokens lie in one matrix. A text's vector therefore does not depend on what it is computed with.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from desk_assistant.index.vectors import Vectors

Array: TypeAlias = NDArray[Any]

ROWS: Final = 64
"""Tokens that go through the wide middle of a layer at once: few enough for its values to stay in the cache."""

TYPES: Final[Mapping[str, np.dtype[Any]]] = {"F16": np.dtype("<f2"), "F32": np.dtype("<f4")}
"""Number types of a safetensors file that numpy knows."""

HALF: Final = np.float32(0.5)
ROOT_HALF: Final = np.float32(math.sqrt(0.5))
ERF_P: Final = np.float32(0.3275911)
ERF_A: Final = tuple(map(np.float32, (1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592)))
"""Abramowitz and Stegun, 7.1.26: the error function to 1.5e-7, about what single precision holds."""


@dataclass(frozen=True)
class Layer:
    """Weights of one layer, float32; matrices are (inputs, outputs).

    Attributes:
        mix: Queries, keys and values in one matrix of (hidden, 3 x hidden), with its bias.
        out: The attention's output, with its bias.
        out_norm: Scale and shift of the normalisation behind it.
        wide: The wide middle, with its bias.
        narrow: Back from it, with its bias.
        norm: Scale and shift of the last normalisation.
    """

    mix: tuple[Array, Array]
    out: tuple[Array, Array]
    out_norm: tuple[Array, Array]
    wide: tuple[Array, Array]
    narrow: tuple[Array, Array]
    norm: tuple[Array, Array]


class Bert:
    """An encoder with mean pooling.

    Args:
        weights: The file `model.safetensors`; it is mapped, and only the rows of words that are used are ever read.
        layers: How many there are.
        heads: Of each attention.
        eps: What keeps a normalisation from dividing by zero.

    Raises:
        KeyError: A weight is missing.
        ValueError: The file is damaged, or has numbers of a type that numpy does not know.
        OSError: It cannot be read.
    """

    def __init__(self, weights: Path, *, layers: int, heads: int, eps: float) -> None:
        stored = mapped(weights)
        self._heads = heads
        self._eps = np.float32(eps)
        # Most of a multilingual model is its vocabulary, of which a text uses a few rows: left on the disk as it is.
        self._words = stored["embeddings.word_embeddings.weight"]
        # All tokens are of type 0 here, since there is only one text in a sequence.
        self._places = _single(stored["embeddings.position_embeddings.weight"]) + _single(
            stored["embeddings.token_type_embeddings.weight"][0]
        )
        self._norm = _pair(stored, "embeddings.LayerNorm")
        self._layers = [_layer(stored, f"encoder.layer.{number}.") for number in range(layers)]

    @property
    def size(self) -> int:
        """Length of a vector."""
        return int(self._words.shape[1])

    def encode(self, sequences: Sequence[Sequence[int]]) -> Vectors:
        """Return the mean of each sequence's token vectors as a unit vector, float32 of (sequences, size).

        Args:
            sequences: Token ids of each text, none empty, none longer than the model has positions for.
        """
        lengths = [len(sequence) for sequence in sequences]
        ends = np.cumsum(lengths)
        texts = [slice(end - length, end) for end, length in zip(ends, lengths, strict=True)]
        ids = np.concatenate([np.asarray(sequence, dtype=np.int64) for sequence in sequences])
        x = _single(self._words[ids])
        for text, length in zip(texts, lengths, strict=True):
            x[text] += self._places[:length]
        self._normalise(x, self._norm)
        for layer in self._layers:
            x += self._attention(x, texts, layer)
            self._normalise(x, layer.out_norm)
            for start in range(0, len(x), ROWS):
                rows = x[start : start + ROWS]
                rows += _apply(_gelu(_apply(rows, layer.wide)), layer.narrow)
            self._normalise(x, layer.norm)
        means: Vectors = np.stack([x[text].mean(axis=0) for text in texts])
        means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), np.float32(1e-12))
        return means

    def _attention(self, x: Array, texts: Sequence[slice], layer: Layer) -> Array:
        mixed = _apply(x, layer.mix)
        hidden = x.shape[1]
        each = hidden // self._heads
        mixed[:, :hidden] *= np.float32(1 / math.sqrt(each))
        found = np.empty_like(x)
        for text in texts:
            query, key, value = (
                mixed[text, part * hidden : (part + 1) * hidden].reshape(-1, self._heads, each).transpose(1, 0, 2)
                for part in range(3)
            )
            weights = query @ key.transpose(0, 2, 1)
            weights -= weights.max(axis=-1, keepdims=True)
            np.exp(weights, out=weights)
            weights /= weights.sum(axis=-1, keepdims=True)
            found[text] = (weights @ value).transpose(1, 0, 2).reshape(-1, hidden)
        return _apply(found, layer.out)

    def _normalise(self, x: Array, scale_and_shift: tuple[Array, Array]) -> None:
        scale, shift = scale_and_shift
        x -= x.mean(axis=-1, keepdims=True)
        spread = np.einsum("ij,ij->i", x, x)[:, None] / np.float32(x.shape[1])
        x /= np.sqrt(spread + self._eps)
        x *= scale
        x += shift


def mapped(path: Path) -> dict[str, Array]:
    """Return the tensors of a safetensors file by name, without reading them.

    Raises:
        ValueError: The file is damaged, or has numbers of a type that numpy does not know.
        KeyError: Its header lacks something.
        OSError: It cannot be read.
    """
    with path.open("rb") as file:
        size = int.from_bytes(file.read(8), "little")
        if size > path.stat().st_size:
            raise ValueError(f"a header of {size} bytes")
        header: Mapping[str, Any] = json.loads(file.read(size))
    data = np.memmap(path, dtype=np.uint8, mode="r", offset=8 + size)
    found: dict[str, Array] = {}
    for name, tensor in header.items():
        if name == "__metadata__":
            continue
        if tensor["dtype"] not in TYPES:
            raise ValueError(f"numbers of type {tensor['dtype']}")
        begin, end = tensor["data_offsets"]
        kind: np.dtype[Any] = TYPES[tensor["dtype"]]
        found[name] = data[begin:end].view(kind).reshape(tensor["shape"])
    return found


def _layer(stored: Mapping[str, Array], prefix: str) -> Layer:
    attention = [_pair(stored, f"{prefix}attention.self.{part}") for part in ("query", "key", "value")]
    return Layer(
        mix=(
            np.concatenate([weight for weight, _ in attention], axis=-1),
            np.concatenate([bias for _, bias in attention]),
        ),
        out=_pair(stored, f"{prefix}attention.output.dense"),
        out_norm=_pair(stored, f"{prefix}attention.output.LayerNorm"),
        wide=_pair(stored, f"{prefix}intermediate.dense"),
        narrow=_pair(stored, f"{prefix}output.dense"),
        norm=_pair(stored, f"{prefix}output.LayerNorm"),
    )


def _pair(stored: Mapping[str, Array], name: str) -> tuple[Array, Array]:
    return np.ascontiguousarray(_single(stored[f"{name}.weight"]).T), _single(stored[f"{name}.bias"])


def _single(values: Array) -> Array:
    return np.array(values, dtype=np.float32)


def _apply(x: Array, weight_and_bias: tuple[Array, Array]) -> Array:
    weight, bias = weight_and_bias
    found: Array = x @ weight
    found += bias
    return found


def _gelu(x: Array) -> Array:
    """Return x times the share of a normal distribution below x; `x` is used up."""
    z = np.abs(x)
    z *= ROOT_HALF
    t = z * ERF_P
    t += np.float32(1)
    np.reciprocal(t, out=t)
    series = t * ERF_A[0]
    for coefficient in ERF_A[1:]:
        series += coefficient
        series *= t
    z *= z
    np.negative(z, out=z)
    np.exp(z, out=z)
    series *= z
    # erf(|x|/sqrt 2) is 1 - series: the share below x is series/2 left of zero, and 1 - series/2 right of it.
    series *= HALF
    np.subtract(np.float32(1), series, out=series, where=x > 0)
    series *= x
    return series
