"""Stretches of a text that could be a secret by their looks alone, and a name for each look.

Nobody has to announce them. Whether they are secrets is for `hints` to weigh, from the words around them.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import TYPE_CHECKING, Final, NamedTuple

from desk_assistant.privacy.accept import counted, stand_in
from desk_assistant.privacy.lexicon import EN, ZH
from desk_assistant.privacy.trie import trie_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desk_assistant.privacy.fold import Shadow

LONGEST: Final = 64
_ZH_FIGURE: Final = "零〇一二三四五六七八九幺两十百千万亿"
_ZH_FIGURE_SET: Final = "[零〇一二三四五六七八九幺]"
_EN_FIGURE: Final = r"(?:(?:double |triple )?(?:zero|oh|one|two|three|four|five|six|seven|eight|nine))(?![a-z])"
# Figures in groups of one size ("417 906", "2 8 0 3 7 1", "6-4-9"), or a run of anything without a space.
_CANDIDATE: Final = re.compile(
    r"(?<![0-9A-Za-z.,:/$#-])(?P<groups>[0-9](?:[ -][0-9]){2,7}|[0-9]{2}(?:[ -][0-9]{2}){2,3}"
    r"|[0-9]{3}[ -][0-9]{3}|[0-9]{4}[ -][0-9]{4}|[0-9]{1,2}(?:-[0-9]{1,2}){2})(?![0-9A-Za-z]|[.,:/-][0-9A-Za-z])"
    rf"|(?P<spoken>(?<![{_ZH_FIGURE}]){_ZH_FIGURE_SET}{{4,8}}(?![{_ZH_FIGURE}]"
    rf"|[个位年月日号点块元])|(?<![a-z]){_EN_FIGURE}(?:,? {_EN_FIGURE}){{2,9}})"
    # a word of letters alone is passed over here, for a text has many
    rf"|(?<![!-~])(?=[!-~]{{0,{LONGEST}}}?(?:[0-9_@#$%^&*+=~]|[A-Za-z][.!?-][A-Za-z]))[!-~]{{3,{LONGEST + 8}}}(?![!-~])"
)
_LEAD: Final = "\"'`([{<])}>,;:.!?/|=-~"
_TRAIL: Final = "\"'`)]}>([{<,;:.?/|\\-"
_FIGURE: Final = re.compile(
    # times, decimals, ranges, sums of money, dates, fractions, screen sizes: figures of everyday life
    r"[$€£¥~<>+-]?[0-9]+(?:[.,:/x-][0-9]+)+(?:[a-z%]{1,4})?|[0-9]+\*[0-9]{1,3}|[$€£¥#][0-9.,]+[kmb]?|[0-9]+%"
    r"|(?:19|20)[0-9]{2}[-/.]?(?:0[1-9]|1[0-2])(?:[-/.]?[0-3][0-9])?(?![0-9])|[0-9]+(?:st|nd|rd|th|s)"
)
_LIST: Final = re.compile(r"(?<![0-9A-Za-z])[0-9]{1,10}(?: ?, ?[0-9]{1,10}){2,}(?![0-9A-Za-z])")
_YEAR_BEFORE: Final = re.compile(
    r"(?:(?<![a-z])(?:in|from|since|of|by|until|till|before|after|around|early|late|mid|year"
    r"|spring|summer|autumn|fall|winter|january|february|march|april|may|june|july|august"
    r"|september|october|november|december|the|a|my)|[年届于在到自从至]) ?$"
)
_EXPIRY: Final = re.compile(
    r"(?:(?<![a-z])(?:exp|expiry|expires|expiring|valid|thru|until|till)|有效期|到期)[a-z .:是为到]{0,8}$"
)
_CODE_NAME: Final = re.compile(
    r"[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|[a-z]+(?:_[a-z]+)*_(?:id|ids|at|name|key|keys|url|uri|path|file|type|count"
    r"|seq|token|tokens|value|list|date|time|size|code|text)"
)
_WEIGHTS: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9.]{2,}-(?:[A-Za-z0-9.]+-)*(?:[0-9.]+[BbMm]|[Bb]ase|[Ii]nstruct|[Cc]hat|small|large|mini"
    r"|tiny|any"
    r"|none)(?:-[A-Za-z0-9.]+)*"
)
_MODEL_BEFORE: Final = re.compile(rf"(?:{trie_pattern(ZH.brands)}) ?$")
_SERVICE: Final = re.compile(r"(?:95|96|10|11|12)[0-9]{3}")
_UNTIL: Final = re.compile(
    r"(?<![a-z])(?:by|until|till|before|after|around|since"
    r"|(?:opens?|closes?|starts?|leaves?|arrives?|begins?|ends?|lands?|departs?) at) $"
)
_SHORT_CODE: Final = re.compile(
    r"(?<![a-z])(?:text|send|reply|sms)(?: [\"']?[a-z]{2,10}[\"']?)? to $|(?:发送|回复)[a-z0-9]{0,6}到 ?$"
)
"""What stands before the number of a service that takes messages."""
_HYPHENATED: Final = re.compile(r"[a-z]{2,16}-[a-z]{2,16}")
"""More often a word of speech (built-in) than a name somebody goes by."""
_YEAR_OF_CASE: Final = re.compile(r"[(\[][0-9]{4}[)\]][\u4e00-\u9fff]")
_RULED: Final = re.compile(r"[初终申执再字第发函令]$")
"""What stands before the number of a case, a ruling or a decree, whose 号 follows."""
_COMBINATION: Final = re.compile(r"[0-9]{1,2}(?:[ -][0-9]{1,2}){2,3}")
_FILE: Final = re.compile(
    r".*\.(?:py|js|ts|tsx|jsx|md|txt|pdf|docx?|xlsx?|pptx?|csv|json|ya?ml|toml|html?|css|zip|rar|7z|tar|gz|png"
    r"|jpe?g|gif"
    r"|mp[34]|mov|exe|apk|dmg|so|dll|sh|sql|log|com|cn|org|net|io|gov|edu)(?:[/:?].*)?",
    re.IGNORECASE,
)
_CODE: Final = re.compile(
    r"\$[({].*|[A-Za-z_]\w*=.*|.*-----.*|.*[(){}\[\];\\<>|].*|[\w.-]+/[\w.-]+#[0-9]+|.*(?:=>|->|==|::|&&|\|\|"
    r"|\?\?)|[a-z_]+\.[a-z_]+[.(].*|--?[a-z].*|/.*|.*://.*"
)
_HEXADECIMAL: Final = re.compile(r"(?:0x)?[0-9a-fA-F]{7,64}|[0-9a-f]{8}-[0-9a-f]{4}-.*")
_HOST: Final = re.compile(r"[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+")
_MAIL: Final = re.compile(r"[^@]+@[^@]+\.[a-z]{2,}", re.IGNORECASE)
_DOTTED: Final = re.compile(r"[a-z]+(?:\.[a-z]+)+", re.IGNORECASE)
_ORDINARY: Final = re.compile(
    # 2-step, 24-hour, a region of a cloud (us-east-1), and what else is a word of speech
    r"[0-9]{1,3}-[A-Za-z]{3,}|[a-z]{2}-(?:north|south|east|west|central|gov){1,2}(?:-[a-z]{4,5})?-?[0-9][a-f]?"
    r"|1[Pp]assword|[A-Za-z]+[!?.]+|[0-9]{1,2}[ap]m|[A-Za-z]+(?:'[A-Za-z]+)+|[A-Z][a-z]+(?:-[A-Z][a-z]+)+"
    r"|(?:[A-Za-z]{1,3}\.){2,}[A-Za-z]?"
)
_KEYED: Final = re.compile(r"[#*]{0,3}[0-9]{1,10}(?:[#*]+[0-9]{0,8}){0,2}")
_PARTS: Final = re.compile(r"[A-Za-z]+|[0-9]+")
_MODELS: Final = frozenset({"pro", "max", "plus", "ultra", "mini", "lite", "gen", "air", "super", "edge", "fold"})
_PATTERN: Final = frozenset("^~|/")
_STRONG: Final = frozenset("!@#$%^&*+=~?")
# The name of a brand may have more letters behind it: OPPOFindX3.
_BRAND: Final = re.compile(rf"(?:{trie_pattern(EN.brands | ZH.brands)})|(?:{trie_pattern(EN.known | ZH.known)})$")


_Look = tuple[str, str, tuple[str, ...]]
"""Name, family and traits, as in `Candidate`."""


class Candidate(NamedTuple):
    """A stretch of the folded text that may be a secret.

    Attributes:
        start: First character.
        end: Character after the last.
        look: Name of its shape, such as `d6` (six digits) or `sym` (letters and digits with a mark inside).
        family: Coarser name: `digits`, `groups`, `mixed`, `strong`, `joined` or `at`.
        traits: Further names: `year`, `round`, `known`, a length.
    """

    start: int
    end: int
    look: str
    family: str
    traits: tuple[str, ...]


def find(shadow: Shadow) -> Iterator[Candidate]:
    """Yield the stretches of `shadow` that do not look like words, amounts, dates, files or code."""
    text, lower = shadow.text, shadow.lower
    lists = [match.span() for match in _LIST.finditer(text)] if "," in text else []
    # What is said more than once is looked at once. Forgotten with this call, for it may hold a secret.
    looks: dict[str, _Look | None] = {}
    for match in _CANDIDATE.finditer(text):
        start, end = match.span()
        if match["groups"] is not None:
            yield _grouped(text, start, end)
            continue
        if match["spoken"] is not None:
            yield Candidate(start, end, "spoken", "digits", ("zh" if ord(text[start]) > 127 else "en",))
            continue
        while start < end and text[start] in _LEAD:
            start += 1
        while end > start and text[end - 1] in _TRAIL:
            end -= 1
        if text[start:end].endswith("'s"):
            end -= 2
        colon = text.rfind(":", start, end)
        if (colon > 0 and text.startswith("//", colon + 1)) or "://" in text[start:end]:
            continue  # an address; what is secret in it shows itself
        if colon > 0 and text[colon + 1 : end].isdigit() and _HOST.fullmatch(text, start, colon):
            continue  # its port
        if colon > 0 and "${" in text[start:colon]:
            continue  # what a shell says when its variable is not set
        start = colon + 1 if colon > 0 else start
        if not 3 <= end - start <= LONGEST or (lists and _listed(lists, start)):
            continue
        value = text[start:end]
        if value.isdigit() or _KEYED.fullmatch(value):
            named = None if counted(lower, end) else _figures(value, lower, start)
        elif value in looks:
            named = looks[value]
        else:
            named = looks[value] = _token(value)
        if named is not None:
            yield Candidate(start, end, *named)


def _listed(lists: list[tuple[int, int]], start: int) -> bool:
    """Whether `start` lies in one of `lists`, which are in order."""
    index = bisect_right(lists, (start, len(lists) and lists[-1][1])) - 1
    return index >= 0 and lists[index][0] <= start < lists[index][1]


def _grouped(text: str, start: int, end: int) -> Candidate:
    value = text[start:end]
    digits = sum(char.isdigit() for char in value)
    even = len({len(part) for part in re.split("[ -]", value)}) == 1
    if "-" in value and _COMBINATION.fullmatch(value):
        return Candidate(start, end, f"combo{value.count('-') + 1}", "groups", ("dashes",))
    return Candidate(start, end, f"groups{digits}", "groups", ("even" if even else "uneven",))


def _figures(value: str, lower: str, start: int) -> _Look | None:
    """The look of figures, or of keys on a pad such as `2580#`."""
    length = len(value)
    if not value.isdigit():
        look = "star" if "*" in value else "hash<" if value[0] == "#" else "hash>"
        return (look, "keyed", (_size(value),)) if length >= 4 else None
    if _MODEL_BEFORE.search(lower, max(0, start - 8), start):
        return None  # 荣耀100
    if start + length < len(lower) and lower[start + length] == "号" and _RULED.search(lower, max(0, start - 3), start):
        return None  # (2024)沪0115民初38172号
    if length > 10 or (not lower.isascii() and _SERVICE.fullmatch(value)):
        return None  # service numbers of banks, railways and carriers are everybody's
    if _SHORT_CODE.search(lower, max(0, start - 24), start):
        return None  # text STOP to 40404
    traits = []
    if length == 4:
        if _UNTIL.search(lower, max(0, start - 12), start) and int(value[:2]) < 24 and int(value[2:]) < 60:
            return None  # by 2230
        if _EXPIRY.search(lower, max(0, start - 16), start):
            return None
        if "14" <= value[:2] <= "20":
            if _YEAR_BEFORE.search(lower, max(0, start - 12), start) or _YEAR_OF_CASE.match(lower, start - 1):
                return None
            if value[:2] in ("19", "20"):
                traits.append("year")
    if value.endswith("00"):
        traits.append("round")
    if value[0] == "0":
        traits.append("zero")
    return f"d{length}", "digits", tuple(traits)


def _token(value: str) -> _Look | None:
    """The look of a run of characters that are not all figures."""
    has_digit = any(char.isdigit() for char in value)
    marks = {char for char in value if not char.isalnum()}
    if len(value) < 4 or (not has_digit and not marks):
        return None  # 2fa, 4k; a word
    if (
        _ORDINARY.fullmatch(value)
        or (has_digit and _FIGURE.fullmatch(value))
        or (stand_in(value) and not _DOTTED.fullmatch(value))
        or ("." in marks and _FILE.fullmatch(value))
        or (marks and _CODE.fullmatch(value))
        or ("@" in marks and _MAIL.fullmatch(value))
        or not any(char.isalpha() for char in value)
    ):
        return None
    parts = _PARTS.findall(value)
    if _CODE_NAME.fullmatch(value) or _WEIGHTS.fullmatch(value):
        return None  # session_id, smollm2-135m-instruct
    known = has_digit and bool(parts) and _BRAND.match(parts[0].lower()) is not None
    if known and marks <= {"-"} and _is_model(parts):
        return None  # python3, UTF-8, iphone15Pro
    hexadecimal = _HEXADECIMAL.fullmatch(value) is not None
    if hexadecimal and len(value) >= 16:
        return None  # a hash; keys are announced
    traits = [_size(value)]
    traits += [
        name
        for name, holds in (
            ("known", known),
            ("hex", hexadecimal),
            ("upper", any(char.isupper() for char in value)),
        )
        if holds
    ]
    named = _marked(value, has_digit, marks) if marks else _unmarked(parts)
    return None if named is None else (*named, tuple(traits))


def _is_model(parts: list[str]) -> bool:
    """Whether the letters that name a product are followed by its number alone, or by words of its trade."""
    figures = sum(len(part) for part in parts if part.isdigit())
    words = [part.lower() for part in parts[1:] if part.isalpha()]
    return figures <= min(3, len(parts[0]) + 1) and _MODELS.issuperset(words)


def _marked(value: str, has_digit: bool, marks: set[str]) -> tuple[str, str] | None:
    """Look and family of a run with marks in it."""
    if value[0] == "@" and marks <= set("@_.-"):
        return "at", "at"
    inner = marks - {"'"} if value.count("'") == 1 and value[-2:] not in ("'s", "'t") else marks
    if not has_digit and (_PATTERN & inner or ".*" in value or value[0] in "*?+" or len(value) < 6):
        return None  # .*, ~5, Ctrl+C
    if _STRONG & inner:
        if "#" in inner and re.fullmatch(r"[\w.]{2,32}#[0-9]{4}", value):
            return "tag", "strong"
        return "strong" if has_digit else "strongwords", "strong"
    if not has_digit and value[-1] == "_" and not value.islower() and not value.isupper():
        return "strongwords", "strong"  # a name in code does not end so
    if _HYPHENATED.fullmatch(value):
        return "words-low", "joined"
    if not has_digit and (
        not inner or value.isupper() or "/" in inner or (value.islower() and value.count("-") == 1 and inner == {"-"})
    ):
        return None  # INVALID_KEY, and/or, break-in
    joint = next((mark for mark in "_.-" if mark in inner), "-" if not has_digit else "/")
    return ("joined" if has_digit else "words") + joint, "joined"


def _unmarked(parts: list[str]) -> tuple[str, str]:
    """Look and family of letters and figures alone."""
    letters = "".join(part for part in parts if part.isalpha())
    two = len(parts) == 2
    if letters.isupper():
        return "UPPER" if two else "UPMIX", "mixed"
    if two and parts[0].isalpha():
        return "word9" if letters.islower() else "Word9" if letters.istitle() else "CaMel9", "mixed"
    return "9word" if two else "mix", "mixed"


def _size(value: str) -> str:
    length = len(value)
    return "tiny" if length < 5 else "short" if length < 8 else "middle" if length < 13 else "long"
