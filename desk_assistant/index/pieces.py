"""Cuts text into the pieces of a unigram vocabulary, in a seventh of the memory. Belongs to the index child.

The `tokenizers` library keeps such a vocabulary in a tree of hash tables, one a byte: a quarter of a million pieces
take it 280 MB and .6 seconds. A table of the pieces and one of their scores hold the same. What the library does
before, normalising and splitting at spaces, is left to it; the search for the likeliest pieces is the same, to the id.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import zipfile
import zlib
from array import array
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

FORMAT: Final = 1
"""Raised when what is kept beside the model changes."""

UNKNOWN_PENALTY: Final = 10.0
"""By how much a character that no piece begins with is less likely than the least likely piece."""

LONGEST_PIECE: Final = 16
"""Characters; for how much of a long text can matter at all."""

DAMAGE: Final = (OSError, EOFError, ValueError, KeyError, zipfile.BadZipFile)
"""What reading a file of ours may end with; then it is made anew."""

SEPARATOR: Final = "\0"
"""Between the pieces in the file that is kept: no text has it, so no piece does."""


class Unigram:
    """A tokenizer for texts of a unigram vocabulary.

    Args:
        rules: The library's own description of the tokenizer (`tokenizer.json`), its vocabulary taken out.
        pieces: The vocabulary in the order of its ids.
        scores: Logarithm of how likely each piece is.

    Raises:
        ValueError: The description asks for something that is not done here.
        KeyError: It lacks something.
    """

    def __init__(self, rules: Mapping[str, Any], pieces: Sequence[str], scores: Sequence[float]) -> None:
        from tokenizers import Tokenizer

        model = rules["model"]
        if model.get("byte_fallback") or any(not token["special"] for token in rules["added_tokens"]):
            raise ValueError("bytes or words of its own")
        # With one piece for a vocabulary the library is left with its rules alone.
        bare = {**rules, "model": {**model, "unk_id": 0, "vocab": [[pieces[model["unk_id"]], 0.0]]}}
        bare |= {"added_tokens": [], "post_processor": None, "decoder": None, "truncation": None, "padding": None}
        tokenizer: Any = Tokenizer.from_str(json.dumps(bare))
        self._normalizer = tokenizer.normalizer
        self._splitter = tokenizer.pre_tokenizer
        self._ids = {piece: number for number, piece in enumerate(pieces)}
        self._scores = array("d", scores)
        self._longest = max(map(len, pieces))
        self._unknown = int(model["unk_id"])
        self._unknown_score = min(scores) - UNKNOWN_PENALTY
        self._before, self._after = _frame(rules["post_processor"], self._ids)

    def encode(self, text: str, limit: int) -> list[int]:
        """Return the ids of a text with what the model wants around it.

        Args:
            text: Any text. What looks like a control token is text as well.
            limit: Most ids; the text is cut at its end for it.
        """
        room = limit - len(self._before) - len(self._after)
        text = text[: limit * LONGEST_PIECE * 2]
        if self._normalizer is not None:
            text = self._normalizer.normalize_str(text)
        ids: list[int] = []
        for word, _ in self._splitter.pre_tokenize_str(text) if self._splitter is not None else [(text, None)]:
            ids += self._cut(word)
            if len(ids) >= room:
                break
        return [*self._before, *ids[:room], *self._after]

    def _cut(self, word: str) -> list[int]:
        """Return the ids of the likeliest pieces of a word; characters that are in none become one unknown piece."""
        size = len(word)
        best = [0.0] + [-math.inf] * size
        begins = [-1] * (size + 1)
        found = [self._unknown] * (size + 1)
        for start in range(size):
            so_far = best[start]
            for end in range(start + 1, min(start + self._longest, size) + 1):
                number = self._ids.get(word[start:end])
                if number is not None:
                    score = so_far + self._scores[number]
                    if begins[end] < 0 or score > best[end]:
                        best[end], begins[end], found[end] = score, start, number
                elif end == start + 1:
                    score = so_far + self._unknown_score
                    if begins[end] < 0 or score > best[end]:
                        best[end], begins[end], found[end] = score, start, self._unknown
        ids: list[int] = []
        end = size
        while end > 0:
            if found[end] != self._unknown or not ids or ids[-1] != self._unknown:
                ids.append(found[end])
            end = begins[end]
        ids.reverse()
        return ids


def load(folder: Path) -> Unigram | None:
    """Return the tokenizer of a model folder; None when its vocabulary is of another kind.

    Reading it from the library's file takes half a second, so what was read is kept beside it in a form of our own.

    Raises:
        ValueError: The file is damaged or asks for something that is not done here.
        KeyError: It lacks something.
        OSError: It cannot be read.
    """
    content = (folder / "tokenizer.json").read_bytes()
    mark = zlib.crc32(content)
    kept = folder / f"pieces-{FORMAT}.npz"
    with contextlib.suppress(*DAMAGE), np.load(kept, allow_pickle=False) as stored:
        if int(stored["mark"]) == mark:
            rules = json.loads(stored["rules"].tobytes())
            return Unigram(rules, stored["pieces"].tobytes().decode().split(SEPARATOR), stored["scores"].tolist())
    rules = json.loads(content)
    del content
    model = rules["model"]
    # Files of older versions of the library do not name the kind; only this one lists its pieces with scores.
    if model.get("type", "Unigram") != "Unigram" or not isinstance(model["vocab"], list):
        return None
    vocabulary = model.pop("vocab")
    pieces, scores = [str(piece) for piece, _ in vocabulary], [float(score) for _, score in vocabulary]
    tokenizer = Unigram(rules, pieces, scores)
    _keep(kept, mark, rules, pieces, scores)
    return tokenizer


def _keep(file: Path, mark: int, rules: Mapping[str, Any], pieces: Sequence[str], scores: Sequence[float]) -> None:
    part = file.with_name(f"{file.name}.part-{os.getpid()}")
    # In a folder that cannot be written it is read anew at every start, nothing else.
    with contextlib.suppress(OSError):
        with part.open("wb") as stream:
            np.savez(
                stream,
                mark=np.int64(mark),
                rules=np.frombuffer(json.dumps(rules).encode(), dtype=np.uint8),
                pieces=np.frombuffer(SEPARATOR.join(pieces).encode(), dtype=np.uint8),
                scores=np.asarray(scores, dtype=np.float64),
            )
        part.chmod(0o644)
        part.replace(file)


def _frame(processor: Mapping[str, Any] | None, ids: Mapping[str, int]) -> tuple[list[int], list[int]]:
    """Return the ids before and after a text."""
    if processor is None:
        return [], []
    if processor["type"] != "TemplateProcessing":
        raise ValueError(f"a frame of type {processor['type']}")
    before: list[int] = []
    after: list[int] = []
    side = before
    for part in processor["single"]:
        if "Sequence" in part:
            side = after
        else:
            side.append(ids[part["SpecialToken"]["id"]])
    return before, after
