"""How much of an answer goes with a forgotten value: the clause that says it."""

from __future__ import annotations

import pytest

from desk_assistant.memory.traces import black_out, clauses_carrying


@pytest.mark.parametrize(
    ("text", "value", "left"),
    [
        ("You like jazz, so try the harbour club. It is cheap.", "jazz", "so try the harbour club. It is cheap."),
        ("你喜欢爵士乐，所以可以去那家酒吧。不贵。", "爵士乐", "所以可以去那家酒吧。不贵。"),
        ("You paid 1,200 euros for it, which is a lot.", "1,200 euros", "which is a lot."),
        ("The rest is here: you like jazz.", "jazz", "The rest is here:"),
    ],
)
def test_the_other_clauses_stay(text: str, value: str, left: str) -> None:
    blacked = black_out(text, clauses_carrying(text, [value]))
    assert value not in blacked
    assert left in blacked


def test_a_value_that_goes_over_a_comma_takes_its_sentence() -> None:
    text = "You have to call Ida, the plumber, by Friday. Good luck."
    blacked = black_out(text, clauses_carrying(text, ["call Ida, the plumber"]))
    assert blacked.startswith("█" * 44)
    assert blacked.endswith("Good luck.")
