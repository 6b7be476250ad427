"""What the store holds, as frozen records. Times are ISO 8601 strings as they were said, with offset where known."""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal

Role = Literal["user", "assistant", "system"]
MessageState = Literal["complete", "streaming", "stopped", "failed"]
FactStatus = Literal["active", "pending", "superseded", "retracted", "closed", "archived"]
EpisodeKind = Literal["turn", "summary"]
InsightKind = Literal["repeated", "theme", "change", "topic"]

_ALPHABET: Final = "0123456789abcdefghjkmnpqrstvwxyz"  # Crockford's base 32: nothing to misread when typed
PREFIXES: Final = {"session": "s", "message": "m", "fact": "f", "episode": "e", "insight": "i"}


def new_id(kind: str) -> str:
    """Return a fresh random id such as `f_3k9x0c7q2m` (50 random bits) for one of `PREFIXES`."""
    return f"{PREFIXES[kind]}_" + "".join(secrets.choice(_ALPHABET) for _ in range(10))


def now_iso() -> str:
    """Return the present local time with its offset, to the second."""
    return datetime.now().astimezone().isoformat(timespec="seconds")


def epoch_of(iso: str) -> float:
    """Return seconds since 1970 for an ISO time; one without an offset is local time."""
    return datetime.fromisoformat(iso).timestamp()


@dataclass(frozen=True)
class Session:
    """One conversation."""

    id: str
    title: str
    created_at: str
    updated_at: str
    origin: str = "chat"
    pinned: bool = False
    head_id: str | None = None
    message_count: int = 0


@dataclass(frozen=True)
class Message:
    """One message of a conversation. Messages form a tree; a session's `head_id` names the leaf that is shown.

    Attributes:
        ref: The id it had where it was imported from; unique within its session.
        state: `streaming` while an answer arrives; `stopped` and `failed` keep what had been streamed.
        recalled: What was recalled for this answer, as JSON (see `memory.recall`); None for other messages.
    """

    id: str
    session_id: str
    role: Role
    content: str
    created_at: str
    parent_id: str | None = None
    ref: str | None = None
    name: str | None = None
    state: MessageState = "complete"
    recalled: str | None = None
    seq: int = 0

    @property
    def public_id(self) -> str:
        """The id people and scripts know it by: the imported one where there is one."""
        return self.ref or self.id


@dataclass(frozen=True)
class FactSource:
    """The words of the person that a fact rests on: `quote` is `message[start:end]` of that message's content."""

    session_id: str
    message_id: str
    start: int
    end: int
    quote: str
    clause_start: int = 0
    clause_end: int = 0


@dataclass(frozen=True)
class Fact:
    """One short statement about the person or somebody they spoke of.

    Attributes:
        subject: `"user"` for the person, else a name or relation.
        key: Normal form of the statement, for finding the same one again.
        valid_from: ISO date from which it held, where it was said.
        valid_to: ISO date or time at which it stopped.
    """

    id: str
    subject: str
    predicate: str
    object: str
    text: str
    kind: str
    key: str
    language: str = "en"
    status: FactStatus = "active"
    polarity: bool = True
    confidence: float = 1.0
    importance: float = 0.5
    pinned: bool = False
    edited: bool = False
    support: int = 1
    access_count: int = 0
    created_at: str = ""
    last_seen: str = ""
    last_access: str | None = None
    valid_from: str | None = None
    valid_to: str | None = None
    due: str | None = None
    superseded_by: str | None = None
    version: int = 1
    sources: tuple[FactSource, ...] = field(default=())


@dataclass(frozen=True)
class FactChange:
    """One entry of a fact's history: who did what when, and the text before and after."""

    fact_id: str
    at: str
    actor: str
    action: str
    before: str | None
    after: str | None


@dataclass(frozen=True)
class Episode:
    """One thing that happened: a turn of a conversation, or the summary of a session.

    Attributes:
        lexical: The text the full-text index sees: the turn with the turn before it.
        speaker: Name of who said it, where the conversation gives names.
        position: Place among all turns; neighbours in a conversation are neighbours here.
        messages: Ids of the messages it was made from.
        archived: It stepped aside: out of recall, still listed.
        last_access: When it was last recalled.
        stored: When it was kept here, seconds since 1970; 0 where that is not known.
    """

    id: str
    kind: EpisodeKind
    session_id: str
    text: str
    lexical: str
    created_at: str
    language: str = "en"
    role: str = "user"
    speaker: str = ""
    importance: float = 0.5
    position: int = 0
    access_count: int = 0
    messages: tuple[str, ...] = ()
    archived: bool = False
    last_access: str | None = None
    stored: float = 0.0


@dataclass(frozen=True)
class Insight:
    """A conclusion that several conversations support; derived, never said.

    Attributes:
        kind: `repeated` (one thing said again), `theme` (several facts of one kind), `change` (a value that moved more
            than once) or `topic` (somebody or something that comes up).
        key: What it is about, in a normal form that stays when the words change; the person's "no" is kept by it.
        sessions: How many conversations support it.
        sources: Ids of the facts and messages that it rests on.
    """

    id: str
    kind: InsightKind
    text: str
    key: str
    language: str
    sessions: int
    updated_at: str
    sources: tuple[str, ...] = ()


@dataclass(frozen=True)
class Job:
    """One piece of background work in the outbox."""

    id: int
    kind: str
    ref: str
    payload: str | None
    attempts: int


@dataclass(frozen=True)
class AuditEntry:
    """One line of the audit trail: no content, only what was done to which record."""

    at: str
    actor: str
    action: str
    layer: str
    record_id: str
