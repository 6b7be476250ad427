"""Whether a model fits into memory: an estimate by parts, against what the machine and its limits leave free."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from desk_assistant.models.gguf import GGUFHeader
from desk_assistant.models.memory import available_memory

PROCESS_OVERHEAD: Final = 64 * 2**20
"""Resident bytes of the child before a model is loaded: interpreter, llama_cpp, numpy, jinja2 (measured)."""
DEFAULT_BATCH: Final = 128
"""Tokens that the child evaluates at once."""
MIN_CONTEXT: Final = 512
CONTEXT_STEP: Final = 256
HIDDEN_COPIES: Final = 6
"""Hidden-state sized scratch tensors alive at once in llama.cpp's graph (measured, rounded up)."""


@dataclass(frozen=True)
class MemoryParts:
    """The memory a model needs, by part, in bytes, and what there is.

    Attributes:
        context: Context window in tokens the sum is for.
        weights: The tensors.
        kv: Attention cache for the whole context.
        compute: Scratch buffers of one batch.
        overhead: The child process itself.
        available: What may be used now; None when the system does not say.
        releasing: What the model being replaced will give back.
    """

    context: int
    weights: int
    kv: int
    compute: int
    overhead: int
    available: int | None
    releasing: int = 0

    @property
    def total(self) -> int:
        """Sum of the parts in bytes."""
        return self.weights + self.kv + self.compute + self.overhead

    @property
    def fits(self) -> bool:
        """Whether the sum fits; True when the system does not say how much is free."""
        return self.available is None or self.total <= self.available + self.releasing


def estimate(
    header: GGUFHeader,
    context: int,
    *,
    background: int = 0,
    batch: int = DEFAULT_BATCH,
    available: int | None = None,
    releasing: int = 0,
) -> MemoryParts:
    """Add up what loading a model will take.

    Args:
        header: Header of the file.
        context: Context window in tokens.
        background: Tokens of a second context on the same weights, for background work.
        batch: Most tokens evaluated at once.
        available: Free bytes to compare with; asked from the system when None.
        releasing: Bytes of a model that is unloaded first.
    """
    batch = min(batch, context)
    # llama.cpp reserves room for the logits of a whole batch; attention is fused, so its scores take none.
    scratch = HIDDEN_COPIES * header.embedding_length + 2 * header.feed_forward_length + header.vocabulary
    compute = 4 * batch * scratch * (2 if background else 1)
    free = available if available is not None else available_memory()
    return MemoryParts(
        context=context,
        weights=header.weights_size,
        kv=header.kv_bytes_per_token * (context + background),
        compute=compute,
        overhead=PROCESS_OVERHEAD,
        available=free,
        releasing=releasing,
    )


def largest_context(header: GGUFHeader, wanted: int, *, available: int | None = None, releasing: int = 0) -> int:
    """Return the largest context up to `wanted` tokens that fits, in steps of 256; 0 when not even 512 do."""
    free = available if available is not None else available_memory()
    limit = min(wanted, header.context_length or wanted)
    if estimate(header, limit, available=free, releasing=releasing).fits:
        return limit
    low, high = MIN_CONTEXT // CONTEXT_STEP - 1, limit // CONTEXT_STEP
    while low < high:
        middle = (low + high + 1) // 2
        if estimate(header, middle * CONTEXT_STEP, available=free, releasing=releasing).fits:
            low = middle
        else:
            high = middle - 1
    return low * CONTEXT_STEP if low * CONTEXT_STEP >= MIN_CONTEXT else 0
