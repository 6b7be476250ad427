"""The second look: what the rules made of a message, seen by the classifier over sentence embeddings.

The rules know words, the classifier knows what a whole sentence sounds like. Where it is sure that a sentence is a
story, a quotation or a supposition, what the rules took from it waits to be confirmed. Where it is sure that a
sentence says something lasting and the rules found nothing in it, the sentence itself is proposed, word for word. Both
are asked about and never stand in a prompt unasked. Without an embedding model the rules decide alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from desk_assistant.errors import NotFoundError
from desk_assistant.index.sorts import LASTING, Sort
from desk_assistant.memory.extract import USER, Sentence, Statement, predicates, sentences_of
from desk_assistant.memory.ports import IndexService
from desk_assistant.memory.semantic import SemanticMemory
from desk_assistant.memory.traces import BLACK
from desk_assistant.store import Fact, Job, Message, Store

JOB: Final = "classify"
IMPORTED: Final = "import"

DOUBTED: Final = "doubted"
"""History entry of a fact that was taken from a sentence which sounds made up or quoted."""

MADE_UP: Final[frozenset[Sort]] = frozenset({"fiction", "hypothetical", "quotation"})
LEAST_MADE_UP: Final = 0.7
MOST_LASTING: Final = 0.2
"""A sentence is made up when it is so likely to be, and so unlikely to say anything lasting. On unseen examples no
sentence that does say something lasting was under the second figure (see `tests/bench/classify.py`)."""

SURE_OF: Final = 0.85
"""How likely a sentence has to say something lasting for being proposed: of unseen examples 99 in 100 do."""

PROPOSED: Final = 0.55
"""Confidence of a proposal: it waits to be confirmed."""

SURE_RULES: Final = 0.9
"""Confidence of a rule from which on it is not doubted."""

_PREDICATES: Final[Mapping[Sort, str]] = {
    "instruction": "instruction",
    "prohibition": "prohibition",
    "task": "task",
    "decision": "decision",
    "schedule": "schedule",
}
"""Predicate of a proposal; `about` where there is none."""


@dataclass(frozen=True)
class _Look:
    """One sentence to look at, with what the rules took from it."""

    message: Message
    sentence: Sentence
    facts: tuple[Fact, ...]
    may_propose: bool


class SecondLook:
    """Doubts and proposes. Writes through the store's transactions.

    Args:
        store: The database.
        semantic: Takes proposals as it takes statements.
    """

    def __init__(self, store: Store, semantic: SemanticMemory) -> None:
        self._store = store
        self._semantic = semantic

    def ask(self, message: Message, fact_ids: Iterable[str], *, fresh: bool) -> None:
        """Leave a job for what is worth a second look: every fresh message, and imported ones with unsure facts."""
        if message.role != "user":
            return
        facts = self._store.facts.by_id(fact_ids).values()
        if fresh or any(_may_be_doubted(fact) for fact in facts):
            self._store.outbox.put(JOB, [message.id], payload=None if fresh else IMPORTED)

    async def look(self, index: IndexService, jobs: Sequence[Job]) -> list[str]:
        """Do the jobs; returns the ids of facts that were changed or added. Needs an index whose model is ready."""
        looks = [look for job in jobs for look in self._looks(job)]
        if not looks:
            return []
        found = await index.classify([look.sentence.text for look in looks], background=True)
        changed: list[str] = []
        with self._store.transaction():
            for look, sorts in zip(looks, found, strict=True):
                changed += self._apply(look, sorts)
            self._store.outbox.put("index", changed)
            self._store.audit.write("memory", "looked-at-again", "semantic", changed)
        return changed

    def _looks(self, job: Job) -> list[_Look]:
        try:
            message = self._store.transcripts.message(job.ref)
        except NotFoundError:
            return []  # forgotten meanwhile
        facts = self._store.facts.from_message(message.id)
        fresh = job.payload != IMPORTED
        looks: list[_Look] = []
        for sentence in sentences_of(message.content):
            taken = tuple(fact for fact in facts if _rests_on(fact, message, sentence))
            propose = fresh and sentence.may_state and not taken
            if BLACK not in sentence.text and (propose or any(map(_may_be_doubted, taken))):
                looks.append(_Look(message, sentence, taken, propose))
        return looks

    def _apply(self, look: _Look, sorts: Mapping[Sort, float]) -> list[str]:
        lasting = sum(share for sort, share in sorts.items() if sort in LASTING)
        made_up = sum(share for sort, share in sorts.items() if sort in MADE_UP)
        if look.facts:
            if made_up < LEAST_MADE_UP or lasting > MOST_LASTING:
                return []
            doubted = [fact for fact in look.facts if _may_be_doubted(fact)]
            for fact in doubted:
                self._store.facts.change(
                    fact.id, actor="classifier", action=DOUBTED, status="pending", confidence=PROPOSED
                )
            return [fact.id for fact in doubted]
        if not look.may_propose or lasting < SURE_OF:
            return []
        sort = max(LASTING, key=lambda one: sorts[one])
        return self._semantic.propose(_statement(look.sentence, sort), look.message)


def _statement(sentence: Sentence, sort: Sort) -> Statement:
    """State a sentence in its own words."""
    predicate = _PREDICATES.get(sort, "about")
    kind = sort if sort in ("identity", "preference", "relation") else predicates.lookup(predicate).kind
    return Statement(
        subject=USER,
        predicate=predicate,
        object=sentence.text,
        text=sentence.text,
        kind=kind,
        confidence=PROPOSED,
        language=sentence.language,
        start=sentence.start,
        end=sentence.end,
        clause_start=sentence.start,
        clause_end=sentence.end,
    )


def _rests_on(fact: Fact, message: Message, sentence: Sentence) -> bool:
    return any(
        source.message_id == message.id and source.start < sentence.end and sentence.start < source.end
        for source in fact.sources
    )


def _may_be_doubted(fact: Fact) -> bool:
    """Tell whether nothing but one reading of one message speaks for a fact."""
    return (
        fact.status == "active"
        and fact.confidence < SURE_RULES
        and not (fact.pinned or fact.edited)
        and len({source.message_id for source in fact.sources}) == 1
    )
