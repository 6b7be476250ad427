"""Telephone numbers that show themselves, in figures or spelled out; bare ones need a word and are left to `cues`."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy import vetoes
from desk_assistant.privacy.finding import Finding, Rank
from desk_assistant.privacy.lexicon import ZH
from desk_assistant.privacy.trie import trie_pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desk_assistant.privacy.fold import Shadow

# North American numbers (NANP): area and exchange begin with 2-9; written with brackets or separators.
_NANP: Final = re.compile(
    r"(?<![0-9A-Za-z+.#/-])(?:\+?1[ .-]?)?(?:\([2-9][0-9]{2}\)[ -]?|[2-9][0-9]{2}[ ./-])[2-9][0-9]{2}"
    r"[ ./-][0-9]{4}(?![0-9A-Za-z]|[-./][0-9A-Za-z])|(?<![0-9] )(?<![0-9A-Za-z+.#/-])[2-9](?: [0-9]){2} [2-9]"
    r"(?: [0-9]){6}(?! ?[0-9A-Za-z]|[-./][0-9A-Za-z])"
)
_TOLL_FREE: Final = frozenset({"800", "888", "877", "866", "855", "844", "833", "900"})
_INTERNATIONAL: Final = re.compile(
    r"(?<![0-9A-Za-z])(?:\+|00(?=[1-9][0-9]{0,2}[ (-]))[ ]?[1-9](?:[ ().-]{0,2}[0-9]){6,14}(?![0-9A-Za-z])"
)
_CN_MOBILE: Final = re.compile(
    r"(?<![0-9A-Za-z._])(?:\(?\+?86\)?[ -]?)?1[ -]?[3-9][ -]?[0-9]"
    r"(?:(?:[ -]?[0-9]){8}|[./][0-9]{4}[./][0-9]{4})(?![0-9A-Za-z/]|\.[0-9])"
)
_CN_LANDLINE: Final = re.compile(
    r"(?<![0-9A-Za-z+.])0[1-9][0-9]{1,2}(?:\)[ -]?|[ -])[2-8][0-9]{2,3}[ -]?[0-9]{4}(?![0-9A-Za-z])"
)
_NATIONAL: Final = re.compile(
    r"(?<![0-9A-Za-z+.,#/-])(?<![0-9] )\(?0[1-9][0-9]{0,4}\)?(?:[ .-][0-9]{2,8}){1,4}"
    r"(?![0-9A-Za-z]|[-.][0-9]| [0-9]{2}(?![0-9]))"
)
_REGIONS: Final = (
    *("GB", "CN", "FR", "DE", "IT", "JP", "AU", "TW", "KR"),
    *("NL", "ES", "CH", "IE", "IN", "NZ", "SE", "BE", "AT"),
)
_NATIONAL_LENGTH: Final = range(9, 13)

# Ten figures with nothing between them are a number in North America when somebody is to be reached.
_BARE: Final = re.compile(r"(?<![0-9A-Za-z_+.,:#/=-])[2-9][0-9]{2}[2-9][0-9]{6}(?![0-9A-Za-z_]|[-.,:/][0-9A-Za-z])")
_BARE_REACH: Final = 40
_EXTENSION: Final = re.compile(r" ?(?:,? ?ext(?:ension)?\.?|x|转|分机|-) ?[0-9]{2,6}(?![0-9A-Za-z])")
_CALLED: Final = re.compile(
    r"(?<![a-z])(?:call(?:ed|s|ing)?|text(?:ed|s|ing)?|phone[sd]?|ring|rang|dial(?:led|ed|s)?|pager|voicemail"
    r"|escalates?|reach(?:ed|able)?"
    r"|hotline|whatsapp|his number|her number|my number|number (?:is|to))(?![a-z])"
)
_DIGIT_WORDS: Final = {
    **{"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9},
    **{"oh": 0, "o": 0, "double": -1, "triple": -1},
}
_DIGIT_WORD: Final = rf"(?:{trie_pattern(_DIGIT_WORDS)})(?![a-z])"
_SPELLED: Final = re.compile(
    rf"(?<![a-z]){_DIGIT_WORD}(?:[ ,-]{{1,3}}(?:{_DIGIT_WORD}|(?:hundred|thousand|[1-9]0)(?![a-z0-9]))){{5,19}}"
)
_ZH_DIGIT: Final = "[0-9零〇○一二三四五六七八九幺壹贰叁肆伍陆柒捌玖]"
_ZH_ONE: Final = rf"(?:[两二三四五六]个)?{_ZH_DIGIT}"
_ZH_SPELLED: Final = re.compile(
    # a comma stands inside a number only between signs of one kind: 0047291,三床 are two things
    rf"(?<![0-9零〇一二三四五六七八九幺]){_ZH_ONE}(?: ?-? ?{_ZH_ONE}| ?(?:(?<=[0-9]),(?= ?[0-9])"
    rf"|(?<![0-9]),(?! ?[0-9])) ?{_ZH_ONE}){{4,14}}"
)
_REPEATED: Final = re.compile(rf"([两二三四五六])个({_ZH_DIGIT})")
"""四个零: so many times the same figure."""
_ZH_CUE: Final = re.compile(r"(?:电话|手机|号码|联系|座机|打我?|拨|号是?|呼)[^0-9,;!?]{0,6}$")
_CN_NUMBER: Final = re.compile(r"(?:86)?1[3-9][0-9]{9}")
_NOT_DIGITS: Final = re.compile(r"[^0-9]")


# pattern, what its digits must be
_SHAPES: Final[tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...]] = (
    (_NANP, lambda digits: digits[-10:-7] not in _TOLL_FREE and digits[-9:-7] != "00"),
    (_INTERNATIONAL, lambda digits: _possible("+" + digits.removeprefix("00"))),
    (_CN_MOBILE, lambda digits: len(digits) >= 11),
    (_CN_LANDLINE, lambda digits: 10 <= len(digits) <= 12),
    (_NATIONAL, lambda digits: len(digits) in _NATIONAL_LENGTH and _national(digits)),
)


def find(shadow: Shadow) -> Iterator[Finding]:
    """Yield telephone numbers."""
    text, lower = shadow.text, shadow.lower
    said = vetoes.Said(lower)
    for pattern, fits in _SHAPES if shadow.has_digit else ():
        # A number that is written again and again, as hostile texts do, is judged once.
        fitting: dict[str, bool] = {}
        for match in pattern.finditer(text):
            value = match[0]
            if value not in fitting:
                fitting[value] = fits(_NOT_DIGITS.sub("", value))
            if fitting[value] and not said.against(match.start(), match.end()):
                extension = _EXTENSION.match(lower, match.end())
                yield Finding(match.start(), extension.end() if extension else match.end(), "PHONE", Rank.SHAPE)
    for match in _BARE.finditer(text):
        around = lower[max(0, match.start() - _BARE_REACH) : match.start()]
        if _CALLED.search(around) and not said.against(match.start(), match.end()):
            yield Finding(match.start(), match.end(), "PHONE", Rank.HINT)
    for match in _SPELLED.finditer(lower):
        if _is_number(match[0]):
            yield Finding(match.start(), match.end(), "PHONE", Rank.SHAPE)
    if not lower.isascii():
        yield from _chinese(lower)


def _chinese(lower: str) -> Iterator[Finding]:
    for match in _ZH_SPELLED.finditer(lower):
        said = _REPEATED.sub(lambda one: one[2] * int(one[1].translate(ZH.spoken_digits)), match[0])
        digits = _NOT_DIGITS.sub("", said.translate(ZH.spoken_digits))
        if match[0].isascii() or len(set(digits)) < 3:
            continue
        known = _CN_NUMBER.fullmatch(digits)
        announced = 7 <= len(digits) <= 13 and _ZH_CUE.search(lower, max(0, match.start() - 10), match.start())
        if known or announced:
            yield Finding(match.start(), match.end(), "PHONE", Rank.SHAPE)


def _is_number(spelled: str) -> bool:
    """Whether digit words are a number and not counting aloud: seven digits or more that do not just go up."""
    values = [_DIGIT_WORDS[word] for word in re.findall(r"[a-z]+", spelled) if word in _DIGIT_WORDS]
    length = sum(1 for value in values if value >= 0) + sum(1 for value in values if value < 0)
    length += 2 * spelled.count("hundred") + 3 * spelled.count("thousand")
    steps = {after - before for before, after in pairwise(values)}
    return length >= 7 and steps not in ({1}, {-1}, {0})


def _possible(number: str) -> bool:
    """Whether an international number has a country and a length of that country."""
    import phonenumbers

    try:
        return bool(phonenumbers.is_possible_number(phonenumbers.parse(number, None)))
    except phonenumbers.NumberParseException:
        return False


def _national(digits: str) -> bool:
    """Whether `digits`, with their trunk 0, are a valid number of one of the countries where people write them so."""
    import phonenumbers

    for region in _REGIONS:
        try:
            if phonenumbers.is_valid_number(phonenumbers.parse(digits, region)):
                return True
        except phonenumbers.NumberParseException:
            return False
    return False
