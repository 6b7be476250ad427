"""The JSON that scripts get for each kind of record. These shapes are a contract: fields are added, never changed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from desk_assistant.memory.records import ForgetReport, RecalledItem, SearchHit
    from desk_assistant.privacy import Span
    from desk_assistant.store import Episode, Fact, FactChange, Message, Session, Store

Shape = dict[str, Any]


def public_ids(store: Store, facts: Iterable[Fact]) -> dict[str, str]:
    """Return, for every message that the facts cite, the id people know it by."""
    wanted = {source.message_id for fact in facts for source in fact.sources}
    return {key: message.public_id for key, message in store.transcripts.messages_by_id(wanted).items()}


def fact(record: Fact, ids: Mapping[str, str]) -> Shape:
    """Return the shape of a fact; `ids` maps message ids to public ones."""
    return {
        "id": record.id,
        "subject": record.subject,
        "predicate": record.predicate,
        "object": record.object,
        "text": record.text,
        "kind": record.kind,
        "status": record.status,
        "polarity": record.polarity,
        "confidence": round(record.confidence, 3),
        "pinned": record.pinned,
        "edited": record.edited,
        "valid_from": record.valid_from,
        "valid_to": record.valid_to,
        "due": record.due,
        "support": record.support,
        "created_at": record.created_at,
        "last_seen": record.last_seen,
        "source": {
            "session": record.sources[0].session_id if record.sources else None,
            "messages": list(dict.fromkeys(ids.get(s.message_id, s.message_id) for s in record.sources)),
            "quotes": [source.quote for source in record.sources],
        },
    }


def episode(record: Episode, ids: Mapping[str, str]) -> Shape:
    """Return the shape of an episode."""
    return {
        "id": record.id,
        "layer": "episodic",
        "kind": record.kind,
        "text": record.text,
        "role": record.role,
        "importance": record.importance,
        "created_at": record.created_at,
        "source": {"session": record.session_id, "messages": [ids.get(m, m) for m in record.messages]},
    }


def message(record: Message) -> Shape:
    """Return the shape of a message."""
    return {
        "id": record.id,
        "ref": record.ref,
        "session": record.session_id,
        "role": record.role,
        "name": record.name,
        "content": record.content,
        "created_at": record.created_at,
        "state": record.state,
    }


def session(record: Session) -> Shape:
    """Return the shape of a conversation."""
    return {
        "id": record.id,
        "title": record.title,
        "created_at": record.created_at,
        "updated_at": record.updated_at,
        "origin": record.origin,
        "pinned": record.pinned,
        "messages": record.message_count,
    }


def recalled(item: RecalledItem) -> Shape:
    """Return the shape of a recalled item."""
    return {
        "layer": item.layer,
        "text": item.text,
        "score": round(item.score, 4),
        "source": {"session": item.session_id, "messages": list(item.messages)},
        "id": item.id,
        "kind": item.kind,
        "role": item.role,
        "created_at": item.created_at,
        "parts": {
            "vector": _rounded(item.parts.vector),
            "text": _rounded(item.parts.text),
            "relevance": _rounded(item.parts.relevance),
            "decay": _rounded(item.parts.decay),
            "importance": _rounded(item.parts.importance),
        },
    }


def hit(record: SearchHit) -> Shape:
    """Return the shape of a search hit."""
    return {
        "id": record.id,
        "layer": record.layer,
        "text": record.text,
        "status": record.status,
        "session": record.session_id,
        "created_at": record.created_at,
    }


def change(record: FactChange) -> Shape:
    """Return the shape of one entry of a fact's history."""
    return {
        "id": record.fact_id,
        "at": record.at,
        "actor": record.actor,
        "action": record.action,
        "before": record.before,
        "after": record.after,
    }


def spans(found: Iterable[Span]) -> list[Shape]:
    """Return the shapes of private parts of a text."""
    return [{"start": span.start, "end": span.end, "type": span.type} for span in found]


def forgotten(report: ForgetReport) -> Shape:
    """Return the shape of what an erase did."""
    return {
        "facts": report.facts,
        "episodes": report.episodes,
        "messages": report.messages,
        "rebuilt": report.rebuilt,
        "verified": report.verified,
        "leftovers": list(report.leftovers),
        "mentions": list(report.mentions),
        "backups": list(report.backups),
        "exports": list(report.exports),
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
