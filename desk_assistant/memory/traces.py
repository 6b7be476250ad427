"""Where words have left traces: in other texts, in answers that repeat them, in the bytes of files."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from desk_assistant import textkit
from desk_assistant.memory.extract.keys import normal_form

BLACK: Final = "█"
"""Blacked-out words keep their length, so that the places other memories cite in the same message stay right."""

MIN_NEEDLE: Final = 4
"""Shorter words (in UTF-8 bytes) are found in unrelated bytes, so a search of the data folder would say nothing."""

MOST_NEEDLES: Final = 32
"""Words that are looked for in the bytes of the data folder after an erase, the longest of them."""

TELLING_LENGTH: Final = 4
"""Letters of a word that tells where it came from; a Chinese one needs two characters."""

DAMAGED: Final = "*.damaged-*"
"""Tables that were moved aside. Everything in them is in the database, and so can go when something must be gone."""

VERSION: Final = re.compile(r"v?\d{1,2}(?:\.\w+)*", re.IGNORECASE)
"""A version at the end of a product's name; a year has more digits."""

CLAUSE_END: Final = re.compile(r"[,;:](?=\s)|\s[–—-]\s|[，；：]|——")
"""Where a clause ends inside a sentence; a comma within a number is none."""

MARKED_WORDS: Final = 2
MARKED_CHARACTERS: Final = 4
"""A message of fewer content words (or Chinese characters) is small talk that anybody may say again."""


def carries(text: str, value: str) -> bool:
    """Tell whether `text` holds `value` as whole words, whatever case, width, punctuation and plain plurals."""
    wanted = normal_form(value)
    if not wanted:
        return False
    held = normal_form(text)
    if any(textkit.is_cjk(character) for character in wanted):
        return wanted.replace(" ", "") in held.replace(" ", "")
    return f" {wanted} " in f" {_spaced(held)} "


def tells(value: str) -> bool:
    """Tell whether a value is distinctive enough to be looked for where it was not cited."""
    form = normal_form(value)
    return len(form) >= TELLING_LENGTH or (len(form) > 1 and any(map(textkit.is_cjk, form)))


def name_of(value: str) -> str:
    """Return a value without the version at its end: an answer about MySQL 8.0 says MySQL as often as not."""
    words = value.split()
    while len(words) > 1 and VERSION.fullmatch(words[-1]):
        words.pop()
    return " ".join(words)


def sentences_carrying(text: str, values: Iterable[str]) -> list[tuple[int, int]]:
    """Return the spans of the sentences of `text` that hold any of the values."""
    wanted = list(values)
    return [
        (start, end)
        for start, end in textkit.sentence_spans(text)
        if any(carries(text[start:end], value) for value in wanted)
    ]


def clauses_carrying(text: str, values: Iterable[str]) -> list[tuple[int, int]]:
    """Return the spans of the clauses of `text` that hold any of the values.

    Where a value goes over the end of a clause, the span is the whole sentence.
    """
    spans: list[tuple[int, int]] = []
    for value in values:
        for start, end in sentences_carrying(text, [value]):
            clauses = [(start + a, start + b) for a, b in _clauses(text[start:end])]
            spans += [(a, b) for a, b in clauses if carries(text[a:b], value)] or [(start, end)]
    return sorted(set(spans))


def _clauses(sentence: str) -> Iterator[tuple[int, int]]:
    start = 0
    for match in CLAUSE_END.finditer(sentence):
        yield start, match.start()
        start = match.end()
    yield start, len(sentence)


def repeated(answer: str, forgotten: str, question: str, least: int) -> list[tuple[int, int]]:
    """Return the spans of the sentences of an answer that say what came from a forgotten text.

    What an answer shares with that text and not with the question it answers can only have come from there.

    Args:
        answer: What the assistant said.
        forgotten: What was said before and is forgotten now.
        question: What the answer replies to.
        least: How many telling words a sentence must share.
    """
    return sentences_telling(answer, telling(forgotten) - telling(question), least)


def sentences_telling(text: str, words: set[str], least: int = 1) -> list[tuple[int, int]]:
    """Return the spans of the sentences that have at least so many of the telling words; see `telling`."""
    if not words:
        return []
    return [
        (start, end) for start, end in textkit.sentence_spans(text) if len(words & telling(text[start:end])) >= least
    ]


def black_out(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return `text`, at the same length, with the spans blacked out."""
    for start, end in spans:
        text = text[:start] + BLACK * (end - start) + text[end:]
    return text


def text_mark(text: str) -> str | None:
    """Return what a whole text is known by when it is forgotten, or None for small talk that anybody may say again."""
    words = textkit.content_words(text)
    if len(words) < MARKED_WORDS and sum(map(textkit.is_cjk, text)) < MARKED_CHARACTERS:
        return None
    return f"text\x1f{normal_form(text)}"


def ref_mark(session: str, ref: str) -> str:
    """Return what an imported message is known by when it is forgotten: its place, whatever it says."""
    return f"message\x1f{session}\x1f{ref}"


def choose_needles(words: Iterable[str], values: Iterable[str] = ()) -> list[str]:
    """Return the words worth a search in bytes, each once: values first, and of each the longest.

    Args:
        words: Sentences and clauses that are gone. A long one is found only where it stands whole.
        values: What was said in them, which may stand elsewhere by itself; they get half of the places.
    """
    chosen = _longest(values)[: MOST_NEEDLES // 2]
    return list(dict.fromkeys([*chosen, *_longest(words)]))[:MOST_NEEDLES]


def _longest(words: Iterable[str]) -> list[str]:
    kept = {word for word in map(str.strip, words) if len(word.encode("utf-8", "replace")) >= MIN_NEEDLE}
    return sorted(kept, key=lambda word: (-len(word), word))


def files_with(folder: Path, words: Iterable[str], leave_out: Path) -> list[Path]:
    """Return the files below a folder whose bytes hold any of the words: UTF-8, UTF-16, JSON escapes; in whatever case.

    Args:
        folder: Folder to search.
        words: What to look for.
        leave_out: A folder in it that is not searched.
    """
    needles = list(dict.fromkeys(needle for word in words for needle in _encoded(word)))
    if not needles:
        return []
    return [
        path
        for path in sorted(folder.rglob("*"))
        if leave_out not in path.parents and path.is_file() and _contains(path, needles)
    ]


def holds(path: Path, words: Iterable[str]) -> bool:
    """Tell whether the bytes of a file hold any of the words; one that cannot be read may hold them."""
    needles = list(dict.fromkeys(needle for word in words for needle in _encoded(word)))
    try:
        return bool(needles) and _contains(path, needles)
    except OSError:
        return True


def empty_file(path: Path) -> None:
    """Empty a file in place, also one that another program appends to.

    Raises:
        OSError: It cannot be written.
    """
    os.truncate(path, 0)


def _encoded(word: str) -> Iterator[bytes]:
    for form in (word, word.lower(), word.casefold()):
        for code in ("utf-8", "utf-16-le", "utf-16-be"):
            yield form.encode(code, "replace")
        yield json.dumps(form)[1:-1].encode()  # "\u8336", as some programs write what is not ASCII


def _contains(path: Path, needles: Sequence[bytes], block: int = 1 << 18) -> bool:
    """Search a file for any of the byte strings without reading it whole."""
    overlap = max(map(len, needles)) - 1
    tail = b""
    try:
        with path.open("rb") as file:
            while chunk := file.read(block):
                window = tail + chunk
                if any(needle in window for needle in needles):
                    return True
                tail = window[-overlap:] if overlap else b""
    except FileNotFoundError:  # an old version of a table that was removed meanwhile
        return False
    return False


def _spaced(form: str) -> str:
    """Return a normal form with blanks beside its Chinese stretches, so that Latin words in them stand alone."""
    if form.isascii():
        return form
    pieces: list[str] = []
    cjk = False
    for character in form:
        if textkit.is_cjk(character) != cjk:
            cjk = not cjk
            pieces.append(" ")
        pieces.append(character)
    return " ".join("".join(pieces).split())


def telling(text: str) -> set[str]:
    """Return the words of a text that tell where they came from; Chinese ones in pairs of characters."""
    found: set[str] = set()
    for word in textkit.content_words(text):
        if textkit.is_cjk(word[0]):
            found.update(word[i : i + 2] for i in range(len(word) - 1))
        elif len(word) >= TELLING_LENGTH:
            found.add(normal_form(word))
    return found
