"""Reads and checks the header of a GGUF file without loading it, in pure Python.

Layout (GGUF specification, versions 2 and 3): magic, version, tensor count, key count, the keys with typed values, the
tensor table, padding to the alignment, then the tensor data. Everything is little-endian. Whatever the bytes are, the
reader ends quickly, in little memory, with a header or with a `ModelError`.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final, TypeAlias

from desk_assistant.errors import ModelError
from desk_assistant.models.ggml_types import SUPPORT_ARCHITECTURES, TENSOR_TYPES

MAGIC: Final = b"GGUF"
VERSIONS: Final = (2, 3)
MAX_HEADER: Final = 256 * 2**20
MAX_KEYS: Final = 2**16
MAX_TENSORS: Final = 2**17
MAX_NAME: Final = 4096
MAX_STRING: Final = 8 * 2**20
MAX_ITEMS: Final = 2**23
MAX_STRINGS: Final = 2**21
MAX_DIMENSIONS: Final = 4
MAX_ELEMENTS: Final = 2**48
KEEP_ITEMS: Final = 1024
"""Arrays up to this length are kept (per-layer figures); longer ones (the vocabulary) are only counted."""
WINDOW: Final = 2**20

_STRING: Final = 8
_ARRAY: Final = 9
_SCALARS: Final[dict[int, str]] = {
    0: "<B",
    1: "<b",
    2: "<H",
    3: "<h",
    4: "<I",
    5: "<i",
    6: "<f",
    7: "<?",
    10: "<Q",
    11: "<q",
    12: "<d",
}

Scalar: TypeAlias = int | float | bool | str


@dataclass(frozen=True)
class LongArray:
    """A metadata array too long to keep.

    Attributes:
        length: Number of items in the file.
    """

    length: int


Value: TypeAlias = Scalar | tuple[Scalar, ...] | LongArray


@dataclass(frozen=True)
class Tensor:
    """One entry of the tensor table.

    Attributes:
        name: Name of the tensor.
        shape: Elements by dimension, the fastest one first.
        type_name: Storage type, e.g. `"Q4_K"`.
        offset: First byte, from the start of the file.
        size: Length in bytes.
    """

    name: str
    shape: tuple[int, ...]
    type_name: str
    offset: int
    size: int


@dataclass(frozen=True)
class GGUFHeader:
    """What a GGUF file says about itself.

    Attributes:
        path: The file.
        file_size: Its length in bytes.
        version: Version of the format.
        metadata: All keys; long arrays as `LongArray`.
        tensors: The tensor table.
    """

    path: Path
    file_size: int
    version: int
    metadata: Mapping[str, Value]
    tensors: tuple[Tensor, ...]

    @property
    def architecture(self) -> str:
        """Architecture such as `"llama"` or `"gemma3"`."""
        return self.text("general.architecture")

    @property
    def name(self) -> str:
        """Name of the model, or the file's stem when it has none."""
        return self.text("general.name") or self.path.stem

    @property
    def context_length(self) -> int:
        """Longest context the model was trained for, in tokens; 0 when not said."""
        return self._number("context_length")

    @property
    def embedding_length(self) -> int:
        """Width of the hidden state."""
        return self._number("embedding_length")

    @property
    def feed_forward_length(self) -> int:
        """Width of the widest feed-forward layer."""
        return max(self._per_layer("feed_forward_length"), default=0)

    @property
    def layers(self) -> int:
        """Number of transformer blocks."""
        return self._number("block_count")

    @property
    def heads(self) -> int:
        """Number of attention heads of the widest layer."""
        return max(self._per_layer("attention.head_count"), default=0)

    @property
    def vocabulary(self) -> int:
        """Number of tokens."""
        tokens = self.metadata.get("tokenizer.ggml.tokens")
        if isinstance(tokens, LongArray):
            return tokens.length
        return len(tokens) if isinstance(tokens, tuple) else self._number("vocab_size")

    @property
    def weights_size(self) -> int:
        """Bytes of all tensors."""
        return sum(tensor.size for tensor in self.tensors)

    @property
    def chat_template(self) -> str | None:
        """The Jinja chat template inside the file, or None."""
        return self.text("tokenizer.chat_template") or None

    @property
    def kv_bytes_per_token(self) -> int:
        """Bytes of attention cache that one token of context needs, with 16-bit keys and values.

        Every layer is counted in full: the program runs sliding-window models with a full cache, so that prefixes can
        be reused.
        """
        heads = self._per_layer("attention.head_count")
        shared = self._per_layer("attention.head_count_kv") or heads
        width = self.embedding_length // max(1, self.heads)
        key = self._number("attention.key_length") or width
        value = self._number("attention.value_length") or width
        return 2 * (key + value) * sum(shared)

    def text(self, key: str) -> str:
        """Return a text value, or "" when it is absent or of another type."""
        value = self.metadata.get(key)
        return value if isinstance(value, str) else ""

    def _number(self, key: str) -> int:
        value = self.metadata.get(f"{self.architecture}.{key}")
        return value if isinstance(value, int) and value > 0 else 0

    def _per_layer(self, key: str) -> list[int]:
        """Return a figure for each layer, whether the file gives one for all or one for each."""
        value = self.metadata.get(f"{self.architecture}.{key}")
        if isinstance(value, tuple):
            return [item for item in value if isinstance(item, int) and item >= 0]
        return [value] * min(self.layers, KEEP_ITEMS) if isinstance(value, int) and value > 0 else []


def read_header(path: Path) -> GGUFHeader:
    """Read the header of a GGUF file and check that every tensor lies inside the file.

    Raises:
        ModelError: The file is missing, unreadable, not GGUF, of an unknown version, truncated or damaged.
    """
    try:
        if path.is_dir():
            raise ModelError("models.is_folder", path=path)
        with path.open("rb") as file:
            return _parse(path, _Cursor(path, file, os.fstat(file.fileno()).st_size))
    except FileNotFoundError as error:
        raise ModelError("models.file_missing", path=path, cause=repr(error)) from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise ModelError("models.file_unreadable", path=path, reason=reason, cause=repr(error)) from error


def check_conversational(header: GGUFHeader, chat_template: str | None = None) -> None:
    """Check that a file can hold a conversation: a complete language model with a chat template.

    Args:
        header: The header of the file.
        chat_template: A template known for exactly this file, standing in for one of its own.

    Raises:
        ModelError: It is a part of a split model, a projector or embedder, only a vocabulary, lacks figures that every
            language model has, or has no chat template.
    """
    parts = header.metadata.get("split.count")
    if isinstance(parts, int) and parts > 1:
        raise ModelError("models.split", path=header.path, parts=parts)
    if header.architecture in SUPPORT_ARCHITECTURES:
        raise ModelError("models.not_conversational", path=header.path, architecture=header.architecture)
    if not header.tensors:
        raise ModelError("models.no_weights", path=header.path)
    if not (header.layers and header.embedding_length and header.context_length and header.vocabulary):
        raise ModelError("models.incomplete", path=header.path, architecture=header.architecture or "?")
    if not (chat_template or header.chat_template):
        raise ModelError("models.no_template", path=header.path)


def _parse(path: Path, cursor: _Cursor) -> GGUFHeader:
    size = cursor.file_size
    if size == 0:
        raise ModelError("models.empty", path=path)
    if size < len(MAGIC) or cursor.take(len(MAGIC)) != MAGIC:
        raise ModelError("models.not_gguf", path=path)
    version = cursor.u32()
    if version not in VERSIONS:
        raise ModelError("models.unknown_version", path=path, version=_shown_version(version))
    tensor_count, key_count = cursor.u64(), cursor.u64()
    if key_count > MAX_KEYS or tensor_count > MAX_TENSORS:
        raise cursor.damaged(f"{key_count} keys, {tensor_count} tensors")
    metadata: dict[str, Value] = {}
    for _ in range(key_count):
        key = cursor.string(MAX_NAME)
        metadata[key] = _value(cursor, cursor.u32())
    alignment = metadata.get("general.alignment", 32)
    if not isinstance(alignment, int) or not 0 < alignment <= 2**16 or alignment & (alignment - 1):
        raise cursor.damaged(f"alignment {alignment!r}"[:80])
    table = [_tensor(cursor) for _ in range(tensor_count)]
    data_start = -(-cursor.position // alignment) * alignment
    tensors = []
    for tensor in table:
        if tensor.offset % alignment:
            raise cursor.damaged(f"tensor {tensor.name[:80]} is not aligned")
        end = data_start + tensor.offset + tensor.size
        if end > size:
            raise ModelError("models.truncated", path=path, have=_mb(size), need=_mb(end), cause=tensor.name[:80])
        tensors.append(Tensor(tensor.name, tensor.shape, tensor.type_name, data_start + tensor.offset, tensor.size))
    header = GGUFHeader(path, size, version, metadata, tuple(tensors))
    if not header.architecture:
        raise cursor.damaged("no architecture")
    return header


def _value(cursor: _Cursor, kind: int) -> Value:
    if kind == _STRING:
        return cursor.string(MAX_STRING)
    if kind != _ARRAY:
        return cursor.scalar(kind)
    item, length = cursor.u32(), cursor.u64()
    if item == _STRING:
        if length > MAX_STRINGS:
            raise cursor.damaged(f"array of {length} strings")
        if length <= KEEP_ITEMS:
            return tuple(cursor.string(MAX_STRING) for _ in range(length))
        for _ in range(length):
            cursor.skip(cursor.u64())
        return LongArray(length)
    if item not in _SCALARS or length > MAX_ITEMS:
        raise cursor.damaged(f"array of {length} items of type {item}")
    if length <= KEEP_ITEMS:
        return tuple(cursor.scalar(item) for _ in range(length))
    cursor.skip(length * struct.calcsize(_SCALARS[item]))
    return LongArray(length)


def _tensor(cursor: _Cursor) -> Tensor:
    """Read one row of the table; its offset still counts from the start of the tensor data."""
    name = cursor.string(MAX_NAME)
    dimensions = cursor.u32()
    if dimensions > MAX_DIMENSIONS:
        raise cursor.damaged(f"tensor {name[:80]} has {dimensions} dimensions")
    shape = tuple(cursor.u64() for _ in range(dimensions))
    kind, offset = cursor.u32(), cursor.u64()
    elements = 1
    for extent in shape:
        elements *= extent
    if elements > MAX_ELEMENTS or any(extent > MAX_ELEMENTS for extent in shape):
        raise cursor.damaged(f"tensor {name[:80]} is absurdly large")
    if kind not in TENSOR_TYPES:
        raise ModelError("models.unknown_tensor_type", path=cursor.path, kind=kind)
    type_name, block, block_bytes = TENSOR_TYPES[kind]
    if shape and shape[0] % block:
        raise cursor.damaged(f"tensor {name[:80]} does not fill its blocks")
    return Tensor(name, shape, type_name, offset, elements // block * block_bytes)


class _Cursor:
    """Reads forward through the header in windows, never past the end of the file nor past `MAX_HEADER`."""

    def __init__(self, path: Path, file: BinaryIO, file_size: int) -> None:
        self.path = path
        self.file_size = file_size
        self._file = file
        self._limit = min(file_size, MAX_HEADER)
        self._window = b""
        self._start = 0
        self._at = 0

    @property
    def position(self) -> int:
        return self._start + self._at

    def damaged(self, cause: str) -> ModelError:
        """Return the error for contents that no writer of the format produces."""
        return ModelError("models.damaged", path=self.path, cause=cause)

    def take(self, count: int) -> bytes:
        if self._at + count > len(self._window):
            self._refill(count)
        self._at += count
        return self._window[self._at - count : self._at]

    def skip(self, count: int) -> None:
        if self._at + count <= len(self._window):
            self._at += count
            return
        self._check(count)
        self._start, self._at, self._window = self.position + count, 0, b""

    def u32(self) -> int:
        return int.from_bytes(self.take(4), "little")

    def u64(self) -> int:
        return int.from_bytes(self.take(8), "little")

    def scalar(self, kind: int) -> Scalar:
        form = _SCALARS.get(kind)
        if form is None:
            raise self.damaged(f"value of type {kind}")
        value: Scalar = struct.unpack(form, self.take(struct.calcsize(form)))[0]
        return value

    def string(self, longest: int) -> str:
        length = self.u64()
        if length > longest:
            raise self.damaged(f"text of {length} bytes")
        return self.take(length).decode("utf-8", errors="replace")

    def _check(self, count: int) -> None:
        end = self.position + count
        if end > self._limit:
            if end <= self.file_size:
                raise self.damaged("the header is absurdly long")
            raise ModelError(
                "models.truncated", path=self.path, have=_mb(self.file_size), need=_mb(end), cause="inside the header"
            )

    def _refill(self, count: int) -> None:
        self._check(count)
        position = self.position
        self._file.seek(position)
        self._window = self._file.read(max(WINDOW, count))
        self._start, self._at = position, 0
        if len(self._window) < count:
            raise self.damaged("the file became shorter while it was read")


def _mb(count: int) -> str:
    """Return a byte count in megabytes for a sentence; absurd counts stay readable."""
    return f"{min(count, 10**15) / 1e6:,.1f}"


def _shown_version(version: int) -> str:
    """Return the version as said in the sentence; a byte-swapped number means a big-endian file."""
    swapped = int.from_bytes(version.to_bytes(4, "little"), "big")
    return f"{swapped} big-endian" if swapped in VERSIONS else str(version)
