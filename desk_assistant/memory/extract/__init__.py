"""Extraction: from a person's message to small statements that cite their words.

`extract` is pure: no I/O, no model, the same result for the same message. See `engine` for the stages.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from desk_assistant.memory.extract import predicates
from desk_assistant.memory.extract.keys import normal_form, statement_key
from desk_assistant.memory.extract.model import ANY, USER, Action, Kind, KnownPeople, Person, Sentence, Statement, Turn

__all__ = [
    "ANY",
    "USER",
    "Action",
    "Kind",
    "KnownPeople",
    "Person",
    "Sentence",
    "Statement",
    "Turn",
    "extract",
    "is_passing",
    "normal_form",
    "predicates",
    "sentences_of",
    "statement_key",
]


def extract(
    text: str,
    *,
    said_at: datetime,
    previous: Sequence[Turn] = (),
    known: KnownPeople | None = None,
    tasks: Sequence[str] = (),
) -> tuple[Statement, ...]:
    """Find what a message of the person says that is worth keeping.

    Pure and deterministic: the same arguments give the same statements. Code, quotations, pasted text, questions,
    hypotheticals, fiction, requests for this one answer and small talk yield nothing. The first call compiles the
    patterns of both languages (some .4 s), so that a start of the program does not; make it off the interface's loop.

    Args:
        text: The message as it was sent, from the person only; never an assistant's or a tool's.
        said_at: Local time of the message, what "yesterday" counts from.
        previous: Earlier turns, oldest first, for messages that point back; a handful is enough.
        known: The people spoken of before.
        tasks: What the person still has to do, so that "I watered the ferns" is heard as the end of a task.

    Returns:
        The statements in the order of their words, each grounded in the message.
    """
    from desk_assistant.memory.extract import engine

    return engine.extract(text, said_at=said_at, previous=previous, known=known, tasks=tasks)


def is_passing(text: str) -> bool:
    """Tell whether all that a message says is for this one answer alone, or small talk ("just this once, in French").

    Such a message states nothing, and need not stay in recall for long.
    """
    from desk_assistant.memory.extract import engine

    return engine.is_passing(text)


def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Return what a message says in its own words, sentence by sentence: code, quotations and pasted text left out.

    A message that is a story, or that is not to be remembered, has none.
    """
    from desk_assistant.memory.extract import engine

    return engine.sentences_of(text)
