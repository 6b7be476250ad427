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
