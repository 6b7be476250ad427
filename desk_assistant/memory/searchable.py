"""What the index keeps of each thing that is remembered."""

from __future__ import annotations

from typing import Final

from desk_assistant.index.records import IndexRecord
from desk_assistant.memory.ranking import PAST
from desk_assistant.memory.wording import full_text
from desk_assistant.store import Episode, Fact, epoch_of

INDEXED: Final = ("active", "pending", "superseded", "retracted")
"""Statuses of facts that a search may find; those that no longer hold are only told when the past is asked for."""


def record_of_episode(episode: Episode) -> IndexRecord:
    """Return what the index keeps of an episode."""
    return IndexRecord(
        id=episode.id,
        kind=episode.kind,
        session=episode.session_id,
        text=episode.text,
        lexical=episode.lexical,
        language=episode.language,
        epoch=epoch_of(episode.created_at),
        importance=episode.importance,
    )


def record_of_fact(fact: Fact) -> IndexRecord:
    """Return what the index keeps of a fact."""
    text = full_text(fact)
    return IndexRecord(
        id=fact.id,
        kind=PAST if fact.status in ("superseded", "retracted") else "fact",
        session=fact.sources[0].session_id if fact.sources else "",
        text=text,
        lexical=f"{text} {fact.predicate.replace('_', ' ').replace('.', ' ')}",
        language=fact.language,
        epoch=epoch_of(fact.last_seen),
        importance=fact.importance,
    )
