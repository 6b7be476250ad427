"""The two ways to compute an embedding model: our own for the common kind, the library for every other."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np

from desk_assistant.index import model_folder, pieces
from desk_assistant.index.bert import Bert
from desk_assistant.index.model_folder import Plain
from desk_assistant.index.records import Role
from desk_assistant.index.vectors import Vectors

THREADS: Final = min(4, os.cpu_count() or 1)
"""Most that help. One short text on more threads than there are free cores costs ten times what it takes on one."""

BLAS_THREADS: Final = "OPENBLAS_NUM_THREADS"
"""The setting by which numpy's BLAS is told how many threads to use."""


class Encoder(Protocol):
    """Turns texts into vectors as the model makes them."""

    @property
    def size(self) -> int:
        """Length of a vector."""

    def encode(self, texts: Sequence[str], role: Role, *, threads: int = 1) -> Vectors:
        """Return float32 of (texts, size); texts that are too long are cut at the end."""


def encoder_for(folder: Path) -> Encoder:
    """Return what computes the model in a sentence-transformers folder."""
    return light_encoder(folder) or LibraryEncoder(folder)


def light_encoder(folder: Path) -> Encoder | None:
    """Return an encoder that needs neither torch nor its libraries, None for a model that has anything of its own."""
    plain = model_folder.plain(folder)
    if plain is None:
        return None
    try:
        return LightEncoder(folder, plain)
    except (OSError, ValueError, KeyError, TypeError):
        return None  # unusual at the least; the library knows, or says what is wrong


class LightEncoder:
    """A model of the common kind, computed with numpy.

    Args:
        folder: A sentence-transformers folder.
        plain: What its files say of it.

    Raises:
        OSError: A file is missing or cannot be read.
        ValueError: A file is damaged, or asks for something that is not done here.
        KeyError: A weight or a rule is missing.
    """

    def __init__(self, folder: Path, plain: Plain) -> None:
        self._plain = plain
        self._tokens = _tokenizer(folder)
        self._bert = Bert(folder / "model.safetensors", layers=plain.layers, heads=plain.heads, eps=plain.eps)
        self._pool: ThreadPoolExecutor | None = None

    @property
    def size(self) -> int:
        """Length of a vector."""
        return self._bert.size

    def encode(self, texts: Sequence[str], role: Role, *, threads: int = 1) -> Vectors:
        """Return unit vectors, float32 of (texts, size)."""
        if not texts:
            return np.zeros((0, self.size), dtype=np.float32)
        sequences = [self._tokens(self._plain.prompts[role] + text, self._plain.tokens) for text in texts]
        # Only where numpy's BLAS starts no threads of its own for each of ours, as in the child (`workers.launch`).
        threads = min(threads, len(sequences)) if os.environ.get(BLAS_THREADS) == "1" else 1
        if threads == 1:
            return self._bert.encode(sequences)
        if self._pool is None:
            self._pool = ThreadPoolExecutor(THREADS, "embed")
        # Dealt out like cards, since texts of like length lie together: numpy lets other threads run while it computes.
        parts = self._pool.map(self._bert.encode, [sequences[place::threads] for place in range(threads)])
        found: Vectors = np.zeros((len(texts), self.size), dtype=np.float32)
        for place, vectors in enumerate(parts):
            found[place::threads] = vectors
        return found


class LibraryEncoder:
    """Any model that sentence-transformers can load.

    Args:
        folder: A sentence-transformers folder.
    """

    def __init__(self, folder: Path) -> None:
        import torch
        from sentence_transformers import SentenceTransformer
        from transformers.utils import logging as transformers_logging

        transformers_logging.disable_progress_bar()
        torch.set_num_threads(1)
        self._torch = torch
        self._model: Any = SentenceTransformer(
            str(folder), device="cpu", local_files_only=True, model_kwargs={"dtype": torch.float32}
        )

    @property
    def size(self) -> int:
        """Length of a vector."""
        return int(self._model.get_embedding_dimension())

    def encode(self, texts: Sequence[str], role: Role, *, threads: int = 1) -> Vectors:
        """Return the library's vectors, float32 of (texts, size)."""
        encode = self._model.encode_query if role == "query" else self._model.encode_document
        self._torch.set_num_threads(threads)
        vectors: Vectors = encode(
            list(texts), batch_size=len(texts) or 1, show_progress_bar=False, convert_to_numpy=True
        )
        return vectors.astype(np.float32)


def _tokenizer(folder: Path) -> Callable[[str, int], list[int]]:
    unigram = pieces.load(folder)
    if unigram is not None:
        return unigram.encode
    from tokenizers import Tokenizer

    # Smaller vocabularies of other kinds are no burden to the library.
    tokenizer: Any = Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.encode_special_tokens = True  # a "[SEP]" that somebody typed is text, not the end of it

    def encode(text: str, limit: int) -> list[int]:
        tokenizer.enable_truncation(limit)
        return list(tokenizer.encode(text).ids)

    return encode
