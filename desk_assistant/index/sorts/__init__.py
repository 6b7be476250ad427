"""Example sentences for each sort of statement, in both languages; a small classifier learns from them.

The files hold one sentence a line under `[sort]` headings. `trained.npz` holds what was learnt from them with the
default embedding model, so that nobody waits for it; with another model it is learnt at first use.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import Final, Literal, get_args

from desk_assistant.textkit import Language

Sort = Literal[
    "identity", "preference", "instruction", "prohibition", "fact", "relation", "task", "decision", "schedule",
    "question", "hypothetical", "fiction", "quotation", "one_off", "small_talk",
]  # fmt: skip
SORTS: Final[tuple[Sort, ...]] = get_args(Sort)
LASTING: Final[frozenset[Sort]] = frozenset(SORTS[:9])
"""What may be worth keeping; the others say nothing about the person, or nothing that holds."""

TRAINED: Final = "trained.npz"


@cache
def version() -> str:
    """Return what stands for the sentences as they are: what was learnt from others is not used any more."""
    told = "\n".join(f"{sort}\t{text}" for sort, _, text in examples())
    return hashlib.sha256(told.encode()).hexdigest()[:8]


def examples() -> Iterator[tuple[Sort, Language, str]]:
    """Yield the sentences with their sort and language."""
    languages: tuple[Language, ...] = ("en", "zh")
    for language in languages:
        text = resources.files(__package__).joinpath(f"{language}.txt").read_text(encoding="utf-8")
        sort: Sort | None = None
        for line in filter(None, text.splitlines()):
            if line.startswith("[") and line.endswith("]"):
                sort = next(known for known in SORTS if known == line[1:-1])
            elif sort is not None:
                yield sort, language, line
