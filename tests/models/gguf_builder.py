"""Writes small GGUF files, right or wrong on purpose."""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

Item = int | float | bool | str | list[int] | list[str]

TEMPLATE: Final = "{% for m in messages %}{{ m.role }}: {{ m.content }}\n{% endfor %}"

TINY: Final[Mapping[str, Item]] = {
    "general.architecture": "llama",
    "general.name": "Tiny Test",
    "llama.block_count": 2,
    "llama.context_length": 2048,
    "llama.embedding_length": 64,
    "llama.feed_forward_length": 128,
    "llama.attention.head_count": 4,
    "llama.attention.head_count_kv": 2,
    "tokenizer.ggml.tokens": ["<unk>", "a", "b", "c"],
    "tokenizer.chat_template": TEMPLATE,
}


@dataclass(frozen=True)
class TensorPlan:
    """A tensor to write; the defaults are those of a real one."""

    name: str = "token_embd.weight"
    shape: tuple[int, ...] = (64, 4)
    kind: int = 0
    size: int = 64 * 4 * 4
    offset: int | None = None


@dataclass(frozen=True)
class Plan:
    """A file to write."""

    metadata: Mapping[str, Item] = field(default_factory=lambda: dict(TINY))
    tensors: Sequence[TensorPlan] = (TensorPlan(),)
    magic: bytes = b"GGUF"
    version: int = 3
    tensor_count: int | None = None
    key_count: int | None = None
    order: str = "<"

    def bytes(self) -> bytes:
        order = self.order
        tensor_count = len(self.tensors) if self.tensor_count is None else self.tensor_count
        key_count = len(self.metadata) if self.key_count is None else self.key_count
        out = bytearray(self.magic)
        out += struct.pack(f"{order}IQQ", self.version, tensor_count, key_count)
        for key, value in self.metadata.items():
            out += _text(key, order) + _value(value, order)
        at = 0
        data = bytearray()
        for tensor in self.tensors:
            offset = at if tensor.offset is None else tensor.offset
            out += _text(tensor.name, order) + struct.pack(f"{order}I", len(tensor.shape))
            out += struct.pack(f"{order}{len(tensor.shape)}Q", *tensor.shape)
            out += struct.pack(f"{order}IQ", tensor.kind, offset)
            data += bytes(tensor.size)
            data += bytes(-len(data) % 32)
            at = len(data)
        out += bytes(-len(out) % 32)
        return bytes(out + data)

    def write(self, path: Path) -> Path:
        path.write_bytes(self.bytes())
        return path


def _text(value: str, order: str) -> bytes:
    raw = value.encode()
    return struct.pack(f"{order}Q", len(raw)) + raw


def _value(value: Item, order: str) -> bytes:
    if isinstance(value, bool):
        return struct.pack(f"{order}I?", 7, value)
    if isinstance(value, int):
        return struct.pack(f"{order}II", 4, value)
    if isinstance(value, float):
        return struct.pack(f"{order}If", 6, value)
    if isinstance(value, str):
        return struct.pack(f"{order}I", 8) + _text(value, order)
    if all(isinstance(item, str) for item in value):
        head = struct.pack(f"{order}IIQ", 9, 8, len(value))
        return head + b"".join(_text(str(item), order) for item in value)
    return struct.pack(f"{order}IIQ", 9, 4, len(value)) + b"".join(struct.pack(f"{order}I", int(i)) for i in value)
