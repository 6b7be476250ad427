"""A KV cache on the weights: read tokens into it, keep what a next prompt shares, stop at any moment."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from desk_assistant.errors import ModelError
from desk_assistant.llm import child_library
from desk_assistant.llm.child_model import Weights
from desk_assistant.workers.child import Call

SLICE: Final = 128
"""Tokens read between two progress events. Longer slices are not faster, and cost more memory."""

SLOW_TOKEN: Final = 0.04
"""Seconds. Where a token takes longer, it may be cut short too; where it does not, asking within it would cost more
than it brings."""

ABORTED: Final = 2
"""What `llama_decode` returns when it was told to stop."""


class Context:
    """One sequence of tokens and its cache.

    Args:
        lib: The bindings.
        weights: The model.
        size: Tokens it may hold.
        threads: Threads to compute with.
        name: How the person knows the model.

    Raises:
        ModelError: There is no memory for it.
    """

    def __init__(self, lib: Any, weights: Weights, *, size: int, threads: int, name: str) -> None:
        params = lib.llama_context_default_params()
        params.n_ctx = size
        params.n_batch = params.n_ubatch = min(SLICE, size)
        params.n_seq_max = 1
        params.n_threads = params.n_threads_batch = threads
        params.no_perf = True
        # Sliding-window models keep only the window otherwise, and could not go back to a shared beginning.
        params.swa_full = True
        child_library.last_errors.clear()
        self._lib = lib
        self.handle = lib.llama_init_from_model(weights.handle, params)
        if not self.handle:
            raise ModelError("llm.no_context", name=name, context=size, cause=child_library.reason())
        self.size = min(size, int(lib.llama_n_ctx(self.handle)))
        self.tokens: list[int] = []
        """What the cache holds, in order."""
        self._memory = lib.llama_get_memory(self.handle)
        self._call: Call | None = None
        self._token_seconds = 0.0
        self._abort = lib.ggml_abort_callback(lambda _data: self._call is not None and self._call.cancelled)
        self._no_abort = lib.ggml_abort_callback()

    def shared(self, tokens: Sequence[int]) -> int:
        """Return how many tokens at the beginning of `tokens` are in the cache already."""
        count = 0
        for ours, theirs in zip(self.tokens, tokens, strict=False):
            if ours != theirs:
                break
            count += 1
        return count

    def read(self, tokens: Sequence[int], call: Call, progress: Callable[[int, int], None]) -> tuple[int, int]:
        """Make the cache hold exactly `tokens`, with the last one freshly read, so that sampling can go on from it.

        Args:
            tokens: The prompt; not empty.
            call: The request; reading stops when it is given up.
            progress: Called with the tokens read and the tokens to read, at the beginning and after every slice.

        Returns:
            How many were reused and how many were read; fewer than asked for when the request was given up.
        """
        reused = self._keep(min(self.shared(tokens), len(tokens) - 1))
        total = len(tokens) - reused
        progress(0, total)
        for start in range(reused, len(tokens), SLICE):
            if call.cancelled or not self._decode(tokens[start : start + SLICE], call, abortable=True):
                break
            progress(len(self.tokens) - reused, total)
        return reused, len(self.tokens) - reused

    def append(self, token: int, call: Call) -> bool:
        """Read one more token. Returns False when the request was given up before it was done."""
        began = time.perf_counter()
        done = self._decode([token], call, abortable=self._token_seconds > SLOW_TOKEN)
        self._token_seconds = time.perf_counter() - began
        return done

    def close(self) -> None:
        """Give the memory back."""
        if self.handle:
            self._lib.llama_free(self.handle)
            self.handle = None

    def _keep(self, count: int) -> int:
        if count < len(self.tokens):
            if not self._lib.llama_memory_seq_rm(self._memory, 0, count, -1):
                # Recurrent models cannot go back part of the way.
                self._lib.llama_memory_clear(self._memory, True)
                count = 0
            del self.tokens[count:]
        return count

    def _decode(self, tokens: Sequence[int], call: Call, *, abortable: bool) -> bool:
        self._call = call
        self._lib.llama_set_abort_callback(self.handle, self._abort if abortable else self._no_abort, None)
        buffer = (self._lib.llama_token * len(tokens))(*tokens)
        status = self._lib.llama_decode(self.handle, self._lib.llama_batch_get_one(buffer, len(tokens)))
        self._call = None
        if status == 0:
            self.tokens += tokens
            return True
        # Part of the slice may be in the cache: take it out, so that the cache holds what `tokens` says.
        if not self._lib.llama_memory_seq_rm(self._memory, 0, len(self.tokens), -1):
            self._lib.llama_memory_clear(self._memory, True)
            self.tokens.clear()
        if status == ABORTED:
            return False
        raise ModelError("llm.failed", cause=f"llama_decode returned {status}: {child_library.reason()}")
