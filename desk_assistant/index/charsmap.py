"""Builds the binary character map that SentencePiece-style tokenizers use to normalise text.

The tokenizer library takes a normaliser only in SentencePiece's own packed form: the byte length of a double-array
trie, the trie (one 32-bit unit a node) and a blob of NUL-terminated replacement strings. The unit layout is the one
of the darts-clone trie: bits 0-7 label, bit 8 "a value follows", bits 10-30 offset to the children (bit 9 scales it
by 256), and for a value unit bit 31 with the value in the other 31 bits.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from typing import Final

_HAS_VALUE: Final = 1 << 8
_IS_VALUE: Final = 1 << 31
_OFFSET_SHIFT: Final = 10
_OFFSET_LIMIT: Final = 1 << 21
_BLOCK: Final = 256


def build_charsmap(replacements: Mapping[str, str]) -> bytes:
    """Pack single-character replacements into a precompiled character map.

    Args:
        replacements: Character to replacement; an empty replacement deletes the character. NUL can be neither side,
            because it ends strings in this format, and is left out.

    Returns:
        Bytes accepted by `tokenizers.normalizers.Precompiled`.
    """
    blob = bytearray()
    places: dict[str, int] = {}
    values: dict[bytes, int] = {}
    for character, replacement in sorted(replacements.items()):
        if character == "\0" or "\0" in replacement:
            continue
        if replacement not in places:
            places[replacement] = len(blob)
            blob += replacement.encode("utf-8") + b"\0"
        values[character.encode("utf-8")] = places[replacement]
    units = _DoubleArray(values).units
    trie = struct.pack(f"<{len(units)}I", *units)
    return struct.pack("<I", len(trie)) + trie + bytes(blob)


class _DoubleArray:
    """Places the nodes of a byte trie so that the child of a node with label `c` lies at `base ^ c`.

    A label alone tells a child from a stranger, which is safe only while no two nodes share a base: the same place
    reached from two bases has two different labels.
    """

    def __init__(self, values: Mapping[bytes, int]) -> None:
        self.units: list[int] = [0] * _BLOCK
        self._used = {0}
        self._bases: set[int] = set()
        self._from = 1
        self._place(0, sorted(values.items()), 0)

    def _place(self, node: int, entries: list[tuple[bytes, int]], depth: int) -> None:
        children: dict[int, list[tuple[bytes, int]]] = {}
        value: int | None = None
        for key, number in entries:
            if len(key) == depth:
                value = number
            else:
                children.setdefault(key[depth], []).append((key, number))
        labels = list(children) if value is None else [0, *children]
        if not labels:
            return
        base = self._free_base(labels)
        self._bases.add(base)
        self._used.update(base ^ label for label in labels)
        offset = node ^ base
        if offset >= _OFFSET_LIMIT:
            raise OverflowError("character map too large for the trie format")
        self.units[node] |= offset << _OFFSET_SHIFT
        if value is not None:
            self.units[node] |= _HAS_VALUE
            self.units[base] = _IS_VALUE | value
        for label in children:
            self.units[base ^ label] |= label
        for label, below in children.items():
            self._place(base ^ label, below, depth + 1)

    def _free_base(self, labels: list[int]) -> int:
        while self._from in self._used:
            self._from += 1
        candidate = self._from
        while True:
            base = candidate ^ labels[0]
            if base not in self._bases and not any(base ^ label in self._used for label in labels):
                break
            candidate += 1
        while len(self.units) <= base | (_BLOCK - 1):
            self.units.extend([0] * _BLOCK)
        return base
