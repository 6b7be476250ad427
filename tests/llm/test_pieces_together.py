from __future__ import annotations

from typing import Any, cast

import pytest

pytest.importorskip("llama_cpp")

from desk_assistant.llm.child_engine import PIECE_SECONDS, Outlet
from desk_assistant.llm.types import Piece


class Noted:
    """A request that keeps what is sent."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bool]] = []

    def emit(self, message: dict[str, Any]) -> None:
        self.sent.append((message["piece"], message["thought"]))


def test_quick_pieces_go_together_slow_ones_at_once_and_thoughts_apart() -> None:
    now, call = [0.0], Noted()
    outlet = Outlet(cast(Any, call), lambda: now[0])
    for text, thought in (("a", True), ("b", True), ("c", False)):
        outlet.send([Piece(text, thought)])
    assert call.sent == [("a", True)], "the first word is not kept waiting"
    now[0] += PIECE_SECONDS
    outlet.send([Piece("d")])
    assert call.sent == [("a", True), ("b", True), ("cd", False)]
    now[0] += PIECE_SECONDS
    outlet.send([Piece("e")])
    assert call.sent[-1] == ("e", False)
    outlet.send([Piece("f")])
    outlet.flush()
    assert call.sent[-1] == ("f", False)
