"""Reading with a language model: for what neither the rules nor the classifier can put into a statement.

Only a model that passed the exam for it is asked, only about a fresh message that the rules found nothing in, and only
in the background. Its answer follows a schema and is believed no further than it can be checked: a statement counts
when the words it cites stand in a sentence of the person's own that no gate keeps out, and it is kept in those words.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast, get_args

from desk_assistant.errors import NotFoundError
from desk_assistant.memory.extract import USER, Kind, Sentence, Statement, predicates, sentences_of
from desk_assistant.memory.ports import ReadingModel
from desk_assistant.memory.semantic import SemanticMemory
from desk_assistant.memory.traces import BLACK
from desk_assistant.store import Job, Message, Store

JOB: Final = "read"
CONFIDENCE: Final = 0.62
"""Just enough to be believed: anything the person says outright weighs more."""

MOST_STATEMENTS: Final = 4
LONGEST_QUOTE: Final = 160

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "statements": {
            "type": "array",
            "maxItems": MOST_STATEMENTS,
            "items": {
                "type": "object",
                "properties": {
                    "kind": {"type": "string", "enum": list(KINDS)},
                    "quote": {"type": "string", "maxLength": LONGEST_QUOTE},
                },
                "required": ["kind", "quote"],
                "additionalProperties": False,
            },
        }
    },
    "required": ["statements"],
    "additionalProperties": False,
}
INSTRUCTION: Final = {
    "en": (
        "List what the message says about its writer that will still be true next month. Copy the exact words as "
        "“quote”. Questions, wishes, stories, requests and other people's words are not listed. If there is nothing, "
        "answer with an empty list."
    ),
    "zh": (
        "列出这条消息里关于说话人自己、下个月仍然成立的内容。“quote”必须逐字抄录原话。"
        "问题、愿望、虚构、请求和别人的话都不要列。没有就给出空列表。"
    ),
}
_PREDICATES: Final[dict[Kind, str]] = {
    "instruction": "instruction",
    "prohibition": "prohibition",
    "task": "task",
    "decision": "decision",
    "schedule": "schedule",
}


@dataclass(frozen=True)
class _Claim:
    """What the model says that a message says."""

    kind: Kind
    quote: str


class ModelReading:
    """Asks a language model and checks what it says. Writes through the store's transactions.

    Args:
        store: The database.
        semantic: Takes what was found as it takes any statement.
        model: The language model; None where there is none in this process.
    """

    def __init__(self, store: Store, semantic: SemanticMemory, model: ReadingModel | None) -> None:
        self._store = store
        self._semantic = semantic
        self._model = model

    @property
    def able(self) -> bool:
        """Whether a model that passed the exam is there to be asked."""
        return self._model is not None and self._model.able

    def ask(self, message: Message, fact_ids: Sequence[str], *, fresh: bool) -> None:
        """Leave a job for a fresh message that may state something, and in which the rules found nothing."""
        if message.role != "user" or fact_ids or not fresh or not self.able:
            return
        if any(sentence.may_state for sentence in sentences_of(message.content)):
            self._store.outbox.put(JOB, [message.id])

    async def read(self, job: Job) -> list[str]:
        """Do one job; returns the ids of facts that were added or changed.

        Raises:
            DeskError: The model cannot be asked now, or had to give way to the person.
        """
        if self._model is None or not self._model.able:
            return []
        try:
            message = self._store.transcripts.message(job.ref)
        except NotFoundError:
            return []  # forgotten meanwhile
        sentences = [s for s in sentences_of(message.content) if s.may_state and BLACK not in s.text]
        if not sentences or self._store.facts.from_message(message.id):
            return []
        language = sentences[0].language
        answer = await self._model.complete(INSTRUCTION[language], message.content, SCHEMA)
        changed: list[str] = []
        with self._store.transaction():
            for statement in grounded(answer, message.content, sentences):
                changed += self._semantic.propose(statement, message)
            self._store.outbox.put("index", changed)
            self._store.audit.write("model", "written", "semantic", changed)
        return changed


def grounded(answer: str, content: str, sentences: Sequence[Sentence]) -> Iterator[Statement]:
    """Yield the statements of a model's answer that its words are good for.

    Args:
        answer: What the model wrote; anything that is not by the schema yields nothing.
        content: The message it was asked about.
        sentences: The sentences of the message that may state something.
    """
    seen: set[str] = set()
    for claim in _claims(answer):
        quote = claim.quote.strip().rstrip(".。!！")
        start = content.find(quote) if quote else -1
        end = start + len(quote)
        home = next((s for s in sentences if start >= 0 and s.start <= start and end <= s.end), None)
        if home is None or quote in seen or len(quote) * 3 < len(home.text):
            continue  # not the person's words, or too few of them to mean what the sentence means
        seen.add(quote)
        predicate = _PREDICATES.get(claim.kind, "about")
        yield Statement(
            subject=USER,
            predicate=predicate,
            object=quote,
            text=quote,
            kind=claim.kind if predicate == "about" else predicates.lookup(predicate).kind,
            confidence=CONFIDENCE,
            language=home.language,
            start=start,
            end=end,
            clause_start=home.start,
            clause_end=home.end,
        )


def _claims(answer: str) -> Iterator[_Claim]:
    try:
        data = json.loads(answer)
    except ValueError:
        return
    listed = data.get("statements") if isinstance(data, dict) else None
    if not isinstance(listed, list):
        return
    for entry in listed[:MOST_STATEMENTS]:
        if not isinstance(entry, dict):
            continue
        kind, quote = entry.get("kind"), entry.get("quote")
        if kind in KINDS and isinstance(quote, str) and len(quote) <= LONGEST_QUOTE:
            yield _Claim(cast(Kind, kind), quote)
