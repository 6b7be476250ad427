"""Messages with the statements they hold, or none: English and Chinese, half of them written before the rules."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from desk_assistant.memory.extract import Statement, extract, normal_form, predicates
from desk_assistant.memory.resolve import PENDING_BELOW

CORPUS = Path(__file__).parent / "corpus"
SAID_AT = datetime(2026, 5, 11, 9, 0)

Expected = tuple[str, str, str]


def messages() -> Iterator[tuple[str, str, list[Expected]]]:
    for file in sorted(CORPUS.glob("*.tsv")):
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
            if not line or line.startswith("#"):
                continue
            text, _, wanted = line.partition("\t")
            expected: list[Expected] = []
            if wanted != "-":
                for part in wanted.split(" ;; "):
                    subject, predicate, value = part.split("|")
                    expected.append((subject, predicate, value))
            yield f"{file.stem}-{number}", text.replace("\\n", "\n"), expected


def fits(expected: Expected, found: Statement) -> bool:
    subject, wanted, value = expected
    if subject.casefold() != found.subject.casefold() or predicates.base(found.predicate) not in wanted.split("/"):
        return False
    if value.startswith("~"):
        return normal_form(value[1:]) in normal_form(found.object)
    return normal_form(value) == normal_form(found.object)


@pytest.mark.parametrize(("text", "expected"), [pytest.param(t, e, id=i) for i, t, e in messages()])
def test_message_yields_exactly_what_it_says(text: str, expected: list[Expected]) -> None:
    found = [s for s in extract(text, said_at=SAID_AT) if s.confidence >= PENDING_BELOW]
    missing = [want for want in expected if not any(fits(want, s) for s in found)]
    extra = [s for s in found if not any(fits(want, s) for want in expected)]
    assert (missing, extra) == ([], [])


@pytest.mark.parametrize("text", [pytest.param(t, id=i) for i, t, _ in messages()])
def test_every_value_is_words_of_the_message(text: str) -> None:
    for statement in extract(text, said_at=SAID_AT):
        assert text[statement.start : statement.end] == statement.object
        assert statement.clause_start <= statement.start < statement.end <= len(text)
        assert statement.kind == predicates.lookup(statement.predicate).kind


def test_corpus_is_large_and_bilingual() -> None:
    rows = list(messages())
    assert len(rows) >= 250
    assert sum(1 for name, _, _ in rows if "zh" in name) >= 100
    assert sum(1 for _, _, expected in rows if not expected) >= 80
