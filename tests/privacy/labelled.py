"""Reads the labelled lines and counts what a gate makes of it: a value left half readable is a value missed."""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy import Span

if TYPE_CHECKING:
    from collections.abc import Iterable

    from desk_assistant.privacy import PrivacyGate

_HERE: Final = Path(__file__).parent
WRITERS: Final = {
    "own": (_HERE / "lines.toml", _HERE / "phrasings.toml"),
    **{file.stem: (file,) for file in sorted((_HERE / "written").glob("*.toml"))},
}
"""Who wrote lines -> the files with them. People word things in their own way, so one can be left out of a fit."""
FILES: Final = tuple(file for files in WRITERS.values() for file in files)
_MARK: Final = re.compile(r"\{\{([A-Z_]+)\|(.*?)\}\}", re.DOTALL)


@dataclass(frozen=True)
class Line:
    """One labelled message."""

    language: str
    text: str
    spans: tuple[Span, ...]


@dataclass
class Score:
    """Counts over many lines."""

    wanted: Counter[str] = field(default_factory=Counter)
    found: Counter[str] = field(default_factory=Counter)
    typed: int = 0
    masks: int = 0
    wrong: int = 0
    harmless: int = 0
    touched: int = 0
    misses: list[str] = field(default_factory=list)

    def recall(self, *kinds: str) -> float:
        """Share of the values of `kinds` (types or languages; all types without any) that were masked whole."""
        chosen = kinds or tuple(kind for kind in self.wanted if kind.isupper())
        return sum(self.found[kind] for kind in chosen) / max(1, sum(self.wanted[kind] for kind in chosen))

    @property
    def total(self) -> int:
        """Number of labelled values."""
        return sum(count for kind, count in self.wanted.items() if kind.isupper())


def read(*files: Path) -> list[Line]:
    """Return the labelled lines of `files`, by default all that the scorer was fitted to."""
    lines = []
    for file in files or FILES:
        for language, blocks in tomllib.loads(file.read_text(encoding="utf-8")).items():
            for block in blocks.values():
                lines += [parse(language, line) for line in block.splitlines() if line.strip()]
    return lines


def parse(language: str, marked: str) -> Line:
    """Return the message and its spans from a line with `{{TYPE|value}}` marks; ⏎ stands for a new line."""
    marked = marked.replace("⏎", "\n")
    text, spans, position = "", [], 0
    for match in _MARK.finditer(marked):
        text += marked[position : match.start()]
        spans.append(Span(len(text), len(text) + len(match[2]), match[1]))
        text += match[2]
        position = match.end()
    return Line(language, text + marked[position:], tuple(spans))


def score(gate: PrivacyGate, lines: Iterable[Line]) -> Score:
    """Run `gate` over `lines`."""
    result = Score()
    for line in lines:
        got = gate.check(line.text)
        covered = {index for span in got for index in range(span.start, span.end)}
        for span in line.spans:
            whole = all(i in covered for i in range(span.start, span.end) if line.text[i].isalnum())
            for kind in (span.type, line.language):
                result.wanted[kind] += 1
                result.found[kind] += whole
            result.typed += whole and any(each.type == span.type and _overlap(each, span) for each in got)
            if not whole:
                result.misses.append(line.text)
        result.masks += len(got)
        result.wrong += sum(1 for each in got if not any(_overlap(each, span) for span in line.spans))
        result.harmless += not line.spans
        result.touched += not line.spans and bool(got)
    return result


def _overlap(one: Span, other: Span) -> bool:
    return one.start < other.end and other.start < one.end
