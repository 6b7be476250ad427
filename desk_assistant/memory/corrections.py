"""What the person does to facts by hand: edit, pin, confirm, close and reopen, merge and split."""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import datetime
from typing import Final

from desk_assistant import i18n, textkit
from desk_assistant.errors import InputError
from desk_assistant.memory.extract import USER, Statement, extract, normal_form, statement_key
from desk_assistant.memory.people import People
from desk_assistant.store import Fact, Message, Store, new_id, now_iso

CONFIRM_CONFIDENCE: Final = 0.95
REJECTED_CONFIDENCE: Final = 0.1
IMPORTANCE_STEP: Final = 0.1
"""How much a confirmation adds to a fact's importance, and a rejection takes away."""


class Corrections(ABC):
    """The part of `SemanticMemory` that carries out the person's own word. Every change is an entry in the history."""

    _store: Store
    _people: People

    @abstractmethod
    def _take(self, statement: Statement, message: Message, *, fresh: bool, actor: str) -> list[str]: ...

    def _get(self, fact_id: str) -> Fact:
        return self._store.facts.get(fact_id)

    def edit(self, fact_id: str, text: str) -> Fact:
        """Replace the wording of a fact with the person's own; automation leaves it alone from then on.

        What the new wording states is taken over where it is one statement of the same kind; else the words stand as
        they are.
        """
        fact = self._store.facts.get(fact_id)
        statements = [
            s
            for s in extract(text, said_at=datetime.fromisoformat(now_iso()), known=self._people.known())
            if s.action in ("assert", "correct") and s.subject == fact.subject and s.predicate == fact.predicate
        ]
        value = statements[0].object if len(statements) == 1 else text
        with self._store.transaction():
            changed = self._store.facts.change(
                fact_id,
                actor="person",
                action="edited",
                text=text,
                object=value,
                key=statement_key(fact.subject, fact.predicate, value),
                language=textkit.guess_language(text),
                status="active",
                confidence=1.0,
                edited=True,
                last_seen=now_iso(),
            )
            self._store.tombstones.remove([changed.key])  # the person's own word brings back what was forgotten
            self._changed(changed, "edited")
        return changed

    def pin(self, fact_id: str, pinned: bool) -> Fact:
        """Pin a fact, or unpin it."""
        with self._store.transaction():
            changed = self._store.facts.change(
                fact_id, actor="person", action="pinned" if pinned else "unpinned", pinned=pinned
            )
            self._changed(changed, "pinned" if pinned else "unpinned")
        return changed

    def confirm(self, fact_id: str) -> Fact:
        """Make a pending fact an active one: the person says it is right."""
        with self._store.transaction():
            fact = self._store.facts.get(fact_id)
            changed = self._store.facts.change(
                fact_id,
                actor="person",
                action="confirmed",
                status="active",
                confidence=max(fact.confidence, CONFIRM_CONFIDENCE),
                importance=min(1.0, fact.importance + IMPORTANCE_STEP),
                last_seen=now_iso(),
            )
            self._changed(changed, "confirmed")
            self._store.outbox.put("index", self._people.join(changed))
        return changed

    def reject(self, fact_id: str) -> Fact:
        """Take a fact back because the person says it is wrong: it holds no longer, and is not learnt again by itself.

        It stays in the history, unlike what is forgotten; said afresh by the person it counts again.

        Raises:
            NotFoundError: There is no such fact.
        """
        with self._store.transaction():
            fact = self._store.facts.get(fact_id)
            changed = self._store.facts.change(
                fact_id,
                actor="person",
                action="rejected",
                status="retracted",
                confidence=min(fact.confidence, REJECTED_CONFIDENCE),
                importance=max(0.0, fact.importance - IMPORTANCE_STEP),
                valid_to=now_iso(),
            )
            self._changed(changed, "rejected")
            self._store.outbox.put("index", self._people.part(changed))
        return changed

    def split(self, fact_id: str) -> list[str]:
        """Take back that two names are one person, which the alias or relation with this id says.

        Returns:
            Ids of the facts that went back to the name they were told under.

        Raises:
            NotFoundError: There is no such fact.
        """
        with self._store.transaction():
            fact = self._get(fact_id)
            parted = self._people.part(fact)
            if fact.predicate == "alias":
                changed = self._store.facts.change(
                    fact_id, actor="person", action="retracted", status="retracted", valid_to=now_iso()
                )
                self._changed(changed, "split")
            self._store.outbox.put("index", parted)
        return parted

    def merge(self, session_id: str, name: str, into: str) -> Fact:
        """Take two names for one person or thing because the person says so; `split` takes it back.

        Args:
            session_id: Session of notes that keeps the person's word for it.
            name: What becomes another name.
            into: What is known stands under this name from then on.

        Raises:
            InputError: One of them is empty, or both are the same.
        """
        name, into = " ".join(name.split()), " ".join(into.split())
        if not name or not into or USER in (name, into) or normal_form(name) == normal_form(into):
            raise InputError("memory.merge_needs_two")
        with self._store.transaction():
            session = self._store.transcripts.create_session(session_id, origin="note")
            said = Message(new_id("message"), session.id, "user", f"{into} = {name}", now_iso(), session.head_id)
            message = self._store.transcripts.append(said)
            language = textkit.guess_language(name)
            start = len(message.content) - len(name)
            alias = Statement(
                subject=into,
                predicate="alias",
                object=name,
                text=i18n.t_in(language, "memory.also_called", name=name),
                kind="identity",
                confidence=1.0,
                language=language,
                start=start,
                end=len(message.content),
                clause_start=0,
                clause_end=len(message.content),
            )
            changed = self._take(alias, message, fresh=True, actor="person")
            self._store.outbox.put("index", changed)
            self._store.audit.write("person", "merged", "semantic", changed)
        return self._get(changed[0])

    def reopen(self, fact_id: str) -> Fact:
        """Put a task that was done back on the list.

        Raises:
            NotFoundError: There is no such fact.
        """
        with self._store.transaction():
            changed = self._store.facts.change(
                fact_id, actor="person", action="reopened", status="active", valid_to=None, last_seen=now_iso()
            )
            self._changed(changed, "reopened")
        return changed

    def finish(self, fact_id: str) -> Fact:
        """Mark a task, plan or appointment as done.

        Raises:
            NotFoundError: There is no such fact.
        """
        with self._store.transaction():
            changed = self._store.facts.change(
                fact_id, actor="person", action="closed", status="closed", valid_to=now_iso()
            )
            self._changed(changed, "closed")
        return changed

    def _changed(self, fact: Fact, action: str) -> None:
        self._store.outbox.put("index", [fact.id])
        self._store.audit.write("person", action, "semantic", [fact.id])
