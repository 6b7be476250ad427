"""The two languages stay parallel, and every list is used."""

from __future__ import annotations

from desk_assistant.privacy.kinds import KINDS
from desk_assistant.privacy.lexicon import EN, ZH


def test_both_languages_announce_the_same_kinds() -> None:
    assert set(EN.cues) == set(ZH.cues) == set(KINDS)


def test_cues_are_lower_case_and_stand_once_in_a_kind() -> None:
    for lexicon in (EN, ZH):
        for words in lexicon.cues.values():
            assert all(word == word.lower() and word.strip() == word for word in words)
            assert len(words) == len(set(words))


def test_spelled_digits_have_their_values() -> None:
    assert "幺三八零".translate(ZH.spoken_digits) == "1380"
