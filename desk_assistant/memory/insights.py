"""Insights: conclusions that three or more conversations support, each with the records it rests on.

They are derived from the active facts, from facts that were replaced, and from what the person said; nothing is
guessed. Made anew whenever one of these has changed, they can hold nothing that was forgotten: an erase deletes them in
its own transaction, and what is made afterwards is made of what is left.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Final

from desk_assistant import textkit
from desk_assistant.memory.extract import USER, normal_form, predicates
from desk_assistant.memory.graph import Graph
from desk_assistant.memory.insight_words import AND, SENTENCES, THEN
from desk_assistant.store import Entity, Episode, Fact, Insight, InsightKind, Store, now_iso
from desk_assistant.store.records import PREFIXES

LEAST_SESSIONS: Final = 3
"""Conversations that have to support a conclusion."""

LEAST_VALUES: Final = 3
"""Facts of one kind that make a theme, values that make a history."""

MOST_VALUES: Final = 8
MOST_TOPICS: Final = 12
MOST_TURNS: Final = 4000
"""Newest things said that are looked through for what comes up."""

MOST_SOURCES: Final = 24

NO_THEME: Final = frozenset(
    {"relation", "alias", "name", "nickname", "instruction", "prohibition", "note", "task", "schedule", "manner", "did"}
)
"""Predicates whose values say nothing together."""

NO_TOPIC: Final = frozenset({"event"})
"""Kinds of entities that are no topic: an event comes up when it happens."""

DISMISSED: Final = "insight\x1f{key}"
"""Stands in the tombstones for an insight that the person does not want to see."""


class Insights:
    """Derives insights and keeps them in the store. Synchronous, like the store.

    Args:
        store: The database.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._graph = Graph(store)

    def all(self) -> list[Insight]:
        """Return the insights, the best supported first; made anew when what they rest on has changed."""
        if not self._store.insights.is_current():
            self.refresh()
        return self._store.insights.all()

    def refresh(self) -> None:
        """Derive all insights."""
        facts = self._store.facts.all(("active", "superseded"))
        turns = [e for e in self._store.episodes.said_by_user(MOST_TURNS) if e.kind == "turn"]
        gone = self._store.outbox.refs("erase")
        facts = [f for f in facts if f.id not in gone and gone.isdisjoint(s.session_id for s in f.sources)]
        turns = [e for e in turns if e.session_id not in gone and gone.isdisjoint({e.id, *e.messages})]
        self._graph.refresh()
        with self._store.transaction():
            found = list(derive(facts, turns, self._store.graph.entities()))
            forgotten = self._store.tombstones
            # The id follows from what it is about, and is keyed, so that it tells nothing.
            self._store.insights.replace(
                replace(insight, id=f"{PREFIXES['insight']}_{forgotten.mark_of(insight.key)[:10]}")
                for insight in found
                if not forgotten or DISMISSED.format(key=insight.key) not in forgotten
            )

    def dismiss(self, insight_id: str) -> None:
        """Do not show an insight any more, however often it could be drawn.

        Raises:
            NotFoundError: There is no such insight.
        """
        with self._store.transaction():
            insight = self._store.insights.get(insight_id)
            self._store.tombstones.add([DISMISSED.format(key=insight.key)])
            self._store.insights.replace(i for i in self._store.insights.all() if i.id != insight_id)
            self._store.audit.write("person", "dismissed", "insight", [insight_id])


def derive(facts: Sequence[Fact], turns: Sequence[Episode], entities: Sequence[Entity]) -> Iterator[Insight]:
    """Yield what facts and turns support together.

    Args:
        facts: The active facts, and those that were replaced.
        turns: What the person said, newest first.
        entities: Who and what the facts speak of.
    """
    active = sorted((f for f in facts if f.status == "active"), key=lambda f: (f.created_at, f.id))
    yield from _repeated(active)
    yield from _themes(active)
    yield from _changes(facts)
    yield from _topics(active, turns, entities)


def _repeated(active: Iterable[Fact]) -> Iterator[Insight]:
    for fact in active:
        sessions = _sessions([fact])
        if len(sessions) >= LEAST_SESSIONS and predicates.base(fact.predicate) not in ("manner", "alias"):
            yield _insight("repeated", fact.key, fact.language, fact.text, [], len(sessions), [fact.id])


def _themes(active: Iterable[Fact]) -> Iterator[Insight]:
    groups: dict[tuple[str, str], list[Fact]] = {}
    for fact in active:
        if fact.polarity and predicates.base(fact.predicate) not in NO_THEME:
            groups.setdefault((fact.subject, fact.predicate), []).append(fact)
    for (subject, predicate), group in groups.items():
        sessions = _sessions(group)
        if len(group) < LEAST_VALUES or len(sessions) < LEAST_SESSIONS:
            continue
        language = _language(group)
        what = predicates.label_in(predicate, language)
        if subject != USER:
            what = f"{subject}: {what}"
        values = [fact.object for fact in group[-MOST_VALUES:]]
        key = f"{normal_form(subject)}|{predicate}"
        yield _insight("theme", key, language, what, values, len(sessions), [fact.id for fact in group])


def _changes(facts: Sequence[Fact]) -> Iterator[Insight]:
    """Yield values that were replaced at least twice, each by what the next conversation said."""
    followed = {fact.superseded_by for fact in facts if fact.superseded_by}
    before = {fact.superseded_by: fact for fact in facts if fact.superseded_by}
    for last in facts:
        if last.status != "active" or last.id not in followed:
            continue
        chain = [last]
        while (former := before.get(chain[0].id)) is not None and former not in chain:
            chain.insert(0, former)
        sessions = _sessions(chain)
        if len(chain) < LEAST_VALUES or len(sessions) < LEAST_SESSIONS:
            continue
        key = f"{normal_form(last.subject)}|{last.predicate}"
        what = predicates.label_in(last.predicate, last.language)
        values = [fact.object for fact in chain[-MOST_VALUES:]]
        yield _insight("change", key, last.language, what, values, len(sessions), [f.id for f in chain], join=THEN)


def _topics(active: Sequence[Fact], turns: Sequence[Episode], entities: Sequence[Entity]) -> Iterator[Insight]:
    """Yield people and things of the facts that come up in several conversations, the most frequent first."""
    named = {normal_form(e.name): e.name for e in entities if e.form != USER and e.kind not in NO_TOPIC}
    spotted = spot(named, turns)
    facts: dict[str, list[str]] = {}
    for fact in active:
        for form in (normal_form(fact.object), normal_form(fact.subject)):
            facts.setdefault(form, []).append(fact.id)
    often = [(form, seen) for form, seen in spotted.items() if len({e.session_id for e in seen}) >= LEAST_SESSIONS]
    often.sort(key=lambda item: (-len({e.session_id for e in item[1]}), item[0]))
    for form, seen in often[:MOST_TOPICS]:
        sessions = {episode.session_id for episode in seen}
        language = textkit.guess_language(" ".join(episode.text[:80] for episode in seen[:8]))
        sources = [*facts.get(form, ()), *(message for episode in seen for message in episode.messages)]
        yield _insight("topic", form, language, named[form], [], len(sessions), sources)


def spot(named: dict[str, str], turns: Iterable[Episode]) -> dict[str, list[Episode]]:
    """Return, for each name that is mentioned at all, the turns that mention it.

    Args:
        named: Names by their normal forms.
        turns: What was said.
    """
    if not named:
        return {}
    names = {" ".join(name.casefold().split()): form for form, name in named.items()}
    pattern = re.compile("|".join(_as_word(name) for name in sorted(names, key=len, reverse=True)))
    found: dict[str, list[Episode]] = {}
    for turn in turns:
        said = " ".join(textkit.fold(turn.text).casefold().split())
        for name in dict.fromkeys(pattern.findall(said)):
            found.setdefault(names[name], []).append(turn)
    return found


def _as_word(name: str) -> str:
    escaped = re.escape(name)
    return rf"(?<![a-z0-9]){escaped}(?![a-z0-9])" if name.isascii() else escaped


def _sessions(facts: Iterable[Fact]) -> set[str]:
    return {source.session_id for fact in facts for source in fact.sources}


def _language(facts: Sequence[Fact]) -> str:
    chinese = sum(fact.language == "zh" for fact in facts)
    return "zh" if chinese * 2 > len(facts) else "en"


def _insight(
    kind: InsightKind,
    key: str,
    language: str,
    what: str,
    values: Sequence[str],
    sessions: int,
    sources: Sequence[str],
    *,
    join: str = "",
) -> Insight:
    """Put an insight into words."""
    listed = (join or AND[language]).join(dict.fromkeys(values))
    text = SENTENCES[language][kind].format(what=what, values=listed, count=sessions)
    full_key = f"{kind}|{key}"
    return Insight(
        "", kind, text, full_key, language, sessions, now_iso(), tuple(dict.fromkeys(sources))[:MOST_SOURCES]
    )
