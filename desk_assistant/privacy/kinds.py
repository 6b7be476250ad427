"""What may follow a cue word: for each kind of cue its value's shape, its test and its type. Data, no control flow."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from desk_assistant.privacy import checks
from desk_assistant.privacy.accept import (
    Link,
    api_key,
    chinese_password,
    counted,
    dated,
    handle,
    password,
    phrase,
    stand_in,
)
from desk_assistant.privacy.finding import Rank
from desk_assistant.privacy.lexicon import ZH, names_a_place

# value, link, the whole text in lower case, end of the value, the cue -> type of the value, or None when it is none
Test = Callable[[str, Link, str, int, str], str | None]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of cue.

    Attributes:
        shapes: Patterns tried in order right after the link; group `v` (or the whole match) is the value.
        test: Decides from the value and its surroundings which type it has.
        rank: How sure a value of this kind is.
        least: The weakest link that counts.
        reach: Pattern over the text *before* the cue, for "482913 is your login code"; group `v` is the value.
    """

    shapes: tuple[re.Pattern[str], ...]
    test: Test
    rank: Rank = Rank.CUE
    least: Link = Link.NEAR
    reach: re.Pattern[str] | None = None


def _digits(value: str) -> str:
    return "".join(char for char in value if char.isdigit())


def _of(kind: str, low: int = 0, high: int = 99) -> Test:
    """A test that asks only for the number of digits."""

    def test(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
        del link, cue
        return kind if low <= len(_digits(value)) <= high and not counted(lower, end) and not stand_in(value) else None

    return test


_ONE_TIME: Final = re.compile(
    r"[.,;!) ]{0,3}(?:(?:and |it |it's |this |which |code ){0,2}(?:is )?(?:valid|good|expires?|expiring|lasts)(?![a-z])"
    r"|(?:never|do not|don't|please don't) (?:share|tell|give|forward)|(?:请|切)?勿|[0-9一二三五十]{1,2} ?分钟)"
)


def _password(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    if value.isdigit() and 4 <= len(value) <= 8 and _ONE_TIME.match(lower, end):
        return "OTP"  # what runs out or must not be passed on was sent to be typed once
    if not value.isascii():
        return "PASSWORD" if chinese_password(value, link, said=cue in _SAID) else None
    if link is Link.NEAR and not cue.isascii() and len(value) >= 6 and not value.isdigit():
        link = Link.SAYS  # a Latin word beside 密码 is no part of the sentence
    return "PASSWORD" if password(value, link, lower, end) else None


_SAID: Final = frozenset({"口令", "暗号", "进群暗号"})


def _phrase(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    del cue
    if value.count("-") >= 2 and value.replace("-", "").isalnum():
        return "PASSWORD"
    return "PASSWORD" if phrase(value, link) or (" " not in value and password(value, link, lower, end)) else None


def _answer(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    del lower, end, cue
    return "PASSWORD" if phrase(value, link) else None


def _lock(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    del link, cue
    return "PASSWORD" if len(_digits(value)) >= 3 and not counted(lower, end) and not dated(value, 0) else None


def _opener(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    around = lower[max(0, end - 48) : end + 40]
    if not names_a_place(around):
        return None
    return _lock(value, link, lower, end, cue)


def _combo(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    del link, lower, end, cue
    return "PASSWORD" if not dated(value, 0) else None


def _wifi(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    del cue
    telling = len(value) >= 8 and any(char.isdigit() for char in value) and sum(map(str.isalpha, value)) >= 3
    named = _THEN_PASSWORD.match(lower, end)  # so this was the name of the network
    return "PASSWORD" if telling and not named and password(value, link, lower, end) else None


_THEN_PASSWORD: Final = re.compile(r"[ ,;/|.(]{0,3}(?:and |the |with )?(?:/|pw|pass|psk|key|密码|口令)|[ ]?[/|]")


def _licence(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    del link
    least = 6 if cue in ("license", "licence") else 4
    return (
        "DRIVER_LICENSE" if len(_digits(value)) >= least and not counted(lower, end) and not dated(value, 0) else None
    )


def _otp(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    del link, cue
    count = len(_digits(value))
    mixed = count < len(value.replace(" ", "").replace("-", ""))
    if counted(lower, end) or dated(value, 0) or not (2 if mixed else 4) <= count <= 8:
        return None
    return "OTP"


def _code(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    count = len(_digits(value))
    if counted(lower, end) or dated(value, 0) or (link is Link.NEAR and cue not in ("use code", "enter code", "enter")):
        return "OTP" if link is Link.NEAR and count == 6 and not counted(lower, end) and cue != "enter" else None
    if cue.startswith("security") and count <= 4:
        return "PASSWORD"
    return "OTP" if 4 <= count <= 8 else None


_TO_ENTER: Final = re.compile(
    r"[\"']? (?:to|for|when|as|if) (?:[a-z]{1,10} ){0,3}?(?:verif|log|sign|confirm|authent|complete"
    r"|reset|activat|access|unlock|two|2fa|pair|link|approve|authori[sz]e|connect)"
    r"| ?(?:来|以|完成|进行|即可|去)?(?:验证|登录|登陆|注册|确认|身份验证|绑定|配对|授权|关联)"
)


def _use(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    del cue
    least = 4 if value.replace("-", "").replace(" ", "").isdigit() else 2
    fits = link is Link.NEAR and least <= len(_digits(value)) <= 8
    return "OTP" if fits and _TO_ENTER.match(lower, end) else None


_EVERYDAY: Final = frozenset(
    {"key", "secret", "token", "ak", "sk", "pat", "dsn", "bearer", "credential", "令牌", "凭证"}
)


def _api_key(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    del lower, end
    return "API_KEY" if api_key(value, link, loose=cue in _EVERYDAY) else None


def _card(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    digits = _digits(value)
    if 13 <= len(digits) <= 19 and not counted(lower, end) and len(set(digits)) > 1:
        if digits[0] in "01":
            return "BANK_ACCOUNT"  # no card begins so
        return "CREDIT_CARD" if link > Link.NEAR or len(cue) > 1 or checks.card(digits) else None
    return None


def _bank(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    del link
    digits = _digits(value)
    if counted(lower, end) or dated(value, 0):
        return None
    if cue == "sort" and "-" not in value:
        return None
    if checks.card(digits) and len(digits) >= 16:
        return "CREDIT_CARD"
    least = 9 if any(word in cue for word in ("routing", "aba")) else 6
    return "BANK_ACCOUNT" if least <= len(digits) <= 26 else None


def _cn_id(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    del link, lower, end, cue
    bare = re.sub(r"[^0-9Xx]", "", value)
    return "CN_ID" if len(bare) == 18 or (len(bare) == 15 and checks.cn_id(bare)) else None


def _handle(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    if not any(char.isalpha() for char in value) and (
        len(value) < 6 or counted(lower, end) or not cue.endswith(("号", "id"))
    ):
        return None
    if not value.isascii():
        return "IM_ID" if _SEARCHED.search(cue) and not any(word in value for word in ZH.not_a_secret) else None
    named = cue.endswith(("id", "号", "handle", "username", "tag", "搜", "索")) or cue.startswith(("加", "+", "➕"))
    if cue in (
        "加我",
        "加一下",
        "line",
        "ins",
        "薇",
        "卫星",
        "微博",
        "飞机",
        "threads",
        "matrix",
        "signal",
    ) and not re.search(r"[\d_@]", value):
        return None
    if cue == "dc" and "#" not in value:
        return None
    if cue in _BARE_LETTERS and not re.search(r"[0-9_]", value):
        return None
    return "IM_ID" if handle(value, link, named=named) else None


_SEARCHED: Final = re.compile(r"[搜索号]$|id$")
_BARE_LETTERS: Final = frozenset({"v:", "微:", "wx", "ig", "tg"})


def _phone(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    digits = _digits(value)
    if not 7 <= len(digits) <= 15 or counted(lower, end) or dated(value, 0) or len(set(digits)) < 2:
        return None
    if (digits.startswith(("400", "800")) and len(digits) == 10) or (
        digits.startswith(("1800", "1888")) and len(digits) == 11
    ):
        return None  # service numbers
    if (
        cue in ("number", "号码", "dial", "ring", "contact", "联系", "text")
        and link is Link.NEAR
        and len(digits) > 11
        and not value.startswith("+")
    ):
        return None
    return "PHONE"


def _mnemonic(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    del lower, end, cue
    return "CRYPTO" if len(value.split()) >= (6 if link >= Link.SAYS else 10) else None


def _wallet(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    del link, lower, end, cue
    return "CRYPTO" if _digits(value) and sum(char.isalpha() for char in value) >= 4 else None


def _login(value: str, link: Link, lower: str, end: int, cue: str) -> str | None:
    del link, cue
    return "PASSWORD" if password(value, Link.TO, lower, end) else None


_NO_DIGIT: Final = r"(?![0-9])"
QUOTED: Final = re.compile(r"([\"'`])(?P<v>[^\"'`\n]{1,64})\1")
_TOKEN: Final = re.compile(r"(?P<v>[!#-+\--:<-~]{1,63}[0-9A-Za-z!#$%&*+=@^~?_/-])")
_HAN: Final = re.compile(r"(?P<v>[\u4e00-\u9fff][\u4e00-\u9fff!#-+\--:<-~]{1,15})(?![\u4e00-\u9fffa-z0-9])")
_CLAUSE: Final = re.compile(r"[\"']?(?P<v>[^,.;:!?\"\n()\[\]{}<>=\ue000]{2,80})")
_HYPHENED: Final = re.compile(r"(?P<v>[A-Za-z0-9]{2,20}(?:[-_.][A-Za-z0-9]{2,20}){2,8})")
_PIN: Final = re.compile(rf"(?P<v>[0-9](?:[ -]?[0-9]){{2,7}}){_NO_DIGIT}(?![-.][0-9]|[A-Za-z])")
_LOCK: Final = re.compile(
    r"(?P<v>[#*]?[A-Za-z]{0,3}-?[0-9][0-9A-Za-z]{0,9}(?:[-.][0-9]{1,4}){0,5}[#*]?"
    r"|[0-9]{1,2}(?: [0-9]{1,2}){2,3})(?![0-9])"
)
_COMBO: Final = re.compile(r"(?P<v>[0-9]{1,2}(?:-[0-9]{1,2}){2,3})(?![0-9-])")
_OTP: Final = re.compile(
    r"(?P<v>(?:[Gg]-)?[0-9]{3,8}(?:[ -][0-9]{2,4}){0,3}|[0-9]{2}(?:[ -][0-9]{2}){1,3}|[0-9](?:[ -]"
    r"[0-9]){3,7}|(?=[A-Z]{0,8}[0-9])[A-Z0-9]{3,4}-?[A-Z0-9]{2,4}"
    r"|(?=[a-z-]{0,9}[0-9])[0-9a-z]{4,6}-[0-9a-z]{4,6})(?![0-9A-Za-z])"
)
_KEY: Final = re.compile(r"(?P<v>[A-Za-z0-9_\-./+=~|%:]{8,512})")
_CARD: Final = re.compile(rf"(?P<v>[0-9](?:[ -]{{0,2}}[0-9]){{12,18}}){_NO_DIGIT}")
_BANK: Final = re.compile(rf"(?P<v>[0-9](?:[ -]?[0-9]){{5,25}}){_NO_DIGIT}")
_IBAN: Final = re.compile(r"(?P<v>[A-Za-z]{2}[0-9]{2}(?:[ -]?[A-Za-z0-9]){11,30})(?![A-Za-z0-9])")
_CN_ID: Final = re.compile(
    r"(?P<v>[0-9]{6}[ -]?[0-9]{8}[ -]?[0-9]{3}[0-9Xx]|[0-9](?:[ -]?[0-9]){16}[ -]?[0-9Xx]|[0-9]{15})(?![0-9])"
)
_SSN: Final = re.compile(rf"(?P<v>[0-9]{{3}}[- .]?[0-9]{{2}}[- .]?[0-9]{{4}}){_NO_DIGIT}")
_NINO: Final = re.compile(r"(?P<v>[A-Za-z]{2}(?:[ -]?[0-9]{2}){3}[ -]?[A-Da-d]?)(?![A-Za-z0-9])")
_DOCUMENT: Final = re.compile(
    r"(?P<v>(?=[A-Za-z0-9]{0,5}[0-9]{3})[A-Za-z]{0,3}[ -]?[0-9][0-9A-Za-z]{4,10}|[A-Z0-9]{2}"
    r"[0-9A-Z]{5,9})(?![A-Za-z0-9])"
)
_SPACED: Final = re.compile(
    r"(?P<v>(?=[A-Z -]{0,10}[0-9])[A-Z0-9](?:[ -]?[A-Z0-9]){4,21}|[a-z]{0,3}[0-9](?:[ -]?[0-9]){4,19}"
    r"[a-z]?)(?![A-Za-z0-9])"
)
_NATIONAL: Final = re.compile(
    r"(?P<v>(?=[A-Z]{0,6}[ -]?[0-9])[A-Z0-9](?:[ ./-]?[A-Z0-9]){5,21}(?:\([0-9A-Z]\))?)(?![A-Za-z0-9])", re.IGNORECASE
)
_HANDLE: Final = re.compile(r"(?P<v>@?[A-Za-z0-9](?:[A-Za-z0-9_.#:-]{1,30})?[A-Za-z0-9_])")
_HAN_HANDLE: Final = re.compile(
    r"(?P<v>[\u4e00-\u9fff]{1,8}[A-Za-z0-9_]{1,12}|[A-Za-z0-9_]{1,12}[\u4e00-\u9fff]{2,6})(?=[ ,.;!?\n)\"']|$)"
)
_QQ: Final = re.compile(rf"(?P<v>[1-9][0-9]{{4,10}}|[1-9](?:[ -]?[0-9]){{5,10}}){_NO_DIGIT}(?![a-z.])")
_PHONE: Final = re.compile(r"(?P<v>(?:\+ ?|\()?\+?[0-9](?:[ ().-]{0,2}[0-9]){6,14})(?![0-9A-Za-z])")
_WORDS: Final = re.compile(
    r"(?P<v>(?:[0-9]{1,2}[.)] ?)?[a-z]{3,8}(?:[ ,]{1,2}(?:[0-9]{1,2}[.)] ?)?[a-z]{3,8}){5,23})"
    r"(?![A-Za-z0-9])|(?P<h>[\u4e00-\u9fff](?:[ ,]{1,2}[\u4e00-\u9fff]){5,23})"
)
_WALLET: Final = re.compile(r"(?P<v>[A-Za-z0-9]{25,100})(?![A-Za-z0-9])")
_LOGIN: Final = re.compile(
    r"[^ /|\n\u4e00-\u9fff]{2,40} ?(?:/|\||;|, ?(?:pass(?:word)?|pw)?:?|(?:and|with)(?: password"
    r"| pass)?) ?(?P<v>[!#-+\--:<-~]{3,63}[0-9A-Za-z!#$%&*+=@^~?_-])"
)

_TIE_BACK: Final = r"(?: is| was|'s| as|'s) (?:(?:my|your|the|our|his|her|their) )?(?:[a-z0-9-]{1,16} ){0,3}"
_ZH_BACK: Final = (
    r" ?(?:是|为|这是|就是|作为|当|做)?[(\[]?(?:这是|是)?(?:您|你|我|他|她|咱)?们?的?[\u4e00-\u9fff0-9a-z]{0,8} ?"
)
_BEHIND_OTP: Final = re.compile(
    rf"(?<![0-9a-z.$-])(?P<v>(?:g-)?[0-9]{{4,8}}|[0-9]{{3}}[ -][0-9]{{3}})(?:{_TIE_BACK}|{_ZH_BACK})$"
)
_BEHIND_WORD: Final = re.compile(
    rf"(?<![^ \"'(\[:,;\u4e00-\u9fff])(?P<v>[!#-+\--:<-~]{{4,64}})[\"']?"
    rf"(?:{_TIE_BACK}| ?(?:是|作为|当|做)(?:您|你|我|他|她|咱)?们?的?[\u4e00-\u9fff]{{0,6}}[a-z0-9]{{0,8}} ?)$"
    r"|(?<![a-z])(?:type|enter|use|try|with|put|输入|输)(?: in)? ?[\"']?(?P<w>[!#-+\--:<-~]{4,64})"
    r"[\"']?(?: [a-z']{1,10}){0,6} (?:for|as) (?:the |my |your )?$"
    r"|(?<![^ \"'(\[:;])(?P<x>[!#-+\--:<-~]{5,64})[\"']?, (?:that's |this is |it's )?(?:my"
    r"|our) (?:[a-z0-9-]{1,16} ){0,3}$"
)
_BEHIND_OPENER: Final = re.compile(
    r"(?<![0-9a-z.$-])(?P<v>[#*]?[0-9]{3,8}[#*]?) to $"
    r"|(?:输入?|按|用) ?(?P<w>[#*]?[0-9]{3,8}[#*]?)(?:就|来|可以|能|即可|可){0,2}$"
)
_BEHIND_NUMBER: Final = re.compile(
    rf"(?<![0-9A-Za-z.])(?P<v>[0-9A-Za-z](?:[ -]?[0-9A-Z]){{4,20}})(?:{_TIE_BACK}|{_ZH_BACK})$"
)

KINDS: Final[dict[str, Kind]] = {
    "password": Kind((QUOTED, _TOKEN, _HAN), _password, Rank.SECRET, reach=_BEHIND_WORD),
    "phrase": Kind((QUOTED, _HYPHENED, _CLAUSE, _HAN), _phrase, Rank.SECRET),
    "answer": Kind((QUOTED, _CLAUSE), _answer, Rank.SECRET, Link.SAYS),
    "pin": Kind((_PIN,), _of("PASSWORD", 3, 8), Rank.SECRET, reach=_BEHIND_OTP),
    "lock": Kind((_LOCK,), _lock, Rank.SECRET, reach=_BEHIND_OTP),
    "combo": Kind((_COMBO,), _combo, Rank.SECRET, Link.SAYS),
    "opener": Kind((_LOCK,), _opener, Rank.SECRET, Link.TO, reach=_BEHIND_OPENER),
    "use": Kind((_OTP,), _use),
    "otp": Kind((_OTP,), _otp, Rank.SECRET, reach=_BEHIND_OTP),
    "code": Kind((_OTP,), _code, Rank.SECRET),
    "apikey": Kind((QUOTED, _KEY), _api_key, Rank.SECRET),
    "card": Kind((_CARD,), _card),
    "bank": Kind((_BANK,), _bank, reach=_BEHIND_NUMBER),
    "iban": Kind((_IBAN,), _of("IBAN", 8, 32)),
    "cnid": Kind((_CN_ID,), _cn_id, reach=_BEHIND_NUMBER),
    "ssn": Kind((_SSN,), _of("US_SSN", 9, 9), reach=_BEHIND_NUMBER),
    "nino": Kind((_NINO,), _of("UK_NINO", 6, 6), Rank.SECRET),  # "NI no PW730418A" holds a word for a password
    "passport": Kind((_DOCUMENT,), _of("PASSPORT", 5, 10), reach=_BEHIND_NUMBER),
    "licence": Kind((_SPACED,), _licence, Rank.NAMED, reach=_BEHIND_NUMBER),
    "medical": Kind((_SPACED,), _of("MEDICAL_ID", 4, 20), Rank.NAMED, reach=_BEHIND_NUMBER),
    "national": Kind((_NATIONAL,), _of("NATIONAL_ID", 4, 18), reach=_BEHIND_NUMBER),
    "phone": Kind((_PHONE,), _phone, Rank.HINT),
    "handle": Kind((_HANDLE, _HAN_HANDLE), _handle),
    "qq": Kind((_QQ,), _of("IM_ID", 5, 11), reach=_BEHIND_NUMBER),
    "mnemonic": Kind((_WORDS,), _mnemonic, Rank.SECRET),
    "wallet": Kind((_WALLET,), _wallet),
    "login": Kind((_LOGIN,), _login, Rank.SECRET),
    "wifi": Kind((QUOTED, _TOKEN), _wifi, Rank.SECRET, Link.SAYS),
}
"""Kind of cue (as in the word files) -> what its value looks like."""
