"""Reads the packed four-bit file of multilingual-e5-small: header, tokenizer, normaliser, weights.

Layout (little-endian, unaligned): a 44-byte header; the unigram vocabulary with its scores; the normaliser as one
replacement for each code point it changes; then a directory of tensors, f32 or Q4_0, at absolute offsets. A Q4_0
block holds 32 weights in 18 bytes: an fp16 scale and 16 bytes whose low nibbles are weights 0-15 and high nibbles
16-31, each `(nibble - 8) * scale`.
"""

from __future__ import annotations

import itertools
import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from desk_assistant.errors import ModelError

MAGIC: Final = b"E5S1"
BLOCK: Final = 32
BLOCK_BYTES: Final = 18
_F32: Final = 0
_Q4_0: Final = 1
# A count beyond these is damage, and would only make us allocate what the file cannot hold.
_MAX_PIECES: Final = 1_000_000
_MAX_TENSORS: Final = 10_000

Array = NDArray[Any]


@dataclass(frozen=True)
class Shape:
    """The dimensions of the encoder."""

    hidden: int
    layers: int
    heads: int
    ffn: int
    vocab: int
    positions: int
    types: int
    eps: float


@dataclass(frozen=True)
class Vocabulary:
    """A unigram vocabulary: pieces in id order with their scores, the special ids, and the character replacements."""

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    bos: int
    eos: int
    pad: int
    unk: int
    replacements: dict[str, str]


class E5File:
    """One opened file.

    Args:
        path: The `.bin` file; it is mapped, not read whole.

    Attributes:
        shape: Dimensions of the encoder.
        vocabulary: The tokenizer's data.

    Raises:
        ModelError: Not such a file, or truncated.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._bytes: Array = np.memmap(path, dtype=np.uint8, mode="r")
        except (OSError, ValueError) as error:
            raise ModelError("index.e5_unreadable", path=path, cause=repr(error)) from error
        try:
            self._at = 0
            self.shape = self._read_shape()
            self.vocabulary = self._read_vocabulary()
            self._directory = self._read_directory()
        except (struct.error, IndexError, ValueError, OverflowError) as error:
            raise ModelError("index.e5_damaged", path=path, cause=repr(error)) from error

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all tensors in the file."""
        return tuple(self._directory)

    def tensor(self, name: str, *shape: int) -> Array:
        """Return one tensor as float32, dequantised where needed.

        Raises:
            ModelError: The tensor is missing or its size does not match `shape`.
        """
        try:
            kind, count, offset, size = self._directory[name]
            raw = self._bytes[offset : offset + size]
            if kind == _F32:
                flat = np.frombuffer(raw.tobytes(), dtype="<f4", count=count)
            elif kind == _Q4_0:
                flat = dequantise(raw, count)
            else:
                raise ValueError(f"tensor type {kind}")
            return flat.reshape(shape)
        except (KeyError, ValueError) as error:
            raise ModelError("index.e5_damaged", path=self._path, cause=f"{name}: {error!r}") from error

    def _take(self, form: str) -> tuple[Any, ...]:
        size = struct.calcsize(form)
        values = struct.unpack(form, self._bytes[self._at : self._at + size].tobytes())
        self._at += size
        return values

    def _read_shape(self) -> Shape:
        magic, version = self._take("<4sI")
        if magic != MAGIC or version != 1:
            raise ValueError(f"magic {magic!r} version {version}")
        hidden, layers, heads, ffn, vocab, positions, types = self._take("<7i")
        eps, block = self._take("<fi")
        if block != BLOCK or min(hidden, layers, heads, ffn, vocab, positions, types) < 1 or hidden % heads:
            raise ValueError("absurd dimensions")
        return Shape(hidden, layers, heads, ffn, vocab, positions, types, eps)

    def _read_vocabulary(self) -> Vocabulary:
        count, bos, eos, pad, unk = self._take("<5i")
        (blob_size,) = self._take("<Q")
        if not 0 < count <= _MAX_PIECES or blob_size > self._bytes.size:
            raise ValueError(f"{count} pieces in {blob_size} bytes")
        offsets = self._take(f"<{count + 1}I")
        scores = self._take(f"<{count}f")
        (blob,) = self._take(f"<{blob_size}s")
        pieces = tuple(blob[a:b].decode("utf-8") for a, b in itertools.pairwise(offsets))
        entries, _ = self._take("<iI")
        replacements: dict[str, str] = {}
        for _ in range(entries):
            source, length = self._take("<IB")
            replacements[chr(source)] = "".join(map(chr, self._take(f"<{length}I")))
        return Vocabulary(pieces, scores, bos, eos, pad, unk, replacements)

    def _read_directory(self) -> dict[str, tuple[int, int, int, int]]:
        (count,) = self._take("<i")
        if not 0 < count <= _MAX_TENSORS:
            raise ValueError(f"{count} tensors")
        directory: dict[str, tuple[int, int, int, int]] = {}
        for _ in range(count):
            (length,) = self._take("<H")
            (name,) = self._take(f"<{length}s")
            kind, elements, offset, size = self._take("<BIQQ")
            if offset + size > self._bytes.size:
                raise ValueError(f"tensor {name!r} reaches past the end of the file")
            directory[name.decode("utf-8")] = (kind, elements, offset, size)
        return directory


def dequantise(raw: Array, count: int) -> Array:
    """Expand Q4_0 blocks to float32.

    Args:
        raw: uint8 array of whole 18-byte blocks.
        count: Number of weights, a multiple of 32.

    Raises:
        ValueError: `raw` does not hold exactly `count` weights.
    """
    if count % BLOCK or raw.size != count // BLOCK * BLOCK_BYTES:
        raise ValueError(f"{raw.size} bytes are not {count} weights")
    blocks = np.ascontiguousarray(raw).reshape(-1, BLOCK_BYTES)
    scales = blocks[:, :2].copy().view("<f2").astype(np.float32)
    nibbles = blocks[:, 2:]
    weights = np.concatenate([nibbles & 0x0F, nibbles >> 4], axis=1).astype(np.float32)
    weights -= 8
    weights *= scales
    return weights.reshape(-1)
