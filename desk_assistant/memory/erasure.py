"""What one erase takes out of the database: the records named, and every copy of their words.

Copies are older versions of a fact, facts that state the same words of the same sentence, histories, answers that
repeat them, records of the turns beside them, summaries and titles. All of it runs inside one transaction.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from desk_assistant import textkit
from desk_assistant.memory import traces
from desk_assistant.memory.episodic import SUMMARY_TOMBSTONE, EpisodicMemory, summary_id
from desk_assistant.memory.extract import statement_key
from desk_assistant.memory.manner import Manner, is_manner
from desk_assistant.memory.records import RecallResult
from desk_assistant.memory.traces import BLACK
from desk_assistant.store import Episode, Fact, Message, Session, Store

LIVE: Final = ("active", "pending")
ENDED: Final = ("superseded", "retracted", "closed", "archived")
OWN_ID: Final = re.compile(r"[smfe]_[0-9a-z]{10}(\.\d+)?")
"""Ids made by this program. Those that came with an import may say something themselves."""

SHARED_WORDS: Final = 2
"""Telling words that two texts must share for one to be taken for a repetition of the other."""

FEW_LOOKS: Final = 20
"""From this many questions on, one look at every answer is cheaper than a search for each."""

Record = Fact | Episode | Message | Session


@dataclass
class Erasure:
    """What one erase has touched so far.

    Attributes:
        facts: Ids of facts that are gone.
        episodes: Ids of episodes that are gone.
        messages: Ids of messages that are gone.
        changed: Ids of messages that lost words, or stood beside ones that did.
        rebuilt: Ids of derived records that were made anew.
        sessions: Sessions in which something changed.
        needles: Words that must be in no file afterwards, unless they were said elsewhere too.
        keys: What must not come back by itself.
        values: What the facts that are gone were about.
        said: What changed or vanished messages said before, by id.
        telling_ids: Ids that came with an import and may say something themselves.
        missing: Records that an earlier, interrupted erase has removed already.
    """

    facts: set[str] = field(default_factory=set)
    episodes: set[str] = field(default_factory=set)
    messages: set[str] = field(default_factory=set)
    changed: set[str] = field(default_factory=set)
    rebuilt: set[str] = field(default_factory=set)
    sessions: set[str] = field(default_factory=set)
    needles: list[str] = field(default_factory=list)
    values: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    said: dict[str, str] = field(default_factory=dict)
    telling_ids: list[str] = field(default_factory=list)
    missing: int = 0


class Eraser:
    """Carries out one erase; the caller holds the transaction.

    Args:
        store: The database.
        episodic: Remakes records and summaries from what is left.
    """

    def __init__(self, store: Store, episodic: EpisodicMemory) -> None:
        self._store = store
        self._episodic = episodic
        self.work = Erasure()
        self._ended: list[Fact] | None = None
        self._looked = 0
        self._used_in: dict[str, set[str]] | None = None

    def remove(self, record: Record) -> None:
        """Take out one record with everything that carries its words."""
        match record:
            case Fact():
                self._erase_fact(record)
            case Episode(kind="summary"):
                self._erase_summary(record)
            case Episode():
                self._erase_turns(record.messages)
            case Message():
                self._erase_turns([record.id])
            case Session():
                self._erase_session(record)

    def remake(self) -> None:
        """Remake what was derived from changed words: records, records of the turns that follow, summaries, titles.

        Insights and topics go altogether; they are made anew from what is left when they are next asked for.
        """
        work, transcripts, episodes = self.work, self._store.transcripts, self._store.episodes
        self._scrub_histories()
        self._store.insights.clear()
        Manner(self._store).forget_topics()
        changed = work.changed - work.messages
        following = {child.id for message_id in changed for child in transcripts.children(message_id)}
        for message in transcripts.messages_by_id(changed | following).values():
            # One that was never remembered (memory paused) is not remembered now.
            if any(episode.kind == "turn" for episode in episodes.from_messages([message.id])):
                work.rebuilt.update(self._episodic.remember(message))
        for session_id in work.sessions:
            if not transcripts.all_messages(session_id):
                self._drop_session(session_id)
                continue
            if summary_id(session_id) in episodes.by_id([summary_id(session_id)]):
                self._episodic.summarise(session_id)
                work.rebuilt.add(summary_id(session_id))
            self._retitle(session_id)
        work.rebuilt -= work.episodes

    # --- facts ----------------------------------------------------------------------------------------------------

    def _erase_fact(self, fact: Fact) -> None:
        work = self.work
        if fact.id in work.facts:
            return
        if is_manner(fact):
            # It was read off how things were said; what was said is another matter and stays.
            work.facts.add(fact.id)
            work.keys.append(fact.key)
            self._store.facts.delete([fact.id])
            return
        values = _values(fact)
        same = self._saying_the_same(fact, values)
        work.facts.add(fact.id)
        work.values += values
        work.needles += [fact.text, *values]
        work.keys += {fact.key, *(statement_key(fact.subject, fact.predicate, value) for value in values)}
        messages = self._store.transcripts.messages_by_id(source.message_id for source in fact.sources)
        for source in fact.sources:
            message = messages.get(source.message_id)
            if message is None:
                continue
            # The whole clause goes, unless another memory rests on words of it: then only the value.
            shared = any(
                other.start < source.clause_end and source.clause_start < other.end
                for sibling in self._store.facts.from_message(message.id)
                if sibling.id not in work.facts
                and sibling.status in LIVE
                and sibling not in same
                and not is_manner(sibling)
                for other in sibling.sources
                if other.message_id == message.id
            )
            start, end = (source.start, source.end) if shared else (source.clause_start, source.clause_end)
            if end <= start:
                start, end = source.start, source.end
            self._mark_text(message.content[source.clause_start : source.clause_end])
            for first, last in textkit.sentence_spans(message.content):
                if first < source.end and source.start < last:
                    self._mark_text(message.content[first:last])
            again = traces.sentences_carrying(message.content, [fact.text]) if not shared else []
            self._black_out(message.id, [(start, end), *again])
        self._black_out_answers(fact, values)
        self._store.facts.delete([fact.id])
        for other in same:
            self._erase_fact(other)

    def _saying_the_same(self, fact: Fact, values: Sequence[str]) -> list[Fact]:
        """Return the facts that keep the same words: earlier versions, and others read from the same words."""
        telling = [value for value in values if traces.tells(value)]
        found: list[Fact] = []
        if self._ended is None:
            self._ended = self._store.facts.all(ENDED)
        for other in self._ended:
            linked = fact.id == other.superseded_by or other.id == fact.superseded_by
            words = f"{other.object}\n{other.text}"
            if other.key == fact.key or (
                (linked or other.status in ("superseded", "retracted"))
                and any(traces.carries(words, value) for value in telling)
            ):
                found.append(other)
        for source in fact.sources:
            for other in self._store.facts.from_message(source.message_id):
                beside = any(
                    o.message_id == source.message_id and o.start < source.clause_end and source.clause_start < o.end
                    for o in other.sources
                )
                words = f"{other.object}\n{other.text}"
                if beside and not is_manner(other) and any(traces.carries(words, value) for value in telling):
                    found.append(other)
        return [other for other in dict.fromkeys(found) if other.id != fact.id and other.id not in self.work.facts]

    def _black_out_answers(self, fact: Fact, values: Sequence[str]) -> None:
        """Black out the clauses with its values in answers that had the fact before them, or asked for it."""
        transcripts = self._store.transcripts
        names = [name for name in map(traces.name_of, values) if traces.tells(name)]
        said_in = {source.message_id for source in fact.sources}
        said = transcripts.messages_by_id(said_in)
        asked = {message.parent_id for message in said.values()}
        first = {message.session_id: message.seq for message in sorted(said.values(), key=lambda m: -m.seq)}
        for session_id in set(first) | self._sessions_that_used(fact.id):
            for message in transcripts.all_messages(session_id):
                if message.role != "assistant":
                    continue
                used = fact.id in RecallResult.ids_of(message.recalled)
                near = used or message.parent_id in said_in or message.id in asked
                later = message.seq > first.get(session_id, message.seq)
                looked_for = [*values, *names] if near else [v for v in values if later and traces.tells(v)]
                if looked_for:
                    self._black_out(message.id, traces.clauses_carrying(message.content, looked_for))

    def _sessions_that_used(self, record_id: str) -> set[str]:
        """Return the sessions with an answer that had a record before it; many questions are answered by one look."""
        self._looked += 1
        if self._looked <= FEW_LOOKS:
            return self._store.transcripts.sessions_that_used(record_id)
        if self._used_in is None:
            self._used_in = {}
            for session_id, recalled in self._store.transcripts.recalled():
                for used in RecallResult.ids_of(recalled):
                    self._used_in.setdefault(used, set()).add(session_id)
        return self._used_in.get(record_id, set())

    def _scrub_histories(self) -> None:
        """Black out the values in the histories of facts that do not hold them themselves (any more)."""
        values = [value for value in dict.fromkeys(self.work.values) if traces.tells(value)]
        if not values:
            return

        def cleaned(current: str, entry: str) -> str:
            lost = [value for value in values if traces.carries(entry, value) and not traces.carries(current, value)]
            return traces.black_out(entry, [(0, len(entry))]) if lost else entry

        self._store.facts.rewrite_history(cleaned)

    # --- messages, episodes, sessions -------------------------------------------------------------------------------

    def _erase_turns(self, message_ids: Iterable[str]) -> None:
        for message in self._store.transcripts.messages_by_id(message_ids).values():
            doomed = [message]
            if message.role == "user":
                doomed += self._other_wordings(message)
                # The answers to it repeat or give away what was said.
                answers = (m for one in doomed[:] for m in self._store.transcripts.children(one.id))
                doomed += [m for m in answers if m.role == "assistant"]
            for one in doomed:
                self._drop_message(one)
            self.work.sessions.add(message.session_id)

    def _other_wordings(self, message: Message) -> list[Message]:
        """Return what the person said in its place on other branches, before or after thinking better of it."""
        words = traces.telling(message.content)
        return [
            other
            for other in self._store.transcripts.all_messages(message.session_id)
            if other.id != message.id
            and (other.role, other.parent_id) == (message.role, message.parent_id)
            and len(words & traces.telling(other.content)) >= max(1, min(SHARED_WORDS, len(words)))
        ]

    def _drop_message(self, message: Message, *, whole_session: bool = False) -> None:
        work, transcripts = self.work, self._store.transcripts
        episodes = [e.id for e in self._store.episodes.from_messages([message.id]) if e.kind == "turn"]
        for fact in self._store.facts.from_message(message.id):
            if all(source.message_id == message.id or source.message_id in work.messages for source in fact.sources):
                self._erase_fact(fact)
            else:
                self._store.facts.drop_source(fact.id, message.id)
        self._black_out_repetitions(message, episodes, within=not whole_session)
        work.episodes.update(episodes)
        content = transcripts.message(message.id).content  # a fact's words may have been blacked out just now
        work.said.setdefault(message.id, message.content)
        # "Fine." of an answer is said everywhere, and tells nothing of what is gone.
        answers = message.role == "assistant"
        work.needles += [
            part
            for part in textkit.sentences(content)
            if BLACK not in part and not (answers and traces.text_mark(part) is None)
        ]
        self._mark_text(message.content)
        if message.ref is not None:
            work.keys.append(traces.ref_mark(message.session_id, message.ref))
        # What followed it had its words as context.
        work.changed.update(child.id for child in transcripts.children(message.id))
        work.messages.add(message.id)
        self._store.outbox.drop("remember", [message.id])
        transcripts.delete_message(message.id)

    def _black_out_repetitions(self, message: Message, episodes: Sequence[str], *, within: bool) -> None:
        """Black out what answers elsewhere, and later ones of the same branch, took from a message."""
        transcripts = self._store.transcripts
        using = {session for episode in episodes for session in self._sessions_that_used(episode)}
        for session_id in (using | {message.session_id}) if within else (using - {message.session_id}):
            conversation = {m.id: m for m in transcripts.all_messages(session_id)}
            for answer in conversation.values():
                if answer.role != "assistant" or answer.id == message.id:
                    continue
                used = not set(episodes).isdisjoint(RecallResult.ids_of(answer.recalled))
                if not used and not (session_id == message.session_id and answer.seq > message.seq):
                    continue
                question = conversation.get(answer.parent_id or "")
                asked = question.content if question is not None and question.id != message.id else ""
                spans = traces.repeated(answer.content, message.content, asked, 1 if used else SHARED_WORDS)
                self._black_out(answer.id, spans)

    def _erase_summary(self, episode: Episode) -> None:
        work = self.work
        work.keys.append(SUMMARY_TOMBSTONE.format(session=episode.session_id))
        work.episodes.add(episode.id)
        work.needles += episode.text.splitlines()
        self._store.episodes.delete([episode.id])

    def _erase_session(self, session: Session) -> None:
        work, store = self.work, self._store
        work.needles.append(session.title.rstrip("…"))
        for message in store.transcripts.all_messages(session.id):
            self._drop_message(message, whole_session=True)
        work.sessions.discard(session.id)
        self._drop_session(session.id)

    def _drop_session(self, session_id: str) -> None:
        """Delete a session of which no message is left."""
        work, store = self.work, self._store
        work.episodes.update(episode.id for episode in store.episodes.of_session(session_id))
        store.outbox.drop("summarise", [session_id])
        store.transcripts.delete_session(session_id)
        if not OWN_ID.fullmatch(session_id):
            work.telling_ids += [session_id, summary_id(session_id)]

    # --- the text of what stays ------------------------------------------------------------------------------------

    def _black_out(self, message_id: str, spans: Iterable[tuple[int, int]]) -> None:
        message = self._store.transcripts.message(message_id)
        wanted = [(start, end) for start, end in spans if message.content[start:end].strip(BLACK + " ")]
        if not wanted:
            return
        self.work.needles += [message.content[start:end] for start, end in wanted if BLACK not in message.content]
        content = traces.black_out(message.content, wanted)
        self._store.transcripts.redact(message.id, content)
        self._store.facts.requote(message.id, content)
        self.work.said.setdefault(message.id, message.content)
        self.work.changed.add(message.id)
        self.work.sessions.add(message.session_id)

    def _retitle(self, session_id: str) -> None:
        """Drop a title that was made of words that are gone."""
        title = self._store.transcripts.session(session_id).title
        beginning = title.rstrip("…").rstrip()
        if not beginning:
            return
        made_of = [i for i, text in self.work.said.items() if " ".join(text.split()).startswith(beginning)]
        left = self._store.transcripts.messages_by_id(made_of)
        gone = any(i not in left or not " ".join(left[i].content.split()).startswith(beginning) for i in made_of)
        dropped = traces.telling(" ".join(self.work.said[i] for i in self.work.messages if i in self.work.said))
        named = traces.telling(title) & dropped
        if named:
            stays = " ".join(message.content for message in self._store.transcripts.all_messages(session_id))
            gone = gone or not named <= traces.telling(stays)
        if gone or any(traces.tells(v) and traces.carries(title, v) for v in self.work.values):
            self._store.transcripts.rename_session(session_id, "")

    def _mark_text(self, text: str) -> None:
        mark = traces.text_mark(text)
        if mark is not None and BLACK not in text:
            self.work.keys.append(mark)


def _values(fact: Fact) -> list[str]:
    """Return the words a fact is about: its value, and the words it was read from."""
    words = [fact.object, *(source.quote for source in fact.sources)]
    return [word for word in dict.fromkeys(words) if word.strip(BLACK + " ")]
