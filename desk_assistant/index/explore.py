"""The searches behind one question: as a whole, part by part, and one step on from the best of each part."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Protocol

from desk_assistant.errors import ModelError
from desk_assistant.index import fusion
from desk_assistant.index.fusion import Evidence
from desk_assistant.index.records import EmbedderState, Hit, Role, SearchReply

LIMIT: Final = 100
"""Records taken from each way of searching; more do not change the first ten."""


class Searching(Protocol):
    """What exploring needs of the index."""

    @property
    def embedder(self) -> EmbedderState:
        """State of the embedding model."""

    async def embed(self, texts: Sequence[str], role: Role) -> Sequence[Sequence[float]]:
        """Return the vector of each text."""

    async def search(
        self,
        query: str,
        *,
        lexical: str | None = None,
        limit: int = LIMIT,
        kinds: Sequence[str] = (),
        sessions: Sequence[str] = (),
        vector: Sequence[float] | None = None,
    ) -> SearchReply:
        """Return the records nearest to a question."""

    async def related(
        self, ids: Sequence[str], *, limit: int = LIMIT, kinds: Sequence[str] = (), sessions: Sequence[str] = ()
    ) -> dict[str, tuple[Hit, ...]]:
        """Return the records near each record."""


async def explore(
    index: Searching,
    question: str,
    *,
    lexical: str | None = None,
    limit: int = LIMIT,
    kinds: Sequence[str] = (),
    sessions: Sequence[str] = (),
) -> Evidence:
    """Search for everything that may answer a question; rank it with `fusion.rank`.

    Args:
        index: The index.
        question: The question.
        lexical: What full text looks for besides; the question when None.
        limit: Records from each way of searching.
        kinds: Look only at these kinds.
        sessions: Look only at these sessions.
    """
    parts = fusion.parts_of(question)
    vectors = await _vectors(index, [question, *parts])
    replies = [
        await index.search(
            text, lexical=words, limit=limit, kinds=kinds, sessions=sessions, vector=vectors[place] if vectors else None
        )
        for place, (text, words) in enumerate([(question, lexical), *((part, None) for part in parts)])
    ]
    tops = [fusion.best_of(reply.hits) for reply in (replies[1:] or replies)]
    starts = list(dict.fromkeys(top for top in tops if top is not None))
    hops = await index.related(starts, limit=limit, kinds=kinds, sessions=sessions) if starts else {}
    return Evidence(
        question, replies[0].hits, tuple(reply.hits for reply in replies[1:]), hops, any(r.degraded for r in replies)
    )


async def _vectors(index: Searching, texts: Sequence[str]) -> Sequence[Sequence[float]] | None:
    if index.embedder != "ready":
        return None
    try:
        return await index.embed(texts, "query")
    except ModelError:
        # The child was started anew in between and is loading the model again.
        return None
