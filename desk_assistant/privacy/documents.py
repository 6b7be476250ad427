"""Numbers of papers and accounts that are named in the same breath, but not side by side.

`cues` reads a value right after its word. Here the word may stand anywhere near: "the booking wants my passport, that
is …", 护照本上写的…. The nearest word that fits the shape names the kind. And once a value of a kind was found, others
of exactly its shape in the same text are taken for the same kind: "… while my ticket shows the former, …".
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy import checks, vetoes
from desk_assistant.privacy.accept import Link, api_key, dated
from desk_assistant.privacy.finding import Finding, Rank
from desk_assistant.privacy.lexicon import EN, ZH
from desk_assistant.privacy.trie import trie_pattern

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from desk_assistant.privacy.fold import Shadow

_BEFORE: Final = 90
_AFTER: Final = 44
_AROUND: Final = 124
_KEY_REACH: Final = 48
_MOST_WORDS: Final = 8
"""Words looked at on either side of a value."""
_VALUE: Final = re.compile(
    r"(?<![0-9A-Za-z_.@#/:+-])(?:[A-Z]{1,6}[ -]?|[a-z]{1,3}-?"
    r"|[a-z]{2} (?=[0-9]{2} ))?[0-9](?:[ .-]?[0-9]|-?[A-Za-z](?![a-z])|[A-Z]{1,2}(?=[0-9])"
    r"| [A-Z]{1,3}(?![A-Za-z])| [b-hj-z](?![A-Za-z'])){4,28}(?:\([0-9A]\))?(?![0-9A-Za-z_@])"
    r"|(?<![0-9A-Za-z_.@#/:+-])[A-Z]{2,6}[ ]?[0-9][0-9A-Z]{4,16}(?: [0-9A-Z]{4,6})?(?![0-9A-Za-z_@])"
    r"|(?<=[a-z])[0-9]{4}(?:[ -][0-9]{4}){3}(?![0-9A-Za-z_@-])"
)
_SIZE: Final = re.compile(r"[0-9]{2,4}x[0-9]{2,4}")
_NOT_ALNUM: Final = re.compile(r"[^0-9A-Za-z]")


def _digits(value: str) -> int:
    return sum(char.isdigit() for char in value)


def _identity(value: str) -> bool:
    return 7 <= len(value) <= 14 and _digits(value) >= 6


# kind of cue -> type, test of the value without separators
_KINDS: Final[dict[str, tuple[str, Callable[[str], bool]]]] = {
    "cnid": ("CN_ID", lambda value: len(value) == 18 and value[:17].isdigit()),
    "ssn": ("US_SSN", lambda value: len(value) == 9 and value.isdigit() and checks.us_ssn(value)),
    "nino": (
        "UK_NINO",
        lambda value: re.fullmatch(r"[A-Za-z]{2}[0-9]{6}[A-Da-d]", value) is not None and checks.uk_nino(value),
    ),
    "passport": (
        "PASSPORT",
        lambda value: (
            8 <= len(value) <= 9
            if value.isdigit()
            else 7 <= len(value) <= 10
            and (_digits(value) >= 5 or (len(value) == 9 and value.isupper() and _digits(value) >= 3))
        ),
    ),
    "licence": ("DRIVER_LICENSE", lambda value: 7 <= len(value) <= 20 and _digits(value) >= 5),
    "medical": ("MEDICAL_ID", lambda value: 7 <= len(value) <= 16 and _digits(value) >= 6),
    "national": ("NATIONAL_ID", _identity),
    "card": ("CREDIT_CARD", lambda value: value.isdigit() and 15 <= len(value) <= 19 and value[0] in "3456"),
    "iban": (
        "IBAN",
        lambda value: (
            re.fullmatch(r"[A-Za-z]{2}[0-9]{2}[A-Za-z0-9]{11,30}", value) is not None and checks.iban_length(value)
        ),
    ),
    "bank": ("BANK_ACCOUNT", lambda value: value.isdigit() and 8 <= len(value) <= 22),
}
# Words of `cues` that are too common to reach over a distance.
_SHORT: Final = frozenset(
    {
        "license",
        "licence",
        "card",
        "cc",
        "卡",
        "社保",
        "医保",
        "sin",
        "nie",
        "tin",
        "social",
        "account",
        "checking",
        "sort",
    }
    | {
        "savings",
        "acc",
        "账号",
        "帐号",
        "账户",
        "帐户",
        "转到",
        "打款到",
        "完整的",
        "证号",
        "group number",
        "税号",
        "visa",
        "insurance card",
    }
)


def _by_word() -> dict[str, tuple[str, ...]]:
    """Word -> the kinds it may speak of: a transfer goes to an account at home or abroad."""
    collected: dict[str, tuple[str, ...]] = {}
    for words in (ZH, EN):
        for part in (words.papers, words.cues):
            for kind, listed in part.items():
                for word in listed:
                    if kind in _KINDS and (word not in _SHORT or part is words.papers):
                        collected[word] = tuple(dict.fromkeys((*collected.get(word, ()), kind)))
    return collected


_FAR: Final = _by_word()
_LATIN: Final = trie_pattern(word for word in _FAR if word[0].isascii())
_OTHER: Final = trie_pattern(word for word in _FAR if not word[0].isascii())
_WORD: Final = re.compile(rf"(?<![a-z0-9])(?:{_LATIN})(?![a-z])|(?:{_OTHER})")
_SENTENCE: Final = re.compile(r"[.!?;]\s")


def find(shadow: Shadow) -> Iterator[Finding]:
    """Yield numbers of papers and accounts whose word stands near."""
    text, lower = shadow.text, shadow.lower
    words: list[tuple[int, int, tuple[str, ...]]] | None = None
    # A text that repeats itself, as hostile ones do, is judged once.
    judged: dict[str, str | None] = {}
    yield from _keys(text, lower)
    for match in _VALUE.finditer(text):
        if words is None:
            words = [(found.start(), found.end(), _FAR[found[0]]) for found in _WORD.finditer(lower)]
            if not words:
                return
        start, end = match.span()
        around = f"{min(start, _AROUND)}:{end - start}:{text[max(0, start - _AROUND) : end + _AROUND]}"
        if around not in judged:
            judged[around] = _kind(words, shadow, start, end)
        kind = judged[around]
        if kind is not None:
            yield Finding(start, end, kind, Rank.LOOSE)


_KEY: Final = re.compile(
    r"(?<![0-9A-Za-z_./:=+-])(?=[0-9A-Za-z_-]{0,63}[0-9])(?=[0-9_-]{0,63}[A-Za-z])"
    r"[0-9A-Za-z][0-9A-Za-z_-]{18,127}(?![0-9A-Za-z_./:@+-])"
)
_KEY_WORDS: Final = (*EN.cues["apikey"], *EN.papers["apikey"], *ZH.cues["apikey"], *ZH.papers["apikey"])
_KEY_WORD: Final = re.compile(
    rf"(?<![a-z0-9])(?:{trie_pattern(word for word in _KEY_WORDS if word.isascii())})(?![a-z])"
    rf"|(?:{trie_pattern(word for word in _KEY_WORDS if not word.isascii())})"
)
_NO_KEY: Final = re.compile(
    r"(?<![a-z])(?:md5|sha-?[0-9]{0,3}|checksum|commit|hash|uuid|guid|digest|git|etag|trace|build|image"
    r"|docker|order|tracking)(?![a-z])|哈希|校验值|提交|单号"
)


def _keys(text: str, lower: str) -> Iterator[Finding]:
    """Yield long random words with a key spoken of before them: "I put the appid … 7b20c94e15aa…"."""
    for match in _KEY.finditer(text):
        begin = max(0, match.start() - _KEY_REACH)
        if _KEY_WORD.search(lower, begin, match.start()) and not _NO_KEY.search(lower, begin, match.start()):
            value = match[0]
            if not value.isdigit() and len(set(value)) >= 8 and api_key(value, Link.NEAR, loose=True):
                yield Finding(match.start(), match.end(), "API_KEY", Rank.LOOSE)


def _kind(words: list[tuple[int, int, tuple[str, ...]]], shadow: Shadow, start: int, end: int) -> str | None:
    """The type of the nearest word, before or else after, whose kind of value `start`..`end` can be."""
    text, lower = shadow.text, shadow.lower
    bare = _NOT_ALNUM.sub("", text[start:end])
    if bare.endswith("0000") or _SIZE.fullmatch(bare) or dated(text, start) or vetoes.spoken_against(lower, start, end):
        return None
    best: tuple[int, str] | None = None
    index = bisect_left(words, (start,))
    for begin, stop, kinds in words[max(0, index - _MOST_WORDS) : index + _MOST_WORDS]:
        if stop <= start and start - stop <= _BEFORE:
            distance = start - stop + 12 * len(_SENTENCE.findall(lower, stop, start))
        elif begin >= end and begin - end <= _AFTER:
            distance = begin - end + 30
        else:
            continue
        if best is None or distance < best[0]:
            name = next((name for name, fits in map(_KINDS.__getitem__, kinds) if fits(bare)), None)
            best = best if name is None else (distance, name)
    return None if best is None else best[1]


_TWINS: Final = frozenset(
    {"PASSPORT", "DRIVER_LICENSE", "MEDICAL_ID", "NATIONAL_ID", "BANK_ACCOUNT", "CREDIT_CARD", "CN_ID"}
)
_MOST_SHAPES: Final = 8
"""Different shapes looked for in one text: each costs a pass over it."""
_LONGEST_SHAPE: Final = 40
"""Characters of the longest shape looked for: what runs on beyond that is several values side by side."""
_SHAPE: Final = str.maketrans({**dict.fromkeys("0123456789", "9"), **dict.fromkeys("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "A")})


def twins(shadow: Shadow, found: Collection[Finding]) -> Iterator[Finding]:
    """Yield what has exactly the shape of one of `found`, a number of a paper, and is not said to be something else."""
    shapes: dict[str, str] = {}
    known = {one.start for one in found}
    for one in found:
        if one.end - one.start > _LONGEST_SHAPE:
            continue
        shape = shadow.text[one.start : one.end].translate(_SHAPE)
        if (
            one.type in _TWINS
            and len(shape) >= 7
            and shape.isascii()
            and shape.upper() == shape
            and len(shapes) < _MOST_SHAPES
        ):
            shapes.setdefault(shape, one.type)
    for shape, kind in shapes.items():
        source = re.escape(shape).replace("9", "[0-9]").replace("A", "[A-Z]")
        for match in re.finditer(rf"(?<![0-9A-Za-z_.@#/:+-]){source}(?![0-9A-Za-z_@])", shadow.text):
            if match.start() not in known and not vetoes.spoken_against(shadow.lower, match.start(), match.end()):
                yield Finding(match.start(), match.end(), kind, Rank.LOOSE)
