"""What another program may write into memory, and what not.

A client that was given the right to write speaks for the person, but is not the person: what it says goes through the
same filter and the same extraction, is kept with the client's name at its source, and cannot bring back what was
forgotten. What the person pinned or worded by hand it cannot change or erase. What it wants the assistant to do waits
for the person's word, and its free text is quoted where it is recalled: it is data, never a rule.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from desk_assistant import textkit
from desk_assistant.errors import InputError, NotFoundError
from desk_assistant.memory.extract import USER, extract, statement_key
from desk_assistant.memory.forget import withheld
from desk_assistant.memory.returning import brings_back
from desk_assistant.memory.semantic import GUEST_SESSION, KIND_IMPORTANCE, OTHER_PREDICATE, SemanticMemory
from desk_assistant.privacy import PrivacyGate
from desk_assistant.settings import Settings
from desk_assistant.store import Fact, FactSource, Message, Session, Store, new_id, now_iso

ORIGIN: Final = "client"
"""Origin of the sessions that hold what clients said."""

NOTE_CONFIDENCE: Final = 0.8
"""How sure a note in a client's own words is: less than the person's own, enough to be recalled."""

MOST_AT_ONCE: Final = 50
"""Records that one call may erase."""


def actor(client: str) -> str:
    """Return the name under which a client stands in the trail and in histories."""
    return f"{ORIGIN}:{client}"


def session_of(client: str) -> str:
    """Return the id of the session that holds what a client said."""
    return f"{GUEST_SESSION}{client}"


class Guests:
    """Writes on behalf of clients. Synchronous; call it from a thread.

    Args:
        store: The database.
        settings: Whether memory is on.
        gate: The privacy filter.
    """

    def __init__(self, store: Store, settings: Settings, gate: Callable[[], PrivacyGate]) -> None:
        self._store = store
        self._settings = settings
        self._gate = gate
        self._semantic = SemanticMemory(store)

    def add(self, client: str, text: str) -> list[Fact]:
        """Keep what a client says: as the facts that it states, or else as a note in its words.

        Raises:
            InputError: Memory is off or paused, nothing is left once private values are masked, or it was forgotten.
        """
        masked = self._clean(text)
        store = self._store
        with store.transaction():
            session = store.transcripts.create_session(session_of(client), title=client, origin=ORIGIN)
            said = Message(
                new_id("message"), session.id, "user", masked, now_iso(), parent_id=session.head_id, name=client
            )
            message = store.transcripts.append(said)
            changed = self._semantic.learn(message, fresh=False, guest=True) or [self._note(client, message)]
            store.outbox.put("index", changed)
            store.audit.write(actor(client), "written", "semantic", changed)
        return list(store.facts.by_id(changed).values())

    def correct(self, client: str, fact_id: str, text: str) -> Fact:
        """Replace the wording of a fact.

        Raises:
            NotFoundError: There is no such fact.
            InputError: As for `add`, or the fact is the person's own: pinned, or worded by hand.
        """
        fact = self._store.facts.get(fact_id)
        self._may_touch([fact])
        masked = self._clean(text)
        statements = [
            found
            for found in extract(masked, said_at=datetime.fromisoformat(now_iso()))
            if found.action in ("assert", "correct")
            and (found.subject, found.predicate) == (fact.subject, fact.predicate)
        ]
        value = statements[0].object if len(statements) == 1 else masked
        key = statement_key(fact.subject, fact.predicate, value)
        if key in self._store.tombstones:
            raise InputError("server.forgotten")
        with self._store.transaction():
            changed = self._store.facts.change(
                fact_id,
                actor=actor(client),
                action="edited",
                text=masked,
                object=value,
                key=key,
                language=textkit.guess_language(masked),
                last_seen=now_iso(),
            )
            self._store.outbox.put("index", [fact_id])
            self._store.audit.write(actor(client), "edited", "semantic", [fact_id])
        return changed

    def may_forget(self, record_ids: Sequence[str]) -> None:
        """Refuse what a client may not erase.

        Raises:
            NotFoundError: One of the ids does not exist.
            InputError: They are too many, or one is a conversation, or holds up a fact that is the person's own.
        """
        if not record_ids or len(record_ids) > MOST_AT_ONCE:
            raise InputError("server.too_many", count=len(record_ids), most=MOST_AT_ONCE)
        facts = self._store.facts.by_id(record_ids)
        messages = self._store.transcripts.messages_by_id(record_ids)
        episodes = self._store.episodes.by_id(record_ids)
        for record_id in record_ids:
            if record_id in facts or record_id in messages or record_id in episodes:
                continue
            session: Session | None = self._store.transcripts.find_session(record_id)
            if session is not None:
                raise InputError("server.not_a_session")
            raise NotFoundError("store.no_record", id=record_id)
        said = {*messages, *(name for episode in episodes.values() for name in episode.messages)}
        resting = [fact for name in said for fact in self._store.facts.from_message(name)]
        self._may_touch([*facts.values(), *resting])

    def note_read(self, client: str, action: str, record_ids: Sequence[str]) -> None:
        """Write into the trail that a client read records."""
        self._store.audit.write(actor(client), action, "all", record_ids)

    def _clean(self, text: str) -> str:
        if not self._settings.flag("memory.enabled"):
            raise InputError("assistant.memory_off")
        if self._settings.flag("memory.paused"):
            raise InputError("server.paused")
        masked = self._gate().mask(textkit.clean(text)).text.strip()
        if not any(character.isalnum() for character in masked):
            raise InputError("assistant.note_empty")
        if withheld(masked, session="", ref=None, store=self._store) != masked or self._states_forgotten(masked):
            raise InputError("server.forgotten")
        return masked

    def _states_forgotten(self, text: str) -> bool:
        marks = self._store.tombstones
        if not marks:
            return False
        if statement_key(USER, OTHER_PREDICATE, text) in marks:
            return True
        stated = extract(text, said_at=datetime.fromisoformat(now_iso()))
        return any(brings_back(statement, self._store) for statement in stated)

    def _may_touch(self, facts: Sequence[Fact]) -> None:
        if any(fact.pinned or fact.edited for fact in facts):
            raise InputError("server.protected")

    def _note(self, client: str, message: Message) -> str:
        text = message.content
        source = FactSource(message.session_id, message.id, 0, len(text), text, 0, len(text))
        fact = Fact(
            id=new_id("fact"),
            subject=USER,
            predicate=OTHER_PREDICATE,
            object=text,
            text=text,
            kind="fact",
            key=statement_key(USER, OTHER_PREDICATE, text),
            language=textkit.guess_language(text),
            confidence=NOTE_CONFIDENCE,
            importance=KIND_IMPORTANCE["fact"],
            created_at=message.created_at,
            last_seen=message.created_at,
            sources=(source,),
        )
        return self._store.facts.add(fact, actor=actor(client)).id
