"""Manner: how the person writes and likes to be answered, learnt from evidence over several conversations.

Each trait is a fact in the profile like any other: it cites the words that show it, stands in the prompt, can be
edited, pinned and forgotten, and is not learnt again by itself once it was. What the person says outright ("answer
briefly") is an instruction and none of this. Nothing here changes an answer: the traits are told to the model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from desk_assistant.memory import manner_words as words
from desk_assistant.memory.extract import USER, normal_form, statement_key
from desk_assistant.memory.insights import NO_TOPIC, spot
from desk_assistant.store import Entity, Episode, Fact, FactSource, Message, Store, new_id, now_iso

PREDICATE: Final = "manner"
LEAST_SESSIONS: Final = 3
"""Conversations that have to show a trait."""

LEAST_SHARE: Final = 0.7
"""Share of the conversations with any sign of a trait that have to agree on its value."""

LEAST_MESSAGES: Final = 10
"""Messages before the language somebody writes in is a trait."""

SECOND_LANGUAGE: Final = 0.2
"""Share of the messages from which a second language counts."""

TOPIC_SESSIONS: Final = 5
"""Conversations in which a topic has to come up before it stands in the prompt: more than for an insight."""

MOST_TOPICS: Final = 5
MOST_TURNS: Final = 3000
"""Newest things said that manner is read from: people change."""

MOST_SOURCES: Final = 12
SURE: Final = 0.75
NAMES: Final = ("language", *words.SIGNS, "topics")
LEAST_CHARACTERS: Final = 5
"""Characters of a message from which on the language it is in means something."""
IMPORTANCE: Final = 0.4


@dataclass(frozen=True)
class Trait:
    """One trait with its evidence.

    Attributes:
        name: `language`, `register`, `length`, `address` or `topics`.
        value: One of the values in `manner_words`, or the topics' names.
        text: The fact.
        language: Language of the text.
        turns: Turns that show it, newest first.
    """

    name: str
    value: str
    text: str
    language: str
    turns: tuple[Episode, ...]


class Manner:
    """Learns traits and keeps them as facts. Writes through the store's transactions.

    Args:
        store: The database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store

    def learn(self) -> list[str]:
        """Bring the traits up to date with what was said; returns the ids of facts that were added or changed."""
        gone = self._store.outbox.refs("erase")
        turns = [
            turn
            for turn in self._store.episodes.said_by_user(MOST_TURNS)
            if turn.session_id not in gone and gone.isdisjoint({turn.id, *turn.messages})
        ]
        ended = {normal_form(f.object) for f in self._store.facts.all(("superseded", "retracted", "closed"))}
        entities = [e for e in self._store.graph.entities() if e.form not in ended]
        changed: list[str] = []
        with self._store.transaction():
            found = {trait.name: trait for trait in traits(turns, entities)}
            for name in NAMES:
                changed += self._keep(found[name]) if name in found else self._drop(name)
        return changed

    def forget_topics(self) -> list[str]:
        """Delete what names topics, unless the person made it theirs; returns the ids. `learn` makes it anew.

        An erase calls this in its transaction, since topics are the person's words taken from many places.
        """
        ids = [
            fact.id
            for fact in self._store.facts.all(None, predicate=f"{PREDICATE}.topics")
            if not (fact.pinned or fact.edited)
        ]
        self._store.facts.delete(ids)
        return ids

    def _drop(self, name: str) -> list[str]:
        """Take back a trait that what was said does not show (any more), unless the person made it theirs."""
        shown = self._store.facts.all(("active", "pending"), subject=USER, predicate=f"{PREDICATE}.{name}")
        gone = [fact.id for fact in shown if not (fact.pinned or fact.edited)]
        for fact_id in gone:
            self._store.facts.change(
                fact_id, actor="manner", action="retracted", status="retracted", valid_to=now_iso()
            )
        self._store.audit.write("manner", "retracted", "semantic", gone)
        return gone

    def _keep(self, trait: Trait) -> list[str]:
        predicate = f"{PREDICATE}.{trait.name}"
        key = statement_key(USER, predicate, trait.value)
        present = self._store.facts.all(("active", "pending"), subject=USER, predicate=predicate)
        if any(f.pinned or f.edited or f.key == key for f in present) or key in self._store.tombstones:
            return []
        messages = self._store.transcripts.messages_by_id(m for turn in trait.turns for m in turn.messages)
        sources = tuple(_source(message, trait) for message in list(messages.values())[:MOST_SOURCES])
        if not sources:
            return []
        moment = now_iso()
        fact = Fact(
            id=new_id("fact"),
            subject=USER,
            predicate=predicate,
            object=trait.value,
            text=trait.text,
            kind="preference",
            key=key,
            language=trait.language,
            confidence=SURE,
            importance=IMPORTANCE,
            created_at=moment,
            last_seen=moment,
            sources=sources,
        )
        self._store.facts.add(fact, actor="manner")
        for old in present:
            self._store.facts.change(
                old.id, actor="manner", action="superseded", status="superseded", valid_to=moment, superseded_by=fact.id
            )
        self._store.audit.write("manner", "written", "semantic", [fact.id])
        return [fact.id, *(old.id for old in present)]


def is_manner(fact: Fact) -> bool:
    """Tell whether a fact was derived from how somebody writes rather than from what they said."""
    return fact.predicate.startswith(f"{PREDICATE}.")


def traits(turns: Sequence[Episode], entities: Iterable[Entity]) -> list[Trait]:
    """Return what the turns show about the person's manner.

    Args:
        turns: What the person said, newest first.
        entities: Who and what the facts speak of, for topics.
    """
    mostly = "zh" if sum(turn.language == "zh" for turn in turns) * 2 > len(turns) else "en"
    found = [_language(turns), *(_shown(name, turns, mostly) for name in words.SIGNS), _topics(turns, entities, mostly)]
    return [trait for trait in found if trait is not None]


def _language(turns: Sequence[Episode]) -> Trait | None:
    telling = [turn for turn in turns if len(turn.text) >= LEAST_CHARACTERS]
    if len(telling) < LEAST_MESSAGES or len({turn.session_id for turn in telling}) < LEAST_SESSIONS:
        return None
    share = sum(turn.language == "zh" for turn in telling) / len(telling)
    value = "zh" if share > 1 - SECOND_LANGUAGE else "en" if share < SECOND_LANGUAGE else "both"
    language = "en" if value == "en" or share < 0.5 else "zh"
    shown = tuple(turn for turn in telling if value == "both" or turn.language == value)
    return Trait("language", value, words.SENTENCES[language]["language"][value], language, shown)


def _shown(name: str, turns: Sequence[Episode], language: str) -> Trait | None:
    """Return the value of a trait that enough conversations show, each voting for the value it shows most."""
    signs: dict[str, dict[str, list[Episode]]] = {}
    for turn in turns:
        for value, pattern in words.SIGNS[name].items():
            if pattern.search(turn.text):
                signs.setdefault(turn.session_id, {}).setdefault(value, []).append(turn)
    votes: dict[str, list[Episode]] = {}
    for by_value in signs.values():
        value, shown = max(by_value.items(), key=lambda item: len(item[1]))
        votes.setdefault(value, []).append(shown[0])
    if not votes:
        return None
    value, shown = max(votes.items(), key=lambda item: len(item[1]))
    if len(shown) < LEAST_SESSIONS or len(shown) < LEAST_SHARE * len(signs):
        return None
    return Trait(name, value, words.SENTENCES[language][name][value], language, tuple(shown))


def _topics(turns: Sequence[Episode], entities: Iterable[Entity], language: str) -> Trait | None:
    named: Mapping[str, str] = {e.form: e.name for e in entities if e.form != USER and e.kind not in NO_TOPIC}
    often = [
        (name, seen)
        for name, seen in spot(dict(named), turns).items()
        if len({turn.session_id for turn in seen}) >= TOPIC_SESSIONS
    ]
    often.sort(key=lambda item: (-len({turn.session_id for turn in item[1]}), item[0]))
    if not often:
        return None
    names = words.AND[language].join(named[form] for form, _ in often[:MOST_TOPICS])
    shown = tuple(seen[0] for _, seen in often[:MOST_TOPICS])
    return Trait("topics", names, words.TOPICS[language].format(topics=names), language, shown)


def _source(message: Message, trait: Trait) -> FactSource:
    """Cite the words of a message that show a trait: the sign itself where there is one, else the whole message."""
    start, end = 0, len(message.content)
    if trait.name in words.SIGNS and (match := words.SIGNS[trait.name][trait.value].search(message.content)):
        start, end = match.span()
    return FactSource(message.session_id, message.id, start, end, message.content[start:end], start, end)
