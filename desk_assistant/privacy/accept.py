"""Judging whether the characters after a cue are a value or ordinary speech, code or a stand-in."""

from __future__ import annotations

import re
from enum import IntEnum
from typing import Final

from desk_assistant.privacy.lexicon import EN, ZH
from desk_assistant.privacy.trie import trie_pattern


class Link(IntEnum):
    """How a cue and its value are joined."""

    NEAR = 0
    """Side by side: "door code 4471", 密码abc123."""
    TO = 1
    """By a preposition: "set the password to …", "from … to …"."""
    SAYS = 2
    """By a verb or 是: "the password is …"."""
    MARK = 3
    """By a mark: "password: …", "PIN=…"."""


_STAND_IN: Final = re.compile(
    r"[*•.xX_?#-]{2,}|<[^>]*>?|\$\{?[\w.]+\}?|\$\{\w+:?[?+][^}]*\}?|\$\(.*|%\w+%|\{\{.*|your[_-].*"
    r"|my[_-]?(?:password|secret|api.?key|token)|"
    r"(?:x{4,}|y{4,}|0{6,}|1234567890)|example.*|placeholder.*|redacted|pass(?:word)?|secret|token|(?:insert|enter|put"
    r"|replace)[_-].*|todo|tbd|n/?a",
    re.IGNORECASE,
)
_CODE: Final = re.compile(
    r"(?:[A-Za-z_]\w*(?:\.|->|::))*[A-Za-z_]\w*[(\[]|(?:[A-Za-z_]{2,}\.)+[A-Za-z_]+[;)]*$|[\[{(]|"
    r"(?:process|os|self|this|config|settings|request|env|secrets|vars|args|user|form|req"
    r"|ctx)(?:\.|->)\w|\$[A-Z_]+$|@\w+\(",
)
_URL: Final = re.compile(r"[a-z][a-z0-9+.-]{1,12}://|www\.", re.IGNORECASE)
_DIGIT: Final = re.compile(r"[0-9]")
_LETTER: Final = re.compile(r"[A-Za-z]")
_LETTERS_ONLY: Final = re.compile(r"(?=[A-Z]*[a-z])(?=[a-z]*[A-Z])(?=.*[a-z][A-Z].*[A-Z][a-z])[A-Za-z+=_]{24,}")
_PLAIN: Final = re.compile(r"[A-Za-z]+(?:['-][A-Za-z]+)*")
_END: Final = re.compile(
    r"[ ]?(?:$|[\n.,;:!?)\]\"'|<]|[^\x00-\x7f]|(?:btw|please|pls|thanks|thx|lol|ok|and|but|for|on|if"
    r"|so|haha|fyi|now|again|right|still|just|remember|don't|keep|in case|-)\b)",
)
_ENDS: Final = re.compile(r" ?(?:$|[\n.,;:!?)\]#*]|[的啊哦吧了呀哈])")
_AFTER_UNIT: Final = re.compile(
    rf"[ -]?(?:(?:{trie_pattern(EN.units)})(?![a-z0-9])|(?:{trie_pattern(ZH.units)})"
    rf"(?!(?<=只)[收能接有要打发在是用限给]))|:\d\d(?!\d)|(?:st"
    r"|nd|rd|th)(?![a-z])",
)
_DATE: Final = re.compile(
    r"(?:19|20)\d\d[-/.年](?:0?[1-9]|1[0-2])(?:[-/.月](?:0?[1-9]|[12]\d|3[01]))?(?!\d)"
    r"|\d{1,2}/\d{1,2}/(?:19|20)?\d\d(?!\d)"
)
_ZH: Final = re.compile(r"[\u4e00-\u9fff]")


def counted(lower: str, end: int) -> bool:
    """Whether the number that ends at `end` is followed by a unit: a count, a price or a time, not an identifier."""
    return _AFTER_UNIT.match(lower, end) is not None


def dated(text: str, start: int) -> bool:
    """Whether a date begins at `start`."""
    return _DATE.match(text, start) is not None


def stand_in(value: str) -> bool:
    """Whether `value` is a placeholder, a variable or a call rather than a secret."""
    return (
        _STAND_IN.fullmatch(value) is not None
        or _CODE.match(value) is not None
        or (len(set(value)) == 1 and len(value) > 4)
    )


def password(value: str, link: Link, lower: str, end: int) -> bool:
    """Whether `value`, ending at `end` in `lower`, is a password.

    A plain word counts only when it was said to be one ("is", ":") and ordinary speech does not go on from there.
    """
    if len(value) < 3 or stand_in(value) or "://" in value:
        return False
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isalpha, value))
    if digits == len(value):
        if counted(lower, end) or dated(value, 0):
            return False
        return digits > 3 or (link > Link.NEAR and digits == 3 and _ENDS.match(lower, end) is not None)
    if digits and not letters:
        if dated(value, 0) or counted(lower, end):
            return False
        return digits >= 3
    if digits:
        return (
            not (letters == 1 and digits == 1)
            and not (link is Link.NEAR and len(value) < 4)
            and not counted(lower, end)
        )
    plain = _PLAIN.fullmatch(value.rstrip(".!?"))
    if plain:
        bare = value.rstrip(".!?")
        if bare.lower() in EN.not_a_secret:
            return False
        if any(char.isupper() for char in bare[1:]) and not bare.isupper() and link > Link.NEAR:
            return True  # camel case is no word of speech
        if link < Link.SAYS or len(bare) < 4 or bare.lower().endswith(("ing", "ed", "able", "ible", "ly")):
            return False
        return _END.match(lower, end) is not None
    return (link > Link.NEAR and letters >= 2 and len(value) >= 5) or (
        any(char in "!@#$%^&*+=~|" for char in value[1:]) and len(value) >= 6
    )


def chinese_password(value: str, link: Link, *, said: bool = True) -> bool:
    """Whether `value`, in Chinese characters, is a password and not speech about one.

    Args:
        value: The characters after the cue.
        link: How they are joined to it.
        said: The cue is a word one says aloud (口令), so that 是 is enough; 密码是… usually goes on to describe it.
    """
    if link is Link.MARK and _DIGIT.search(value):
        return len(value) >= 4 and not any(word in value for word in ZH.not_a_secret if len(word) > 1 or word == "位")
    return (
        link >= (Link.SAYS if said else Link.MARK)
        and 2 <= len(value) <= 12
        and not any(word in value for word in ZH.not_a_secret)
    )


def phrase(value: str, link: Link) -> bool:
    """Whether the rest of a clause is a passphrase or the answer to a security question."""
    words = value.split()
    if link < Link.SAYS or not words or stand_in(value):
        return False
    if _ZH.search(value):
        return chinese_password(value, link)
    return words[0].lower() not in EN.not_a_secret and len(words) <= 12


def api_key(value: str, link: Link, *, loose: bool = False) -> bool:
    """Whether `value` is a key or token: long enough, letters and digits mixed, no path, no code, no stand-in.

    Args:
        value: The characters after the cue.
        link: How they are joined to it.
        loose: The cue is an everyday word ("key", "secret", "token"), so ask for more.
    """
    if " " in value:
        return False
    # The quick questions first: a text of nothing but cue words asks them thousands of times.
    if not (_DIGIT.search(value) and _LETTER.search(value)):
        return (
            len(value) <= 128
            and _LETTERS_ONLY.fullmatch(value) is not None
            and len(set(value)) >= 8
            and not stand_in(value)
        )
    if len(value) < 8 or stand_in(value) or _URL.match(value) or len(set(value)) < 5:
        return False
    least = (16 if loose else 12) if link is Link.NEAR else (10 if loose else 8)
    if len(value) < least or (value.count("/") > 3 and "." in value):
        return False
    return not re.fullmatch(r"v?\d+(?:[.-]\d+)+\w{0,6}|[a-z]+-\d[\d.]*[a-z]?|[a-z]+(?:[-_][a-z]+)*[-_]?\d{1,2}", value)


def handle(value: str, link: Link, *, named: bool = False) -> bool:
    """Whether `value` is an account name of a messenger.

    Args:
        value: The characters after the cue.
        link: How they are joined to it.
        named: The cue itself says that an account name follows (… ID, … 号, 加我…).
    """
    bare = value.removeprefix("@").rstrip(".:")
    if len(bare) < 3 or bare.lower() in EN.not_a_secret or re.fullmatch(r"v?\d+(?:\.\d+)+", bare):
        return False
    telling = (
        any(char.isdigit() or char in "_#" for char in bare)
        or value.startswith("@")
        or re.search(r"[a-z][-.:][a-z0-9]", bare)
    )
    if re.fullmatch(r"[a-z]+\.(?:com|cn|org|net|io|me|app)(?:[./].*)?", bare):
        return False
    if telling:
        return len(bare) >= 4 or link > Link.NEAR
    return (
        bool(_PLAIN.fullmatch(bare))
        and len(bare) >= 5
        and (link is Link.MARK or (named and link is Link.SAYS) or (named and not bare.islower()))
    )
