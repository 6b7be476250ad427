"""The searches behind one message: each of its questions, what is near the best answer, and pairs that answer together.

Runs in the index child, over the table in memory: one request brings all there is to rank.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from desk_assistant.index import analysis
from desk_assistant.index.asking import asked
from desk_assistant.index.bridge import bridges
from desk_assistant.index.evidence import Evidence, Part
from desk_assistant.index.fusion import base_scores, stretched
from desk_assistant.index.mirror import Mirror, Probe
from desk_assistant.index.policy import POLICY, Policy
from desk_assistant.index.records import Hit
from desk_assistant.index.vectors import Vectors

LIMIT: Final = 100
"""Records taken from each way of searching; more do not change the first ten."""

Encode = Callable[[Sequence[str]], Vectors | None]
"""Returns the vectors of questions, None while there is no embedding model."""


class Explorer:
    """Searches for everything that may answer a message; rank it with `fusion.rank`.

    Args:
        mirror: The table in memory, up to date.
        encode: The embedding model, where there is one.
        limit: Records from each way of searching.
        kinds: Look only at these kinds, all when empty.
        sessions: Look only at these sessions, all when empty.
        policy: Weights.
    """

    def __init__(
        self,
        mirror: Mirror,
        encode: Encode,
        *,
        limit: int = LIMIT,
        kinds: Sequence[str] = (),
        sessions: Sequence[str] = (),
        policy: Policy = POLICY,
    ) -> None:
        self._mirror = mirror
        self._encode = encode
        self._limit = limit
        self._kinds = kinds
        self._sessions = sessions
        self._policy = policy

    def explore(self, message: str, lexical: str | None = None) -> Evidence:
        """Search for the answers to a message.

        Args:
            message: The message.
            lexical: What full text looks for in place of the message as it stands.
        """
        questions = asked(message)
        texts = [message, *questions.parts]
        vectors = self._encode(texts)
        probes = [
            Probe(analysis.query_terms(text), None if vectors is None else vectors[place])
            for place, text in enumerate(texts)
        ]
        if lexical is not None:
            probes[0] = Probe(analysis.query_terms(lexical), probes[0].vector)
        found = self._find(probes)
        chosen = list(zip(texts, probes, found, strict=True))[len(texts) > 1 :]
        near = self._near([self._best(hits) for _, _, hits in chosen])
        parts = [
            Part(text, hits, values, self._bridges(probe, hits), around)
            for (text, probe, hits), (values, around) in zip(chosen, near, strict=True)
        ]
        whole = found[0] if len(texts) > 1 else ()
        return Evidence(message, tuple(parts), whole, questions.questions, vectors is None)

    def _find(self, probes: Sequence[Probe]) -> list[tuple[Hit, ...]]:
        return self._mirror.find(probes, self._limit, self._kinds, self._sessions)

    def _best(self, hits: Sequence[Hit]) -> str | None:
        scores = base_scores(hits, self._policy)
        return max(scores, key=lambda key: scores[key]) if scores else None

    def _near(self, starts: Sequence[str | None]) -> list[tuple[dict[str, float], tuple[Hit, ...]]]:
        """Return, for each record, how near others are to it, and those others without the numbers of this search."""
        probes = {
            start: Probe(analysis.query_terms(self._mirror.text_of(start) or ""), self._mirror.vector_of(start))
            for start in starts
            if start is not None
        }
        found = dict(zip(probes, self._find(list(probes.values())), strict=True))
        return [self._nearness(start, found[start]) if start is not None else ({}, ()) for start in starts]

    def _nearness(self, start: str, hits: Sequence[Hit]) -> tuple[dict[str, float], tuple[Hit, ...]]:
        others = [hit for hit in hits if hit.id != start]
        words = stretched({hit.id: hit.bm25 or 0.0 for hit in others})
        meaning = stretched({hit.id: hit.cosine or 0.0 for hit in others})
        share = self._policy.hop_meaning
        values = {key: share * meaning[key] + (1 - share) * words[key] for key in words}
        nearest = sorted(others, key=lambda hit: -values[hit.id])[: self._policy.hop_records]
        # It is as near to itself as anything can be, so that a hop never costs its starting point the first place.
        values[start] = 1.0
        return values, tuple(Hit(hit.id, hit.kind, hit.session, None, None) for hit in nearest)

    def _bridges(self, probe: Probe, hits: Sequence[Hit]) -> dict[str, tuple[float, str]]:
        scores = base_scores(hits, self._policy)
        chosen = sorted(scores, key=lambda key: -scores[key])[: self._policy.bridged]
        terms = [self._terms(key) for key in chosen]
        cosines = vectors = None
        if probe.vector is not None and chosen:
            nothing = np.zeros_like(probe.vector)
            known = [self._mirror.vector_of(key) for key in chosen]
            vectors = np.stack([nothing if vector is None else vector for vector in known])
            cosines = vectors @ probe.vector
        made = bridges(frozenset(probe.terms), terms, cosines, vectors, self._policy)
        return {
            key: (bridge.strength, chosen[bridge.other])
            for key, bridge in zip(chosen, made, strict=True)
            if bridge is not None
        }

    def _terms(self, key: str) -> frozenset[str]:
        return frozenset(analysis.distinct(self._mirror.text_of(key) or ""))
