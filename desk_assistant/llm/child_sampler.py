"""Choose the next token."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from llama_cpp.llama_grammar import json_schema_to_gbnf

from desk_assistant.errors import ModelError
from desk_assistant.llm.child_context import Context
from desk_assistant.llm.child_model import Vocabulary
from desk_assistant.llm.types import Sampling

PENALTY_WINDOW: Final = 64
"""Latest tokens of the answer that `repeat_penalty` looks at."""

RANDOM_SEED: Final = 0xFFFFFFFF


class Sampler:
    """A chain of llama.cpp samplers for one answer. `close` it.

    Args:
        lib: The bindings.
        vocabulary: The model's.
        sampling: How to choose.
        said: Tokens of the answer that are there already, when it is continued.
        schema: JSON schema the answer has to follow, None for free text.

    Raises:
        ModelError: The schema cannot be expressed as a grammar. It is never silently loosened.
    """

    def __init__(
        self,
        lib: Any,
        vocabulary: Vocabulary,
        sampling: Sampling,
        *,
        said: Sequence[int] = (),
        schema: Mapping[str, Any] | None = None,
    ) -> None:
        self._lib = lib
        grammar = _grammar(lib, vocabulary, schema) if schema is not None else None
        self._chain = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
        if sampling.repeat_penalty != 1.0:
            penalty = lib.llama_sampler_init_penalties(
                vocabulary.size, PENALTY_WINDOW, sampling.repeat_penalty, 0.0, 0.0
            )
            for token in said[-PENALTY_WINDOW:]:
                lib.llama_sampler_accept(penalty, token)
            self._add(penalty)
        if grammar is not None:
            self._add(grammar)
        if sampling.temperature <= 0:
            self._add(lib.llama_sampler_init_greedy())
            return
        if sampling.top_k > 0:
            self._add(lib.llama_sampler_init_top_k(sampling.top_k))
        if sampling.top_p < 1:
            self._add(lib.llama_sampler_init_top_p(sampling.top_p, 1))
        if sampling.min_p > 0:
            self._add(lib.llama_sampler_init_min_p(sampling.min_p, 1))
        self._add(lib.llama_sampler_init_temp(sampling.temperature))
        self._add(lib.llama_sampler_init_dist(RANDOM_SEED if sampling.seed is None else sampling.seed & 0x7FFFFFFF))

    def next(self, context: Context) -> int:
        """Return the token to follow what `context` has just read."""
        return int(self._lib.llama_sampler_sample(self._chain, context.handle, -1))

    def close(self) -> None:
        """Give the chain back."""
        if self._chain:
            self._lib.llama_sampler_free(self._chain)
            self._chain = None

    def _add(self, sampler: Any) -> None:
        self._lib.llama_sampler_chain_add(self._chain, sampler)


def _grammar(lib: Any, vocabulary: Vocabulary, schema: Mapping[str, Any]) -> Any:
    try:
        source = json_schema_to_gbnf(json.dumps(schema))
    except Exception as error:
        # The converter has no error of its own: it fails with whatever it stumbled over.
        raise ModelError("llm.bad_schema", cause=type(error).__name__) from error
    sampler = lib.llama_sampler_init_grammar(vocabulary.handle, source.encode(), b"root")
    if not sampler:
        raise ModelError("llm.bad_schema", cause="llama.cpp refused the grammar")
    return sampler
