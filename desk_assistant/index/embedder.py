"""The embedding model: loading it, and turning text into centred unit vectors.

A multilingual model of this size puts all text into a narrow cone: two unrelated sentences have a cosine of .75 to .85.
Taking away the mean of a broad background spreads the cosines around zero, so that a threshold can tell relevant from
not. Questions and records are moved apart by their prompts, and the two languages by themselves, so each of the four
has a mean of its own; without that a question would always be nearer to whatever is said in its own language.
"""

from __future__ import annotations

import contextlib
import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np

from desk_assistant import textkit
from desk_assistant.errors import ModelError
from desk_assistant.index import background
from desk_assistant.index.encoders import THREADS, encoder_for
from desk_assistant.index.records import Role
from desk_assistant.index.vectors import Vectors

BATCH: Final = 8
"""Texts embedded at once: between two batches work can be given up. A full batch is worth more than one thread."""

SLICE_SECONDS: Final = 0.08
"""How long work that can be given up may go on before it looks whether it still should."""

_PLACE: Final[dict[tuple[Role, textkit.Language], int]] = {
    ("query", "en"): 0,
    ("query", "zh"): 1,
    ("document", "en"): 2,
    ("document", "zh"): 3,
}


def model_key(name: str, size: int) -> str:
    """Return what identifies vectors that can be compared: the model, their length, and the background they left."""
    return f"{name}/{size}/{background.VERSION}"


class Embedder:
    """A loaded embedding model.

    Args:
        folder: A sentence-transformers folder.

    Raises:
        ModelError: It cannot be loaded.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self._encoder = encoder_for(folder)
            self.size = self._encoder.size
        except Exception as error:
            raise ModelError("index.embedder_unreadable", path=folder, cause=type(error).__name__) from error
        self._lock = threading.Lock()
        self._text_seconds = 0.0
        self._centres = self._load_centres(folder)

    def encode(
        self, texts: Sequence[str], role: Role, *, centred: bool = True, between: Callable[[], None] | None = None
    ) -> Vectors:
        """Return unit vectors, float32 of (texts, dimensions).

        Args:
            texts: What to embed; longer texts than the model reads are cut at the end.
            role: "query" for what asks, "document" for what is searched.
            centred: Take the background away; without it vectors are as the model makes them.
            between: Called before each batch; what it raises ends the work.
        """
        vectors: Vectors = np.zeros((len(texts), self.size), dtype=np.float32)
        # Texts of like length go together, since a batch is padded to its longest.
        order = sorted(range(len(texts)), key=lambda place: len(texts[place]))
        with self._lock:
            threads = THREADS if len(texts) >= BATCH else 1
            start = 0
            while start < len(order):
                if between is not None:
                    between()
                batch = order[start : start + (BATCH if between is None else batch_size(self._text_seconds, threads))]
                began = time.perf_counter()
                vectors[batch] = self._encoder.encode([texts[place] for place in batch], role, threads=threads)
                self._text_seconds = (time.perf_counter() - began) / len(batch)
                start += len(batch)
        if not centred:
            return vectors
        return _unit(vectors - self._centres[[_PLACE[role, textkit.guess_language(text)] for text in texts]])

    def _load_centres(self, folder: Path) -> Vectors:
        file = centre_file(folder)
        with contextlib.suppress(OSError, ValueError):
            stored: Vectors = np.load(file, allow_pickle=False)
            if stored.shape == (len(_PLACE), self.size):
                return stored
        return self._make_centres(file)

    def _make_centres(self, file: Path) -> Vectors:
        centres: Vectors = np.zeros((len(_PLACE), self.size), dtype=np.float32)
        for (role, language), place in _PLACE.items():
            centres[place] = self.encode(background.LINES[language], role, centred=False).mean(axis=0)
        # A model folder that cannot be written costs these seconds at every start, nothing else.
        with contextlib.suppress(OSError):
            part = file.with_name(f"{file.name}.part-{os.getpid()}")
            with part.open("wb") as stream:
                np.save(stream, centres)
            part.chmod(0o644)
            part.replace(file)
        return centres


def batch_size(text_seconds: float, threads: int = 1) -> int:
    """Return how many texts to embed before looking whether the work is still wanted.

    Args:
        text_seconds: What a text took in the last batch; 0 when nothing was measured yet.
        threads: How many texts are computed at the same time; for few of them that takes no longer than one.
    """
    if text_seconds <= 0:
        return 1
    least = threads if text_seconds <= SLICE_SECONDS else 1
    return max(least, min(BATCH, int(SLICE_SECONDS / text_seconds)))


def centre_file(folder: Path) -> Path:
    """Return where the background means of a model are kept, beside its weights."""
    return folder / f"centre-{background.VERSION}.npy"


def _unit(vectors: Vectors) -> Vectors:
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    unit: Vectors = vectors / np.maximum(lengths, 1e-9)
    return unit
