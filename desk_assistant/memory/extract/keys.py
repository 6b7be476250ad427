"""Normal forms: when two statements say the same thing, whatever their case, width, punctuation and articles."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

_PUNCTUATION: Final = re.compile(r"[^\w\s+#.]|_|(?<!\w)\.|\.(?!\w)")
_ARTICLES: Final = frozenset(["a", "an", "the", "my", "our", "some", "any", "to"])
_SPACE: Final = re.compile(r"\s+")
_BESIDE_HAN: Final = re.compile(r"(?<=[㐀-鿿])\s+|\s+(?=[㐀-鿿])")
_HAN_TAIL: Final = re.compile(r"(?<=[㐀-鿿])[了的啊呀哦呢吧啦]+$")
_HAN_HEAD: Final = re.compile(r"^(?:我们?的?)(?=[㐀-鿿])")


def _singular(word: str) -> str:
    if (
        len(word) > 3
        and word.isascii()
        and word.isalpha()
        and word.endswith("s")
        and not word.endswith(("ss", "us", "is"))
    ):
        return word[:-3] + "y" if word.endswith("ies") and len(word) > 4 else word[:-1]
    return word


def normal_form(text: str) -> str:
    """Fold width, case, punctuation, articles and plain English plurals of `text`; lone surrogates are dropped."""
    folded = unicodedata.normalize("NFKC", text.encode("utf-8", "ignore").decode("utf-8")).casefold()
    words = [_singular(word) for word in _PUNCTUATION.sub(" ", folded.replace("’", "'").replace("'", "")).split()]
    kept = [word for word in words if word not in _ARTICLES] or words
    joined = _BESIDE_HAN.sub("", " ".join(kept))
    return _SPACE.sub(" ", _HAN_HEAD.sub("", _HAN_TAIL.sub("", joined))).strip()


def statement_key(subject: str, predicate: str, object: str) -> str:
    """Return the normalised key of a statement, the one tombstones are made of.

    Two statements with one key are the same statement: "I'm allergic to walnuts." and "i am ALLERGIC to walnuts!!".
    """
    return "\x1f".join((normal_form(subject), predicate.casefold(), normal_form(object)))


def content_of(text: str) -> frozenset[str]:
    """Return the words of a value, with endings of English verbs taken off so that "playing" finds "play"."""
    words: set[str] = set()
    for word in normal_form(text).split():
        if word.isascii() and word.isalpha():
            for ending in ("ing", "ed", "es", "e"):
                if word.endswith(ending) and len(word) - len(ending) >= 3:
                    word = word[: -len(ending)]
                    break
            if len(word) > 3 and word[-1] == word[-2]:
                word = word[:-1]
        words.add(word)
    return frozenset(words)


_DOING: Final = re.compile(
    r"^(?:eating|drinking|playing|watching|doing|going to|listening to|having|taking|cooking|using|wearing) (?=\S)"
    r"|^[吃喝看听玩打做用穿养](?=[㐀-鿿]{2})"
)
"""What one does with a thing, before it: liking to eat durian and liking durian are one taste."""

_OCCASION: Final = re.compile(
    r"(?<=\S) (?:night|evening|party|partie|session|music|food|dish|dishe|movie|film|show|game|match|race|concert|class"
    r"|lesson|thing|stuff)$"
)
"""What comes after a thing without making it another one ("karaoke nights")."""


def matter_of(value: str) -> str:
    """Return the normal form of what a taste is about, without what one does with it and on which occasion."""
    form = normal_form(value)
    return _OCCASION.sub("", _DOING.sub("", form)) or form


_HAN_PARTICLES: Final = frozenset("给把将了完好过已经的去要在我都也就再")
_LEAST_WORDS: Final = 2


def is_done_by(task: str, deed: str) -> bool:
    """Tell whether a deed ("watered the ferns", 绿萝浇完水了) is what a task asked for ("water ferns", 给绿萝浇水)."""
    asked, done = normal_form(task), normal_form(deed)
    if asked.isascii() and done.isascii():
        few = content_of(task)
        return len(few) >= _LEAST_WORDS and few <= content_of(deed)
    characters = set(asked) - _HAN_PARTICLES
    return len(characters) >= _LEAST_WORDS and characters <= set(done)
