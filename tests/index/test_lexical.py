from __future__ import annotations

from datetime import datetime

from desk_assistant.index.analysis import query_terms, terms
from desk_assistant.index.lexical import CONTEXT, lexical_text

SAID = datetime(2024, 5, 8, 13, 56)


def finds(question: str, lexical: str) -> bool:
    return set(query_terms(question)) <= set(terms(lexical))


def test_a_turn_is_found_by_its_date_its_speaker_and_what_it_answers() -> None:
    lexical = lexical_text("Since March.", speaker="Nina", said_at=SAID, before="How long have you sung in the choir?")
    assert finds("What did Nina say about the choir on 8 May 2024?".replace("say about", ""), lexical)


def test_dates_are_written_in_the_language_of_the_turn() -> None:
    assert "2024年5月8日" in lexical_text("我在阳台种了薄荷。", said_at=SAID)


def test_the_turn_before_is_cut_at_its_beginning() -> None:
    lexical = lexical_text("yes", before="x" * 5_000 + " choir")
    assert lexical.endswith("choir")
    assert len(lexical) < CONTEXT + 10
