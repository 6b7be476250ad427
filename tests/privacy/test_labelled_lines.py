"""The promise of the filter, on lines labelled before its rules were written or that its scorer was fitted to."""

from __future__ import annotations

import pytest

from desk_assistant.privacy import PrivacyGate
from tests.privacy import labelled


@pytest.fixture(scope="module")
def score(gate: PrivacyGate) -> labelled.Score:
    return labelled.score(gate, labelled.read())


def test_the_lines_are_many_and_half_of_them_are_harmless(score: labelled.Score) -> None:
    lines = labelled.read()

    assert len(lines) >= 300
    assert 0.4 < score.harmless / len(lines) < 0.6


@pytest.mark.parametrize(
    ("kinds", "least"),
    [
        ((), 0.95),
        (("en",), 0.93),
        (("zh",), 0.93),
        (("API_KEY", "CREDIT_CARD", "IBAN", "CN_ID", "CRYPTO", "EMAIL", "IP"), 0.97),
        (("PHONE",), 0.95),
        (("PASSWORD",), 0.90),
        (("OTP",), 0.90),
        (("IM_ID",), 0.90),
        (("ADDRESS",), 0.85),
    ],
)
def test_values_are_masked_whole(score: labelled.Score, kinds: tuple[str, ...], least: float) -> None:
    assert score.recall(*kinds) >= least, score.misses


def test_values_get_their_own_type(score: labelled.Score) -> None:
    assert score.typed / score.total >= 0.92


def test_little_else_is_masked(score: labelled.Score) -> None:
    assert 1 - score.wrong / score.masks >= 0.95
    assert score.touched / score.harmless <= 0.03
