"""The semantic layer: who the person is, learnt from their own words and corrected by them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from desk_assistant import textkit
from desk_assistant.memory.corrections import CONFIRM_CONFIDENCE, Corrections
from desk_assistant.memory.extract import Statement, Turn, extract, statement_key
from desk_assistant.memory.matching import KnownFact
from desk_assistant.memory.people import LIVE, People
from desk_assistant.memory.resolve import Outcome, Resolution, resolve
from desk_assistant.store import Fact, FactSource, FactStatus, Message, Store, epoch_of, new_id, now_iso

CONTEXT_TURNS: Final = 6
"""Earlier messages that "that was not me" and "yes, exactly" may point back to."""

KIND_ORDER: Final = (
    "instruction",
    "prohibition",
    "identity",
    "preference",
    "decision",
    "task",
    "schedule",
    "relation",
    "fact",
)
"""Order of kinds in the prompt, most binding first."""

KIND_IMPORTANCE: Final = {
    "identity": 0.9,
    "instruction": 0.9,
    "prohibition": 0.9,
    "preference": 0.7,
    "decision": 0.7,
    "task": 0.6,
    "schedule": 0.6,
    "relation": 0.6,
    "fact": 0.5,
}
OTHER_PREDICATE: Final = "note"
_STATUS: Final[dict[Outcome, FactStatus]] = {"pending": "pending", "past": "superseded"}
"""Status of a new fact where it is not active at once."""
CONFLICT: Final = "conflict"
"""History entry of a fact that something said since speaks against, without it having been changed."""


GUEST_SESSION: Final = "client-"
"""Beginning of the ids of sessions that hold what other programs said."""

GUEST_INSTRUCTION: Final = 0.5
"""How sure an instruction by another program is: it waits to be confirmed, and retires nothing."""


class SemanticMemory(Corrections):
    """Learns facts from messages and applies the person's corrections. Writes through the store's transactions."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._people = People(store)

    # --- learning -------------------------------------------------------------------------------------------------

    def learn(self, message: Message, *, fresh: bool, guest: bool = False) -> list[str]:
        """Extract facts from a message of the person and resolve them against what is known.

        Args:
            message: Only messages with the role `user` teach anything: what the assistant said is never a fact.
            fresh: The person says it now; only then can it bring back something that was forgotten.
            guest: Another program says it. What it wants the assistant to do then waits for the person's word.

        Returns:
            Ids of the facts that were added or changed.
        """
        if message.role != "user":
            return []
        changed: dict[str, None] = {}
        for statement in self.statements(message):
            if guest and statement.kind == "instruction":
                statement = replace(statement, confidence=min(statement.confidence, GUEST_INSTRUCTION))
            changed.update(dict.fromkeys(self._take(statement, message, fresh=fresh, actor="extraction")))
        return list(changed)

    def statements(self, message: Message) -> Sequence[Statement]:
        """Return what a message states, before anything is resolved or kept."""
        return extract(
            message.content,
            said_at=datetime.fromisoformat(message.created_at),
            previous=self._previous(message),
            known=self._people.known(),
            tasks=[task.object for task in self.tasks()],
        )

    def propose(self, statement: Statement, message: Message) -> list[str]:
        """Put a statement to the person: it is resolved like any other, and waits to be confirmed."""
        return self._take(statement, message, fresh=False, actor="classifier")

    def note(self, session_id: str, parent_id: str | None, text: str) -> list[Fact]:
        """Keep something the person asked to remember, as the facts it states or else as a note in its own words."""
        message = self._store.transcripts.append(
            Message(new_id("message"), session_id, "user", text, now_iso(), parent_id=parent_id)
        )
        statements = extract(
            message.content, said_at=datetime.fromisoformat(message.created_at), known=self._people.known()
        )
        changed: dict[str, None] = {}
        for statement in statements:
            sure = replace(statement, confidence=max(statement.confidence, CONFIRM_CONFIDENCE))
            changed.update(dict.fromkeys(self._take(sure, message, fresh=True, actor="person")))
        if not changed:
            whole = Statement(
                subject="user",
                predicate=OTHER_PREDICATE,
                object=text,
                text=text,
                kind="fact",
                confidence=1.0,
                language=textkit.guess_language(text),
                start=0,
                end=len(text),
                clause_start=0,
                clause_end=len(text),
            )
            changed.update(dict.fromkeys(self._take(whole, message, fresh=True, actor="person")))
        self._store.outbox.put("index", changed)
        self._store.audit.write("person", "written", "semantic", changed)
        return list(self._store.facts.by_id(changed).values())

    def _take(self, statement: Statement, message: Message, *, fresh: bool, actor: str) -> list[str]:
        """Resolve one statement against what is known and carry it out; returns the facts that changed."""
        everybody = statement.action == "forget"
        facts = self._store.facts.all(LIVE) if everybody else self._store.facts.of_subject(statement.subject)
        known = [_known(fact) for fact in facts]
        resolution = resolve(
            statement, known, tombstones=self._store.tombstones, fresh=fresh, said_at=epoch_of(message.created_at)
        )
        match resolution.outcome:
            case "pending" if statement.action in ("retract", "reattribute"):
                return self._doubt(resolution, actor)
            case "insert" | "pending" | "past":
                return self._insert(resolution, message, actor)
            case "supersede" | "reattribute":
                new = self._insert(resolution, message, actor)
                return new + self._end(resolution, message, actor, "superseded", by=new[0])
            case "retract":
                return self._end(resolution, message, actor, "retracted")
            case "close":
                return self._end(resolution, message, actor, "closed")
            case "support":
                return self._support(resolution, message, actor, "supported")
            case "confirm":
                return self._support(resolution, message, actor, "confirmed")
            case "blocked" | "nothing":
                return []

    def _insert(self, resolution: Resolution, message: Message, actor: str) -> list[str]:
        statement = resolution.statement
        key = statement_key(statement.subject, statement.predicate, statement.object)
        past = resolution.outcome == "past"
        if resolution.outcome == "pending" and (waiting := self._waiting(statement.subject, key)):
            return self._support(replace(resolution, ids=(waiting,)), message, actor, "supported")
        fact = Fact(
            id=new_id("fact"),
            subject=statement.subject,
            predicate=statement.predicate,
            object=statement.object,
            text=statement.text,
            kind=statement.kind,
            key=key,
            language=statement.language,
            status=_STATUS.get(resolution.outcome, "active"),
            polarity=statement.polarity,
            confidence=statement.confidence,
            importance=KIND_IMPORTANCE[statement.kind],
            created_at=message.created_at,
            last_seen=message.created_at,
            valid_from=statement.valid_from,
            valid_to=statement.valid_to or (self._get(resolution.ids[0]).created_at if past else None),
            superseded_by=resolution.ids[0] if past else None,
            due=statement.due,
            sources=(_source(statement, message),),
        )
        self._store.facts.add(fact, actor=actor)
        self._store.tombstones.remove([key])
        return [fact.id, *self._people.join(fact)]

    def _doubt(self, resolution: Resolution, actor: str) -> list[str]:
        """Note in the history of facts that the person's words speak against them, and leave the decision to them.

        What is pinned, hand-edited or only perhaps taken back is not changed, and a doubt is no fact of its own.
        """
        for fact_id in resolution.ids:
            self._store.facts.note(fact_id, actor=actor, action=CONFLICT, after=resolution.statement.text)
        return list(resolution.ids)

    def _waiting(self, subject: str, key: str) -> str | None:
        """Return the pending fact that says the same already."""
        return next(
            (f.id for f in self._store.facts.of_subject(subject) if f.status == "pending" and f.key == key), None
        )

    def _end(
        self, resolution: Resolution, message: Message, actor: str, status: FactStatus, by: str | None = None
    ) -> list[str]:
        """Close facts: they held until now, or until the date that was said."""
        ended = resolution.statement.valid_from or message.created_at
        for fact_id in resolution.ids:
            self._store.facts.change(
                fact_id, actor=actor, action=status, status=status, valid_to=ended, superseded_by=by
            )
        parted = [other for i in resolution.ids if status == "retracted" for other in self._people.part(self._get(i))]
        return [*resolution.ids, *parted]

    def _support(self, resolution: Resolution, message: Message, actor: str, action: str) -> list[str]:
        """Count that it was said again; a confirmation also makes a pending fact active."""
        joined: list[str] = []
        for fact_id in resolution.ids:
            fact = self._get(fact_id)
            if any(source.message_id == message.id for source in fact.sources):
                continue  # the same message read twice supports nothing
            values: dict[str, object] = {
                "support": fact.support + 1,
                "last_seen": max(fact.last_seen, message.created_at),
            }
            if action == "confirmed":
                values |= {"status": "active", "confidence": max(fact.confidence, CONFIRM_CONFIDENCE)}
            elif not fact.edited:
                values["confidence"] = max(fact.confidence, resolution.statement.confidence)
            changed = self._store.facts.change(
                fact_id, actor=actor, action=action, sources=[_source(resolution.statement, message)], **values
            )
            if action == "confirmed":
                joined += self._people.join(changed)
        return [*resolution.ids, *joined]

    # --- reading --------------------------------------------------------------------------------------------------

    def profile(self) -> list[Fact]:
        """Return the facts for the prompt: active, still holding, the most binding and surest first.

        The order changes only when facts do, so that the prompt's beginning stays the same from turn to turn.
        """
        today = now_iso()[:10]
        facts = [
            fact
            for fact in self._store.facts.all(("active",))
            if (fact.valid_to is None or fact.valid_to[:10] >= today) and not _guest_note(fact)
        ]
        rank = {kind: place for place, kind in enumerate(KIND_ORDER)}
        return sorted(
            facts,
            key=lambda f: (
                not f.pinned,
                f.subject != "user",
                rank.get(f.kind, len(rank)),
                -f.confidence,
                f.created_at,
                f.id,
            ),
        )

    def tasks(self) -> list[Fact]:
        """Return the open tasks, the ones due first before those without a day."""
        tasks = [fact for fact in self._store.facts.all(("active",)) if fact.kind == "task"]
        return sorted(tasks, key=lambda f: (f.due is None, f.due or "", f.created_at, f.id))

    def _previous(self, message: Message) -> list[Turn]:
        turns: list[Turn] = []
        current: Message | None = message
        while len(turns) < CONTEXT_TURNS and current is not None:
            current = self._store.transcripts.before(current)
            if current is not None and current.role in ("user", "assistant"):
                turns.append(Turn("user" if current.role == "user" else "assistant", current.content))
        return turns[::-1]


def _known(fact: Fact) -> KnownFact:
    return KnownFact(
        id=fact.id,
        subject=fact.subject,
        predicate=fact.predicate,
        object=fact.object,
        text=fact.text,
        polarity=fact.polarity,
        status=fact.status,
        confidence=fact.confidence,
        pinned=fact.pinned,
        edited=fact.edited,
        support=fact.support,
        seen=epoch_of(fact.last_seen),
        ended=_ended(fact),
    )


def _ended(fact: Fact) -> float | None:
    """Return when a fact stopped holding; a day stands for its end, since what was said that day came before."""
    if fact.status not in ("superseded", "retracted", "closed") or not fact.valid_to:
        return None
    try:
        return epoch_of(fact.valid_to)
    except ValueError:
        return None  # a month or a year: too rough to compare with


def _source(statement: Statement, message: Message) -> FactSource:
    return FactSource(
        session_id=message.session_id,
        message_id=message.id,
        start=statement.start,
        end=statement.end,
        quote=message.content[statement.start : statement.end],
        clause_start=statement.clause_start,
        clause_end=statement.clause_end,
    )


def _guest_note(fact: Fact) -> bool:
    """Tell whether a fact is free text of another program, which is recalled as a quotation but not in the profile.

    What the person has pinned or worded anew is theirs.
    """
    own = fact.pinned or fact.edited or fact.predicate != OTHER_PREDICATE or not fact.sources
    return not own and all(source.session_id.startswith(GUEST_SESSION) for source in fact.sources)
