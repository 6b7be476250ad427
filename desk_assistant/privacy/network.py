"""E-mail addresses, plain or spelled against harvesters, account names in links, and IP addresses."""

from __future__ import annotations

import ipaddress
import re
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy import vetoes
from desk_assistant.privacy.finding import Finding, Rank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desk_assistant.privacy.fold import Shadow

_EMAIL: Final = re.compile(
    r"(?<![A-Za-z0-9._%+-])[A-Za-z0-9_][A-Za-z0-9._%+'-]{0,63}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})"
    r"\.){1,6}[A-Za-z]{2,24}(?![A-Za-z0-9-])"
)
_FILES: Final = frozenset(
    [
        "png",
        "jpg",
        "jpeg",
        "gif",
        "webp",
        "svg",
        "ico",
        "bmp",
        "js",
        "ts",
        "jsx",
        "tsx",
        "css",
        "scss",
        "py",
        "rs",
        "md",
        "json",
        "txt",
        "html",
        "xml",
        "yml",
        "yaml",
        "toml",
        "lock",
        "pdf",
        "so",
        "dll",
        "exe",
        "zip",
    ]
)
_NO_PERSON: Final = frozenset({"git"})

# "mike dot rowe at example dot com", "kim[at]example[dot]org", "zhang艾特example点com"
_AT: Final = re.compile(r" at | ?(?:\(at\)|\[at\]|\{at\}|<at>|\(a\)|\[@\]|\(@\)|_at_|#at#|艾特|圈a|小老鼠| @ |@ | @) ?")
_DOT: Final = r"(?: dot | ?(?:\(dot\)|\[dot\]|\{dot\}|<dot>|_dot_|点) ?)"
_ENDING: Final = r"(?:com|net|org|io|edu|gov|dev|app|me|co|cn|uk|de|fr|jp|hk|tw|info|xyz|example|mail)(?![a-z])"
_DOMAIN_SPELLED: Final = re.compile(
    rf"[a-z0-9-]{{1,40}}(?:(?:{_DOT}|\.)[a-z0-9-]{{1,24}}){{0,3}}{_DOT}{_ENDING}(?:{_DOT}{_ENDING})?"
)
_DOMAIN_PLAIN: Final = re.compile(
    rf"[a-z0-9-]{{1,40}}(?:(?:{_DOT}|\. ?)[a-z0-9-]{{1,24}}){{0,3}}(?:{_DOT}|\.){_ENDING}(?:\.{_ENDING})?"
)
_LOCAL: Final = re.compile(
    r"(?<![a-z0-9._+-])[a-z0-9][a-z0-9._+-]{0,40}(?: (?:dot|underscore|dash|dot) [a-z0-9]{1,30}){0,3}$"
)
_AT_REACH: Final = 64

# Account names that show themselves: of Skype, of Matrix, in a link to a messenger.
_HANDLE: Final = re.compile(
    r"(?<![a-z0-9.])(?:live:[a-z0-9.][a-z0-9._-]{2,40}[a-z0-9]|@[a-z0-9._=-]{2,40}:(?:[a-z0-9-]{1,40}\.){1,3}[a-z]{2,10}"
    r"|(?:t\.me|telegram\.me|line\.me/ti/p|discordapp?\.com/users|instagram\.com|m\.me)/(?P<v>[@~]?[a-z0-9_.]{4,40}[a-z0-9_]))"
    r"(?![a-z0-9/])"
)
_Q: Final = re.compile(r"(?<![a-z0-9])q(?P<v>[1-9][0-9]{7,10})(?![0-9a-z.-])")
"""A QQ number behind nothing but its letter, as it is written among Chinese."""
_PAGES: Final = frozenset({"explore", "reels", "stories", "accounts", "developer", "share", "joinchat", "addstickers"})
_IPV4: Final = re.compile(r"(?<![0-9A-Za-z.])(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?![0-9A-Za-z]|\.[0-9]|-[a-z])")
_ALIKE: Final = re.compile(r" (?:to|and|or) |,? ?(?:and|和|到|至|跟|与|换成|改成)? ?| ?(?:->|→|[~/-]) ?")
_IPV6: Final = re.compile(r"(?<![0-9A-Za-z:.])(?:[0-9A-Fa-f]{0,4}:){2,7}[0-9A-Fa-f]{0,4}(?![0-9A-Za-z:])")
_VERSION: Final = re.compile(
    r"(?:(?<![a-z])(?:v|ver\.?|version|rev\.?|revision|edition|spec|build|release|firmware|(?:updat|upgrad|downgrad)(?:ed?"
    r"|ing) (?:to|from)(?: [0-9.]+ to)?|from [0-9.]+ to|patch"
    r"|kernel|sdk|driver|app|section|chapter|clause|oid)"
    r"|miui|hyperos|emui|coloros|originos|harmonyos|one ?ui|android|ios|macos|chrome|chromium|edge|firefox|safari|wps"
    r"|(?<![a-z])(?:nginx|apache|tomcat|redis|mysql|mariadb|postgres(?:ql)?|mongodb|elasticsearch|kafka|openssl|openssh|curl"
    r"|node|python|java|jdk|jre|php|ruby|golang|docker|kubernetes|jenkins|gitlab|gradle|maven|spring|django|rails|qt|opencv"
    r"|ffmpeg|photoshop|excel|office|windows|ubuntu|debian)"
    r"|鸿蒙|安卓|微信|钉钉"
    r"|版本号?|固件|升级到?了?|更新到?了?|更新|系统|内核|补丁|驱动|第|章节)[ :=v]{0,3}$|[a-z]/$|[a-z]-$"
)
_LOCAL_NET: Final = re.compile(r"192\.168\.|172\.(?:1[6-9]|2[0-9]|3[01])\.")
"""How addresses of local networks begin that no version does (RFC 1918); 10.… may be one."""
_ADDRESS_WORD: Final = re.compile(
    r"(?:(?<![a-z])(?:ip|ipv4|host|server|ssh|ping|addr|address|router|gateway|dns)|地址|服务器|网关)[^.\n]{0,8}$"
)


def find(shadow: Shadow) -> Iterator[Finding]:
    """Yield e-mail and IP addresses. Loopback and unspecified addresses and net masks are everybody's."""
    text, lower = shadow.text, shadow.lower
    if "@" in text:
        for match in _EMAIL.finditer(text):
            name, _, domain = match[0].lower().rpartition("@")
            if domain.rpartition(".")[2] not in _FILES and name not in _NO_PERSON:
                yield Finding(match.start(), match.end(), "EMAIL", Rank.SHAPE)
    yield from _spelled(lower)
    for match in _HANDLE.finditer(lower) if ":" in lower or "/" in lower else ():
        if match["v"] not in _PAGES:
            yield Finding(*match.span(match.lastgroup or 0), "IM_ID", Rank.SHAPE)
    if not lower.isascii():
        for match in _Q.finditer(lower):
            yield Finding(*match.span("v"), "IM_ID", Rank.SHAPE)
    if text.count(".") > 2:
        last = 0
        for match in _IPV4.finditer(text):
            if not _is_ipv4(match[0]):
                continue
            # What an address is moved to, or listed with, is one as well.
            alike = last and _ALIKE.fullmatch(text, last, match.start())
            if alike or not _is_version(lower, match.start(), match.end()):
                last = match.end()
                yield Finding(match.start(), last, "IP", Rank.SHAPE)
    if text.count(":") > 1:
        for match in _IPV6.finditer(text):
            if _is_ipv6(match[0]):
                yield Finding(match.start(), match.end(), "IP", Rank.SHAPE)


def _spelled(lower: str) -> Iterator[Finding]:
    for at in _AT.finditer(lower):
        domain = (_DOMAIN_SPELLED if at[0] == " at " else _DOMAIN_PLAIN).match(lower, at.end())
        if domain is None:
            continue
        begin = max(0, at.start() - _AT_REACH)
        local = _LOCAL.search(lower[begin : at.start()])
        if local is not None:
            yield Finding(begin + local.start(), domain.end(), "EMAIL", Rank.SHAPE)


def _is_ipv4(value: str) -> bool:
    parts = [int(part) for part in value.split(".")]
    if any(part > 255 for part in parts) or any(len(part) > 1 and part[0] == "0" for part in value.split(".")):
        return False
    return parts[0] not in (0, 127, 255)


def _is_version(lower: str, start: int, end: int) -> bool:
    before = max(0, start - 24)
    if _LOCAL_NET.match(lower, start) or _ADDRESS_WORD.search(lower, before, start):
        return False
    return _VERSION.search(lower, before, start) is not None or vetoes.spoken_against(lower, start, end)


def _is_ipv6(value: str) -> bool:
    if not any(char.isdigit() for char in value) or sum(1 for part in value.split(":") if part) < 2:
        return False
    try:
        address = ipaddress.IPv6Address(value)
    except ValueError:
        return False
    return not (address.is_loopback or address.is_unspecified)
