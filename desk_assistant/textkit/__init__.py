"""Small text helpers shared by search and memory, for English and Chinese alike. Standard library only.

Nothing here fails on any string: lone surrogates, control characters and half-width forms are taken as they come.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final, Literal

from desk_assistant.textkit import en, zh

Language = Literal["en", "zh"]

# Han ideographs with their extensions, kana and Hangul: scripts that are searched by character grams, because their
# words are not (or not usefully) separated by spaces.
CJK: Final = r"\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003134f"
_HAN: Final = re.compile(r"[\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f]")
_LETTER: Final = re.compile(r"[^\W\d_]")
_LATIN_WORD: Final = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff\ufe00-\ufe0f]")
_UNSAFE: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff]")
_WORD: Final = re.compile(rf"[{CJK}]+|[^\W_{CJK}]+(?:[.+#'&/_-]+[^\W_{CJK}]+)*[+#]{{0,2}}")

_TICKS: Final = re.compile("`{3,}")

POSSESSIVE: Final = re.compile(r"['’]s?$")

# A sentence ends at Chinese or ASCII end marks with their closing quotes, or at a line break. An ASCII full stop ends
# one only before white space or the end, so that 8.0 and example.com stay whole.
_END: Final = re.compile(r"[。！？!?；…]+[”’」』）)\"']*|\.+[”’)\"']*(?=\s|$)|\n+")

PIECE: Final = 200_000
"""Characters that one search goes through at a time: some twenty milliseconds, in which no other thread runs."""

OVERLAP: Final = 1000
"""Characters behind a piece by which a match that begins near its end may go on."""


def matches(
    pattern: re.Pattern[str], text: str, *, piece: int = PIECE, overlap: int = OVERLAP
) -> Iterator[re.Match[str]]:
    """Yield what `pattern.finditer(text)` yields, and let other threads have their turn in a long text.

    Args:
        pattern: What to look for; it never matches nothing at all.
        text: Any text.
        piece: Characters that are searched at a time.
        overlap: Longest match, with what it looks ahead, that is found whole wherever it stands.
    """
    position = 0
    while position + piece < len(text):
        end = position + piece
        resume = end - overlap
        for match in pattern.finditer(text, position, end):
            if match.end() > resume and match.start() > position:
                # So near the end of the piece it may look different in the next one.
                resume = min(resume, match.start())
                break
            yield match
            resume = max(resume, match.end())
        position = resume
    yield from pattern.finditer(text, position)


def clean(text: str) -> str:
    """Return `text` with lone surrogates as U+FFFD and control characters (but tab and line breaks) as spaces.

    The result can be encoded as UTF-8; its length is unchanged, so offsets stay valid.
    """
    return _UNSAFE.sub(lambda match: "\ufffd" if match.group() >= "\ud800" else " ", text)


def fenced(text: str, label: str = "") -> str:
    """Return `text` as a fenced block, which is read as something quoted: the fence is longer than any inside it."""
    longest = max((len(run) for run in _TICKS.findall(text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}{label.strip()}\n{text.strip()}\n{fence}"


def fold(text: str) -> str:
    """Return `text` for comparison: compatibility forms and width folded, case folded, invisible characters gone.

    Accents of Latin letters are dropped (`Café` matches `cafe`); marks of other scripts stay, where they are letters.
    The length may change.
    """
    folded = unicodedata.normalize("NFKC", clean(text)).casefold()
    folded = _INVISIBLE.sub("", folded)
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFC", "".join(_without_latin_marks(unicodedata.normalize("NFD", folded))))


def _without_latin_marks(decomposed: str) -> Iterator[str]:
    base = ""
    for character in decomposed:
        if unicodedata.combining(character):
            if not ("a" <= base <= "z"):
                yield character
        else:
            base = character
            yield character


def guess_language(text: str, default: Language = "en", *, weight: float = zh.CHARACTER_WEIGHT) -> Language:
    """Return the language a text is mostly in.

    A Chinese character weighs as much as a Latin word of average length, since it carries as much: `我主要用 Python`
    is Chinese. Without letters the answer is `default`.

    Args:
        text: Any text.
        default: What a text without letters is taken for.
        weight: Latin words that one Chinese character weighs as much as.
    """
    han = len(_HAN.findall(text))
    words = len(_LATIN_WORD.findall(text))
    if not han and not words:
        return "en" if _LETTER.search(text) else default
    return "zh" if han and han * weight >= words else "en"


def sentence_spans(text: str) -> tuple[tuple[int, int], ...]:
    """Return start and end (code points) of each sentence, trimmed of surrounding white space, in order.

    Knows the usual English abbreviations and initials; a line break always ends a sentence.
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for match in matches(_END, text):
        if match.group().startswith(".") and _is_abbreviation(text, start, match.start()):
            continue
        _append_trimmed(spans, text, start, match.end())
        start = match.end()
    _append_trimmed(spans, text, start, len(text))
    return tuple(spans)


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of `text`, trimmed, in order."""
    return tuple(text[start:end] for start, end in sentence_spans(text))


def words(text: str) -> tuple[str, ...]:
    """Return the words of a text, folded: spaced words with their inner marks (`node.js`, `8.0`), CJK runs whole."""
    return tuple(_WORD.findall(fold(text)))


def content_words(text: str) -> tuple[str, ...]:
    """Return what a text is about, folded: its words without function words and question words.

    Chinese is given in runs cut at function words (上次说的向量数据库选到哪了 -> 向量数据库, 选). Empty when the text
    has no content of its own, as in "as we said last time" or 上次说到哪了.
    """
    found: list[str] = []
    for word in words(text):
        if is_cjk(word[0]):
            found.extend(piece for piece in zh.FUNCTION.split(word) if piece)
        else:
            word = POSSESSIVE.sub("", word)
            if word and word not in en.STOP_WORDS and word not in en.TALK_WORDS:
                found.append(word)
    return tuple(found)


@lru_cache(maxsize=4096)
def is_cjk(character: str) -> bool:
    """Return whether `character` is of a script that is searched by character grams."""
    return re.match(f"[{CJK}]", character) is not None


def _is_abbreviation(text: str, start: int, stop: int) -> bool:
    word = re.search(r"[A-Za-z.]+$", text[max(start, stop - 12) : stop])
    if word is None:
        return False
    name = word.group().casefold()
    return name in en.ABBREVIATIONS or (len(name) == 1 and name != "i" and word.group().isupper())


def _append_trimmed(spans: list[tuple[int, int]], text: str, start: int, end: int) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        spans.append((start, end))
