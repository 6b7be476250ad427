"""What an answer may no longer say: something the model was given was erased while it was answering.

An erase blacks out what an answer has said so far; what comes after it would bring the words back. So every piece of
an answer that is written is compared with what the model was given and what is left of that.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from desk_assistant.memory import traces
from desk_assistant.memory.manner import is_manner
from desk_assistant.memory.records import RecalledItem
from desk_assistant.store import Fact, Message, Store

ERASES: Final = "erases"
"""Name of the number of erases so far, by which a program sees that another has erased something."""


def count_erase(store: Store) -> None:
    """Count an erase; the caller holds its transaction."""
    store.meta.set(ERASES, str(erases(store) + 1))


def erases(store: Store) -> int:
    """Return how often something was erased from the profile."""
    return int(store.meta.get(ERASES) or 0)


@dataclass(frozen=True)
class Given:
    """What the model was given for one answer.

    Attributes:
        erases: How often something had been erased before; see `erases`.
        question: The message it answers, as it is stored.
        messages: The conversation before that, as it is stored.
        facts: The profile.
        items: What was recalled.
    """

    erases: int
    question: Message
    messages: tuple[Message, ...] = ()
    facts: tuple[Fact, ...] = ()
    items: tuple[RecalledItem, ...] = ()

    def withdraw(self, answer: str, store: Store) -> str:
        """Return the answer with the words blacked out that can only have come from what is erased by now.

        Args:
            answer: What was said so far.
            store: The database, inside the transaction that writes the answer.
        """
        if erases(store) == self.erases:
            return answer
        values = [value for fact in self._erased_facts(store) for value in _values(fact)]
        spans = traces.clauses_carrying(answer, values)
        lost = self._lost_words(store)
        spans += traces.sentences_telling(answer, lost)
        return traces.black_out(answer, spans)

    def _erased_facts(self, store: Store) -> list[Fact]:
        left = store.facts.by_id(fact.id for fact in self.facts)
        return [fact for fact in self.facts if fact.id not in left and not is_manner(fact)]

    def _lost_words(self, store: Store) -> set[str]:
        """Return the telling words of messages and recalled items that are gone, or are gone from them."""
        said = (*self.messages, self.question)
        messages = store.transcripts.messages_by_id(message.id for message in said)
        before = {message.id: message.content for message in said}
        now = {message_id: message.content for message_id, message in messages.items()}
        before |= {item.id: item.text for item in self.items}
        now |= {name: episode.text for name, episode in store.episodes.by_id(item.id for item in self.items).items()}
        now |= {name: before[name] for name in store.facts.by_id(item.id for item in self.items)}
        lost: set[str] = set()
        for name, text in before.items():
            if now.get(name) != text:
                lost |= traces.telling(text) - traces.telling(now.get(name, ""))
        asked = messages.get(self.question.id)
        return lost - traces.telling(asked.content if asked is not None else "")


def _values(fact: Fact) -> list[str]:
    words = [fact.object, *(source.quote for source in fact.sources)]
    return [form for word in words if word.strip() for form in dict.fromkeys((word, traces.name_of(word)))]
