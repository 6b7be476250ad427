"""How text becomes search terms. One analysis for both languages, the same at index and at query time.

The table's own tokenizers have one language setting for a table, and a bilingual person does not keep to one. So the
terms are made here, joined by spaces, and the table only splits at white space.

- English: folded, possessive cut, function words out, irregular forms led back to their base form, stemmed. Names with
  inner marks or digits (`node.js`, `MySQL8.0`, `v1.2.3`) are kept whole *and* in their parts.
- Chinese, Japanese, Korean: every pair of neighbouring characters. Every single character too, marked, so that it
  counts only for questions of a single character and does not drown the pairs.
- Anything else: folded words as they are.
"""

from __future__ import annotations

import itertools
import re
from functools import lru_cache
from typing import Final

import snowballstemmer

from desk_assistant import textkit
from desk_assistant.textkit import en, zh

VERSION: Final = 2
"""Raised whenever the same text would give other terms; a table made with another version is rebuilt."""

MAX_TERM: Final = 64
"""Characters. Longer "words" are keys and base64; their beginning is enough to find them."""

MAX_TERMS: Final = 4096
"""Terms of one record. A pasted book would otherwise drown its own record and slow every write."""

_PARTS: Final = re.compile(r"\d+(?:\.\d+)*|[^\W\d_]+")
_SINGLE: Final = "\u00b7"

_stemmer = snowballstemmer.stemmer("english")


def terms(text: str) -> list[str]:
    """Return the search terms of a text to be indexed, in order, repeats included."""
    found: list[str] = []
    for word in textkit.words(text):
        if textkit.is_cjk(word[0]):
            found.extend(_pairs(word))
            found.extend(_SINGLE + character for character in word)
        else:
            found.extend(_spaced(word))
        if len(found) >= MAX_TERMS:
            break
    return found[:MAX_TERMS]


def query_terms(text: str) -> list[str]:
    """Return the search terms of a question, each once. None are left of an English one made of function words only."""
    found: list[str] = []
    for word in textkit.words(text):
        if textkit.is_cjk(word[0]):
            found.extend(_pairs(word) if len(word) > 1 else [_SINGLE + word])
        else:
            found.extend(_spaced(word))
        if len(found) >= MAX_TERMS:
            break
    return list(dict.fromkeys(found[:MAX_TERMS]))


def distinct(text: str) -> set[str]:
    """Return the terms that tell one record from another: those of `terms`, without single characters."""
    return {term for term in terms(text) if not term.startswith(_SINGLE)}


def content_terms(text: str) -> list[str]:
    """Return the terms of what a text is about, each once: without function words and talk about the talk."""
    found: list[str] = []
    for word in textkit.content_words(text):
        if textkit.is_cjk(word[0]):
            found.extend(_pairs(word) if len(word) > 1 else [_SINGLE + word])
        else:
            found.extend(_spaced(word))
    return list(dict.fromkeys(found[:MAX_TERMS]))


def _pairs(run: str) -> list[str]:
    return [a + b for a, b in itertools.pairwise(run) if not (a in zh.STOP_CHARACTERS and b in zh.STOP_CHARACTERS)]


@lru_cache(maxsize=65536)
def _spaced(word: str) -> tuple[str, ...]:
    if word in en.STOP_WORDS:
        return ()
    word = textkit.POSSESSIVE.sub("", word)
    if not word or word in en.STOP_WORDS:
        return ()
    parts = _PARTS.findall(word)
    # The bare digit of a name or the initial of an abbreviation finds too much.
    inner = [_stem(part) for part in parts if len(part) > 1 and part not in en.STOP_WORDS] if len(parts) > 1 else []
    return tuple(dict.fromkeys([_stem(word), *inner]))


def _stem(word: str) -> str:
    cut = word[:MAX_TERM]
    if not (cut.isascii() and cut.isalpha()):
        return cut
    return str(_stemmer.stemWord(en.BASE_FORMS.get(cut, cut)))
