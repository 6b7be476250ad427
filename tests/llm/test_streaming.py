from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desk_assistant.llm.streaming import AnswerStream, held_length
from desk_assistant.llm.types import Piece

STOPS = ("\n用户：", "<|end|>", "<|end|>!")


def run(chunks: list[bytes], stop: tuple[str, ...] = (), *, thinking: bool = False) -> tuple[AnswerStream, list[Piece]]:
    stream = AnswerStream(stop, thinking=thinking)
    pieces = [piece for chunk in chunks for piece in stream.feed(chunk)]
    return stream, pieces + stream.finish()


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[at : at + size] for at in range(0, len(data), size)]


def said(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces if not piece.thought)


def thought(pieces: list[Piece]) -> str:
    return "".join(piece.text for piece in pieces if piece.thought)


@given(st.text(), st.integers(1, 6))
def test_whatever_the_cuts_the_text_is_whole_and_no_piece_has_half_a_character(text: str, size: int) -> None:
    stream, pieces = run(cut(text.encode(), size), ("\x00never",))
    if not text.lstrip().startswith("<think>"):
        assert said(pieces) == stream.text == text


@given(st.text(alphabet="ab\n用户：<|end>!", max_size=40), st.integers(1, 6))
def test_a_stop_string_is_never_shown_not_even_in_part(text: str, size: int) -> None:
    stream, pieces = run(cut(text.encode(), size), STOPS)
    ends = [text.find(stop) for stop in STOPS if stop in text]
    assert said(pieces) == (text[: min(ends)] if ends else text)
    assert stream.stopped is bool(ends)


def test_text_that_only_looks_like_a_stop_string_is_held_and_then_shown() -> None:
    stream = AnswerStream(("<|end|>",))
    assert said(stream.feed(b"a <|e")) == "a "
    assert said(stream.feed(b"gg")) == "<|egg"


def test_half_a_character_at_the_end_is_dropped_and_broken_ones_are_marked() -> None:
    assert run(["好".encode() + "的".encode()[:2]])[0].text == "好"
    assert run([b"a\xffb"])[0].text == "a\ufffdb"


def test_nothing_is_taken_after_the_stop() -> None:
    stream = AnswerStream(("X",))
    assert said(stream.feed(b"one X two")) == "one "
    assert stream.feed(b"three") == []
    assert stream.finish() == []
    assert stream.text == "one "


@pytest.mark.parametrize("size", [1, 2, 3, 100])
def test_a_thinking_block_is_set_apart(size: int) -> None:
    stream, pieces = run(cut("<think>\n想一想 <|end|>\n</think>\n\n答案".encode(), size), STOPS)
    assert thought(pieces).strip() == "想一想 <|end|>"
    assert said(pieces) == stream.text == "答案"
    assert stream.thought


def test_a_block_the_prompt_has_opened_is_thinking_from_the_start() -> None:
    stream, pieces = run([b"hmm</thi", b"nk>", b"\n\nyes"], thinking=True)
    assert (thought(pieces), said(pieces)) == ("hmm", "yes")
    assert stream.text == "yes"


def test_later_on_the_word_is_a_word() -> None:
    stream, pieces = run([b"Write <think> to ", b"think</think>."])
    assert stream.text == "Write <think> to think</think>."
    assert not thought(pieces)


def test_an_unfinished_thought_is_no_answer() -> None:
    stream, pieces = run([b"<think>so far"])
    assert thought(pieces) == "so far"
    assert stream.text == ""


def test_a_beginning_of_the_block_that_is_all_there_is_is_text() -> None:
    assert run([b"<thi"])[0].text == "<thi"


@pytest.mark.parametrize(("text", "length"), [("ab", 0), ("a<", 1), ("<|en", 4), ("\n用", 2), ("", 0)])
def test_only_a_possible_beginning_is_held(text: str, length: int) -> None:
    assert held_length(text, STOPS) == length
