from __future__ import annotations

import json

from desk_assistant.index.evidence import Evidence, Part
from desk_assistant.index.records import Hit

A, B = Hit("a", "turn", "s", 0.5, 2.0), Hit("b", "fact", "", None, None)


def test_evidence_survives_the_pipe() -> None:
    part = Part("one", (A,), {"a": 1.0, "b": 0.25}, {"a": (0.5, "b")}, (B,))
    evidence = Evidence("one two", (part, Part("two", (B, A))), (A, B), questions=True)
    assert Evidence.from_message("one two", json.loads(json.dumps(evidence.to_message()))) == evidence


def test_each_record_as_the_part_that_likes_it_best_found_it() -> None:
    better = Hit("a", "turn", "s", 0.7, 1.0)
    evidence = Evidence("q", (Part("x", (A,), around=(B,)), Part("y", (better,))))
    assert evidence.hits == {"a": better, "b": B}
