"""From bytes of tokens to text that may be shown: no half characters, no half stop strings, thinking set apart."""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from desk_assistant.llm.types import Piece

THINK_OPEN: Final = "<think>"
THINK_CLOSE: Final = "</think>"


def held_length(text: str, marks: Iterable[str]) -> int:
    """Return how many characters at the end of `text` may be the beginning of one of `marks`."""
    longest = 0
    for mark in marks:
        for size in range(min(len(mark) - 1, len(text)), longest, -1):
            if text.endswith(mark[:size]):
                longest = size
                break
    return longest


@dataclass
class _Find:
    at: int
    mark: str


def _first(text: str, marks: Iterable[str]) -> _Find | None:
    finds = [_Find(at, mark) for mark in marks if (at := text.find(mark)) >= 0]
    # Of two that begin at one place, the longer is the one that was meant.
    return min(finds, key=lambda find: (find.at, -len(find.mark)), default=None)


class AnswerStream:
    """Turns the bytes of sampled tokens into `Piece`s.

    A model's thinking block counts only where it opens the answer: later on, `<think>` is a word like any other.

    Args:
        stop: Strings that end the answer.
        thinking: The prompt has already opened a thinking block.
    """

    def __init__(self, stop: Sequence[str] = (), *, thinking: bool = False) -> None:
        self._stop = tuple(mark for mark in stop if mark)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""
        self._phase = "thinking" if thinking else "opening"
        self._parts: list[str] = []
        self.stopped = False
        """Whether a stop string was met; nothing after it is taken."""
        self.thought = thinking
        """Whether there was a thinking block."""

    @property
    def text(self) -> str:
        """The answer so far, without what is held back and without thinking."""
        return "".join(self._parts)

    def feed(self, data: bytes) -> list[Piece]:
        """Take the bytes of a token and return what can be shown now."""
        if self.stopped:
            return []
        self._held += self._decoder.decode(data)
        return list(self._release(final=False))

    def finish(self) -> list[Piece]:
        """Return what was held back and turned out to be text. Half a character at the end is dropped."""
        if self.stopped:
            return []
        return list(self._release(final=True))

    def _release(self, *, final: bool) -> Iterable[Piece]:
        while self._held and not self.stopped:
            if self._phase == "opening":
                if not self._open(final=final):
                    return
            elif self._phase == "thinking":
                piece = self._cut((THINK_CLOSE,), final=final)
                if piece.mark:
                    self._phase = "after thinking"
                if piece.text:
                    yield Piece(piece.text, thought=True)
                if not piece.mark:
                    return
            else:
                if self._phase == "after thinking":
                    # Templates part the block from the answer with blank lines, which belong to neither.
                    self._held = self._held.lstrip("\n")
                    if not self._held:
                        return
                    self._phase = "answer"
                piece = self._cut(self._stop, final=final)
                if piece.text:
                    self._parts.append(piece.text)
                    yield Piece(piece.text)
                if not piece.mark:
                    return
                self.stopped = True

    def _open(self, *, final: bool) -> bool:
        start = self._held.lstrip()
        if start.startswith(THINK_OPEN):
            self._held = start[len(THINK_OPEN) :].lstrip("\n")
            self._phase, self.thought = "thinking", True
            return True
        if THINK_OPEN.startswith(start) and not final:
            return False
        self._phase = "answer"
        return True

    def _cut(self, marks: Sequence[str], *, final: bool) -> _Cut:
        find = _first(self._held, marks)
        if find is not None:
            text, self._held = self._held[: find.at], self._held[find.at + len(find.mark) :]
            return _Cut(text, find.mark)
        keep = 0 if final else held_length(self._held, marks)
        text, self._held = self._held[: len(self._held) - keep], self._held[len(self._held) - keep :]
        return _Cut(text, "")


@dataclass(frozen=True)
class _Cut:
    text: str
    mark: str
