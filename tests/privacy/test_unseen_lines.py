"""What the filter makes of lines that nothing was fitted to, worded to give as little away as people do."""

from __future__ import annotations

from pathlib import Path

import pytest

from desk_assistant.privacy import PrivacyGate
from tests.privacy import labelled


@pytest.fixture(scope="module")
def score(gate: PrivacyGate) -> labelled.Score:
    return labelled.score(gate, labelled.read(Path(__file__).parent / "unseen.toml"))


def test_most_values_are_found_without_a_word_that_announces_them(score: labelled.Score) -> None:
    assert score.recall() >= 0.75, score.misses
    assert score.recall("OTP", "IM_ID") >= 0.85
    assert score.typed / score.total >= 0.75


def test_harmless_figures_and_names_are_left_alone(score: labelled.Score) -> None:
    assert 1 - score.wrong / score.masks >= 0.9
    assert score.touched / score.harmless <= 0.05
