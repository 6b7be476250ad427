"""Puts extraction together: mask, sentences, gates, clauses, rules, dates, grounding."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from desk_assistant.memory.extract import dialogue, predicates, times
from desk_assistant.memory.extract.calendar import Mention
from desk_assistant.memory.extract.context import Context, Who
from desk_assistant.memory.extract.en.language import ENGLISH
from desk_assistant.memory.extract.finishing import finish
from desk_assistant.memory.extract.fold import fold, sentence_language
from desk_assistant.memory.extract.keys import statement_key
from desk_assistant.memory.extract.language import Language
from desk_assistant.memory.extract.mask import FILLER, PASTE_FROM, mask, typed_chunks, windows
from desk_assistant.memory.extract.model import USER, KnownPeople, Sentence, Span, Statement, Turn
from desk_assistant.memory.extract.rules import Gates
from desk_assistant.memory.extract.sentences import sentences
from desk_assistant.memory.extract.zh.language import CHINESE

LANGUAGES: Final = {language.code: language for language in (ENGLISH, CHINESE)}
MOST_STATEMENTS: Final = 48
"""Statements kept of one message; nobody says more of themselves at once."""
MOST_SENTENCES: Final = 400
"""Sentences read of one message."""


def extract(
    text: str,
    *,
    said_at: datetime,
    previous: Sequence[Turn] = (),
    known: KnownPeople | None = None,
    tasks: Sequence[str] = (),
) -> tuple[Statement, ...]:
    """Do the work of `desk_assistant.memory.extract.extract`, which says what the arguments are."""
    people = known or KnownPeople()
    if len(text) > PASTE_FROM:
        return () if _playing(previous) else _pasted(text, said_at, people)
    prose = mask(fold(text))
    back = dialogue.read(text, prose, previous, LANGUAGES, lambda turn: _read(turn, said_at, people))
    if back is not None:
        return back
    if _playing(previous):
        left = _after_the_game(prose)
        if left is None:
            return ()
        prose = left
    other = _spoken_of(previous, said_at, people) if _POINTS.search(prose) else None
    return _read(text, said_at, people, prose, other, tasks)


_POINTS: Final = re.compile(r"\b(?:he|she|him|his|hers?)\b|[他她](?!们)", re.IGNORECASE)


def _spoken_of(previous: Sequence[Turn], said_at: datetime, people: KnownPeople) -> Who | None:
    """Return the one other person that the person's last message was about; None when there were none or several."""
    last = next((turn for turn in reversed(previous) if turn.role == "user"), None)
    if last is None or len(last.content) > PASTE_FROM:
        return None
    found: dict[str, Who] = {}
    for statement in _read(last.content, said_at, people):
        if statement.subject != USER:
            person = next((p for p in people.people if p.subject == statement.subject), None)
            who = Who("", person.name, person.relation) if person else Who("", statement.subject, "")
            found.setdefault(statement.subject, who)
        elif predicates.base(statement.predicate) == "relation":
            relation = predicates.qualifier(statement.predicate)
            found[people.subject(statement.object, relation)[0]] = Who("", statement.object, relation)
    return next(iter(found.values())) if len(found) == 1 else None


def _pasted(text: str, said_at: datetime, people: KnownPeople) -> tuple[Statement, ...]:
    """Read a long message: all of it where it was typed, the ends and the asides of one that was pasted."""
    found: dict[tuple[str, str, str], Statement] = {}
    for start, end in typed_chunks(text) or windows(text):
        for statement in _read(text[start:end], said_at, people):
            found.setdefault(
                (statement.subject, statement.predicate, statement.object),
                replace(
                    statement,
                    start=statement.start + start,
                    end=statement.end + start,
                    clause_start=statement.clause_start + start,
                    clause_end=statement.clause_end + start,
                ),
            )
    return tuple(list(found.values())[:MOST_STATEMENTS])


def _read(
    text: str,
    said_at: datetime,
    people: KnownPeople,
    prose: str | None = None,
    other: Who | None = None,
    tasks: Sequence[str] = (),
) -> tuple[Statement, ...]:
    prose = mask(fold(text)) if prose is None else prose
    prose = _without_material(prose)
    if any(language.gates.fiction.search(prose) for language in LANGUAGES.values()):
        return ()
    if any(language.gates.off_record.search(prose) for language in LANGUAGES.values()):
        return ()
    context = Context(people, other=other, tasks=tasks)
    found: dict[str, Statement] = {}
    for number, sentence in enumerate(sentences(prose)):
        if number >= MOST_SENTENCES or len(found) >= MOST_STATEMENTS:
            break
        context.last, context.topic, context.moved, context.thing = None, None, None, None
        context.new_work = False
        language = LANGUAGES[sentence_language(sentence.text)]
        for statement in _sentence(text, sentence, language, context, said_at):
            key = statement_key(statement.subject, statement.predicate, statement.object) + statement.action
            found.setdefault(key, statement)
    return tuple(sorted(found.values(), key=lambda statement: (statement.start, statement.end)))


_FIRST_PERSON: Final = re.compile(r"\b(?:i|i'm|i've|my|me|mine|we|our)\b|我|咱|以后|别|不要", re.IGNORECASE)
SHORTEST_STATED: Final = {"en": 12, "zh": 5}
"""Characters of a sentence under which it says nothing by itself."""

LONGEST_STATED: Final = 160


def sentences_of(text: str) -> tuple[Sentence, ...]:
    """Do the work of `desk_assistant.memory.extract.sentences_of`."""
    if len(text) > PASTE_FROM:
        return ()
    prose = _without_material(mask(fold(text)))
    if any(
        language.gates.fiction.search(prose) or language.gates.off_record.search(prose)
        for language in LANGUAGES.values()
    ):
        return ()
    found: list[Sentence] = []
    for number, sentence in enumerate(sentences(prose)):
        if number >= MOST_SENTENCES:
            break
        if FILLER not in sentence.text:
            code = sentence_language(sentence.text)
            words = text[sentence.start : sentence.end]
            found.append(Sentence(sentence.start, sentence.end, words, code, _may_state(sentence.text, code)))
    return tuple(found)


def _may_state(said: str, code: str) -> bool:
    gates = LANGUAGES[code].gates
    return (
        SHORTEST_STATED[code] <= len(said) <= LONGEST_STATED
        and _FIRST_PERSON.search(said) is not None
        and not said.rstrip().endswith("?")
        and not gates.small_talk.match(said)
        and not any(
            gate.search(said)
            for gate in (gates.question, gates.hypothetical, gates.one_off, gates.reported, gates.correcting)
        )
        and not gates.request.match(said)
    )


LONGEST_PASSING: Final = 200
"""Characters beyond which nothing is taken for a passing request."""


def is_passing(text: str) -> bool:
    """Do the work of `desk_assistant.memory.extract.is_passing`."""
    if len(text) > LONGEST_PASSING:
        return False
    said = [sentence for sentence in sentences(mask(fold(text))) if any(c.isalnum() for c in sentence.text)]
    return bool(said) and all(_passes(sentence) for sentence in said)


def _passes(sentence: Span) -> bool:
    gates = LANGUAGES[sentence_language(sentence.text)].gates
    return bool(gates.small_talk.match(sentence.text) or gates.one_off.search(sentence.text))


def _without_material(prose: str) -> str:
    """Overwrite the text that a request is to be carried out on ("Translate this: …")."""
    for language in LANGUAGES.values():
        if match := language.gates.material.search(prose):
            prose = prose[: match.end()] + FILLER * (len(prose) - match.end())
        if match := language.gates.material_before.search(prose):
            prose = FILLER * match.start() + prose[match.start() :]
    return prose


def _playing(previous: Sequence[Turn]) -> bool:
    """Tell whether a role play opened in the last turns is still on."""
    playing = False
    for turn in previous[-12:]:
        if turn.role != "user":
            continue
        folded = fold(turn.content[:2000])
        for language in LANGUAGES.values():
            if language.gates.role_play_off.search(folded):
                playing = False
            elif language.gates.role_play_on.search(folded):
                playing = True
    return playing


def _after_the_game(prose: str) -> str | None:
    """Return a message that ends a role play without the words up to its end; None when the play goes on."""
    ends = [match.end() for language in LANGUAGES.values() for match in language.gates.role_play_off.finditer(prose)]
    return FILLER * max(ends) + prose[max(ends) :] if ends else None


def _sentence(
    text: str, sentence: Span, language: Language, context: Context, said_at: datetime
) -> Iterator[Statement]:
    gates = language.gates
    sentence = _without_asides(sentence, gates)
    if announced := gates.announce.match(sentence.text):
        context.correcting = context.correcting or bool(_WRONG.search(announced[0]))
        sentence = Span(sentence.start + announced.end(), sentence.end, sentence.text[announced.end() :])
    if wish := gates.asked_to_remember.match(sentence.text):
        # "Could you remember that I'm coeliac?" asks nothing.
        told = sentence.text[wish.end() :].rstrip("? ").removesuffix("吗").removesuffix("吧")
        start = sentence.start + wish.end()
        sentence = Span(start, start + len(told), told)
    if gates.correcting.match(sentence.text):
        context.correcting = True
        return
    if gates.small_talk.match(sentence.text) or gates.hypothetical.search(sentence.text):
        return
    if gates.one_off.search(sentence.text) or gates.reported.search(sentence.text):
        return
    pieces = [piece for piece in language.clauses(sentence) if len(piece.text) > 1]
    asked = sentence.text.rstrip().endswith("?")
    hedged = bool(gates.hedge.search(sentence.text))
    if not asked and (moved := list(language.attributed(sentence, context))):
        found = (finish(text, sentence, draft, (), language, context, hedged) for draft in moved)
        yield from (statement for statement in found if statement is not None)
        return
    for number, piece in enumerate(pieces):
        last = number == len(pieces) - 1
        if gates.correcting.match(piece.text):
            context.correcting = True
            continue
        if gates.question.search(piece.text) or (asked and last):
            continue
        lead = language.lead_of(piece.text)
        if lead and gates.question.search(piece.text[lead:]):
            continue
        if asked and not (len(pieces) > 1 and gates.question.search(pieces[-1].text)):
            continue
        if gates.request.match(piece.text[lead:]) and not _standing(language, piece):
            context.last = None
            continue
        mentions: list[Mention] | None = None
        for draft in language.read(piece, context):
            if draft.tentative and not context.has_task(text[draft.start : draft.end]):
                continue
            if mentions is None:
                mentions = [
                    _moved(mention, piece.start) for mention in times.resolve(piece.text, said_at, past=draft.past)
                ]
            statement = finish(text, piece, draft, mentions, language, context, hedged)
            if statement is not None:
                yield statement


def _without_asides(sentence: Span, gates: Gates) -> Span:
    for aside in reversed(list(gates.aside.finditer(sentence.text))):
        at, to = aside.span()
        start, end = (to, len(sentence.text)) if at == 0 else (0, at)
        sentence = Span(sentence.start + start, sentence.start + end, sentence.text[start:end])
    return sentence


_WRONG: Final = re.compile(
    r"backwards|wrong|fix|correct|change|typo|misspoke|mistake|mix|slip|amend|revis|更正|纠正|改|反|错|误",
    re.IGNORECASE,
)
"""What in an announcement says that something said before was wrong."""


def _standing(language: Language, piece: Span) -> bool:
    return any(
        draft.predicate in {"instruction", "prohibition", "nickname", "task", "note"} or draft.action != "assert"
        for draft in language.read(piece, Context(KnownPeople()))
    )


def _moved(mention: Mention, by: int) -> Mention:
    return Mention(
        mention.start + by, mention.end + by, mention.text, mention.date, mention.until, mention.time,
        mention.recurs, mention.ambiguous, mention.duration,
    )  # fmt: skip
