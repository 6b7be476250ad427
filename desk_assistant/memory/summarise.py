"""Extractive session summaries: no model needed, and nothing in them that was not said.

A summary keeps the sentences that a person would look for later: what the talk was about, decisions and open tasks,
and every sentence with a figure, a date, a version or a name, word for word. It is made from the person's words; of
the assistant's it takes only the last state of things.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from desk_assistant import textkit
from desk_assistant.memory import summary_words as words
from desk_assistant.store import Message

MAX_SENTENCES: Final = 14
MAX_CHARACTERS: Final = 1600
SENTENCE_CHARACTERS: Final = 240


@dataclass(frozen=True)
class Summary:
    """A summary's text and the messages its sentences came from."""

    text: str
    message_ids: tuple[str, ...]


@dataclass(frozen=True)
class _Sentence:
    label: str
    text: str
    weight: float
    place: int
    message_id: str


def summarise(messages: Sequence[Message]) -> Summary | None:
    """Summarise a session from its messages, oldest first.

    Returns:
        The summary, or None when nothing was said that is worth one (greetings alone).
    """
    said = [m for m in messages if m.role == "user" and m.content.strip() and not words.FILLER.match(m.content.strip())]
    if not said:
        return None
    language = textkit.guess_language(" ".join(m.content[:400] for m in said[:20]))
    candidates = _candidates(said)
    answers = [m for m in messages if m.role == "assistant" and m.content.strip()]
    if answers and len(said) > 1:
        last = _clip(next(iter(textkit.sentences(answers[-1].content)), answers[-1].content))
        candidates.append(_Sentence("state", last, 1.5, len(candidates) + 1, answers[-1].id))
    chosen = _choose(candidates)
    labels = words.LABELS[language]
    lines: list[str] = []
    for label in ("goal", "decision", "task", "data", "state"):
        texts = [s.text for s in chosen if s.label == label]
        if texts:
            lines.append(f"{labels[label]}: " + (" " if language == "en" else "").join(texts))
    return Summary("\n".join(lines), tuple(dict.fromkeys(s.message_id for s in chosen)))


def _candidates(said: Sequence[Message]) -> list[_Sentence]:
    found: list[_Sentence] = []
    for message in said:
        for raw in textkit.sentences(message.content[:20_000]):
            text = _clip(raw)
            if words.FILLER.match(text) or len(text) < 2:
                continue
            label, weight = "data", 0.0
            if not found:
                label, weight = "goal", 9.0
            elif words.DECISION.search(text):
                label, weight = "decision", 4.0
            elif words.TASK.search(text):
                label, weight = "task", 3.5
            weight += min(3, len(words.FIGURE.findall(text))) + 0.6 * min(3, len(words.NAME.findall(text)))
            weight += 0.8 if words.FIRST_PERSON.search(text) else 0.0
            if text.rstrip().endswith(("?", "？")):
                weight -= 1.0
            found.append(_Sentence(label, text, weight, len(found), message.id))
    return found


def _choose(candidates: Sequence[_Sentence]) -> list[_Sentence]:
    seen: set[str] = set()
    chosen: list[_Sentence] = []
    room = MAX_CHARACTERS
    for sentence in sorted(candidates, key=lambda s: (-s.weight, s.place)):
        form = textkit.fold(sentence.text)
        if len(chosen) == MAX_SENTENCES or form in seen or len(sentence.text) > room:
            continue
        seen.add(form)
        room -= len(sentence.text)
        chosen.append(sentence)
    return sorted(chosen, key=lambda s: s.place)


def _clip(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= SENTENCE_CHARACTERS else text[: SENTENCE_CHARACTERS - 1] + "…"
