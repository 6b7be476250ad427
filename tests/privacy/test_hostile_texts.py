"""No text makes the filter slow or makes it fail."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desk_assistant.privacy import PrivacyGate
from tests.privacy import hostile

SMALL = 8_192


@pytest.mark.parametrize("trigger", [*hostile.texts(1)])
def test_the_cost_grows_with_the_length_and_not_faster(gate: PrivacyGate, trigger: str) -> None:
    short, long = hostile.texts(SMALL)[trigger], hostile.texts(4 * SMALL)[trigger]

    # Four times the text, with room for a busy machine; a quadratic pattern would take sixteen times as long.
    assert _seconds(gate, long) < 10 * _seconds(gate, short) + 0.02


@given(st.text(max_size=300))
@settings(max_examples=200, deadline=None)
def test_any_text_gives_ordered_spans_inside_it(text: str) -> None:
    position = 0
    for span in PrivacyGate().check(text):
        assert position <= span.start < span.end <= len(text)
        position = span.end


def test_lone_surrogates_and_control_characters_pass(gate: PrivacyGate) -> None:
    text = "\ud800 \x00\x1b[31m my pin is 4829 \udfff"

    assert gate.session().mask(text).text == "\ud800 \x00\x1b[31m my pin is [PASSWORD 1] \udfff"


def _seconds(gate: PrivacyGate, text: str) -> float:
    best = float("inf")
    for _ in range(2):
        began = time.process_time()
        gate.check(text)
        best = min(best, time.process_time() - began)
    return best
