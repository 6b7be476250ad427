"""Keys and tokens that show themselves: published prefixes, key blocks, credentials in addresses and commands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy import formats
from desk_assistant.privacy.accept import stand_in
from desk_assistant.privacy.finding import Finding, Rank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desk_assistant.privacy.fold import Shadow

# Looser than the vendored formats where vendors changed lengths: what starts like this is a key whatever its length.
_PREFIXED: Final = re.compile(
    r"(?<![A-Za-z0-9])(?P<v>"
    r"sk-(?:[a-z]{2,10}-(?:[a-z0-9]{2,8}-)?)?[A-Za-z0-9_-]{16,200}"
    r"|gh[opusr]_[A-Za-z0-9]{20,255}|github_pat_[A-Za-z0-9_]{20,255}"
    r"|gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_.-]{16,128}"
    r"|xox[abeoprs]-[A-Za-z0-9-]{10,255}|xapp-[A-Za-z0-9-]{10,255}"
    r"|A(?:KIA|SIA|BIA|CCA)[A-Z0-9]{12,20}(?![A-Za-z0-9])|AIza[A-Za-z0-9_-]{30,45}"
    r"|SEC[0-9a-f]{20,64}(?![A-Za-z0-9])|hf_[A-Za-z0-9]{20,60}|npm_[A-Za-z0-9]{20,60}"
    r"|pypi-[A-Za-z0-9_-]{32,255}|SG\.[A-Za-z0-9_-]{10,40}\.[A-Za-z0-9_-]{20,80}"
    r"|(?:sk|rk)_(?:live|test|prod)_[A-Za-z0-9]{10,120}|whsec_[A-Za-z0-9+/=]{16,80}"
    r"|LTAI[A-Za-z0-9]{12,28}|AKID[A-Za-z0-9]{13,40}|gsk_[A-Za-z0-9]{20,80}|xai-[A-Za-z0-9]{20,120}"
    r"|pplx-[A-Za-z0-9]{20,80}"
    r"|r8_[A-Za-z0-9]{20,60}|do[opr]_v1_[a-f0-9]{32,80}|ya29\.[A-Za-z0-9_-]{20,255}|sq0[a-z]{3}-[A-Za-z0-9_-]{20,64}"
    r"|shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{24,40}|dckr_pat_[A-Za-z0-9_-]{20,40}|tvly-[A-Za-z0-9-]{16,64}"
    r"|ntn_[A-Za-z0-9]{30,60}"
    r"|secret_[A-Za-z0-9]{32,64}|lin_api_[A-Za-z0-9]{20,64}|figd_[A-Za-z0-9_-]{20,64}|key-[a-f0-9]{32}(?![a-f0-9])"
    r"|ey[A-Za-z0-9_-]{8,2000}\.ey[A-Za-z0-9_-]{8,4000}(?:\.[A-Za-z0-9_-]{0,1000})?"
    r"|[ps]k\.ey[A-Za-z0-9_-]{16,400}\.[A-Za-z0-9_-]{10,100}"
    r"|[0-9]{8,10}:[A-Za-z0-9_-]{30,50}(?![A-Za-z0-9_-])"
    r"|AC[a-f0-9]{32}(?![A-Za-z0-9])|SK[a-f0-9]{32}(?![A-Za-z0-9])|AGE-SECRET-KEY-1[A-Z0-9]{40,64}"
    r"|v[0-9]\.[0-9]-[a-f0-9]{24}-[a-f0-9]{100,160}|pat-(?:na|eu)1-[a-f0-9-]{36}"
    r")"
)
_WEBHOOK: Final = re.compile(
    r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<v>[A-Za-z0-9/+_-]{16,120})"
    r"|discord(?:app)?\.com/api/webhooks/(?P<d>[0-9]{10,22}/[A-Za-z0-9_-]{20,100})"
    r"|https?://(?P<s>[0-9a-f]{32})(?::[0-9a-f]{32})?@[a-z0-9.-]{4,60}/[0-9]{1,20}(?![0-9a-z])"
    r"|webhook\.office\.com/webhookb2/(?P<o>[A-Za-z0-9@/-]{36,200})"
    r"|open\.feishu\.cn/open-apis/bot/v2/hook/(?P<f>[a-z0-9-]{16,64})"
)
_BLOCK_BEGIN: Final = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
_BLOCK_END: Final = "-----END"
# The address of a data store with its user and secret is one credential: host and user are as private as the rest.
_CONNECTION: Final = re.compile(
    r"(?<![A-Za-z0-9+.-])(?:jdbc:)?(?:postgres(?:ql)?|mysql2?|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|oracle"
    r"|clickhouse|cockroachdb|kafka|nats|elasticsearch|neo4j|bolt|cassandra|couchdb|influxdb|ldaps?|dm|kingbase|tidb)"
    r"(?:\+[a-z0-9]{1,16})?://[^\s/:@\"'<>\u3000-\uffef]{0,64}:(?P<v>[^\s/@\"'<>\u3000-\uffef]{2,128})@"
    r"[!#-&*+\--;=?-Z\[\]_a-z~]{1,200}"
)
_PASSWORD_IN_URL: Final = re.compile(r"[a-z][a-z0-9+.-]{1,20}://[^\s/:@\"'<>]{0,64}:(?P<v>[!#-&(-.0-;=?A-~]{2,128})@")
_PASSWORD_AT_HOST: Final = re.compile(
    r"(?<![A-Za-z0-9])(?:root|admin|administrator|postgres|mysql|redis|user|guest|ubuntu|deploy|test|sa|pi|ftp"
    r"|dev|oracle)"
    r":(?P<v>[^\s:@/]{3,64})@(?=[A-Za-z0-9])"
)
_USER_SLASH: Final = re.compile(
    r"(?<![A-Za-z0-9/.@-])(?:admin|administrator|root|guest|user|test|postgres|pi)(?: ?/ ?| ?\| ?| - )"
    r"(?P<v>(?=[!-~]{0,40}[0-9])(?=[!-~]{0,40}[A-Za-z])[!#-+\--.0-:<-~]{6,63}[0-9A-Za-z!#$%&*+=@^~?_-])(?![/0-9A-Za-z])"
)
_COMMAND: Final = re.compile(
    r"(?:mysql|mysqldump|mariadb|mongo|mongosh|sshpass|redis-cli|7z|unrar|unzip|zip|psql|smbclient|rdesktop"
    r"|xfreerdp|openssl)\b"
    r"[^\n|;]{0,80}? (?:-p|-P|-a|/p:|--pass(?:word)?[= ])[ ]?[\"']?(?P<v>[^\s\"'-][^\s\"']{3,63})"
    r"|curl\b[^\n|;]{0,120}? (?:-u|--user)[ =]?[\"']?[^\s:\"']{1,40}:(?P<u>[^\s\"']{3,64})"
)
_RECOVERY_KEY: Final = re.compile(r"(?<![0-9-])[0-9]{6}(?:-[0-9]{6}){7}(?![0-9-])")
"""BitLocker's: eight groups of six figures."""
_CLOSERS: Final = ".,;?]"
"""Marks behind an address that belong to the sentence."""
_NOT_A_BODY: Final = " \n\t\r"


def find(shadow: Shadow) -> Iterator[Finding]:
    """Yield keys, tokens, private keys, and passwords in addresses and commands."""
    text = shadow.text
    for match in _PREFIXED.finditer(text):
        start, end = match.span()
        while text[end - 1] in ".-":
            end -= 1
        value = text[start:end]
        if _telling(value):
            yield Finding(start, end, "API_KEY", Rank.FORMAT)
    if "://" in text or ".com/" in text:
        for match in _WEBHOOK.finditer(text):
            group = match.lastgroup or "v"
            yield Finding(*match.span(group), "API_KEY", Rank.FORMAT)
        for match in _CONNECTION.finditer(text):
            if not stand_in(match["v"]):
                yield Finding(match.start(), match.start() + len(match[0].rstrip(_CLOSERS)), "API_KEY", Rank.FORMAT)
        for match in _PASSWORD_IN_URL.finditer(text):
            if not stand_in(match["v"]):
                yield Finding(*match.span("v"), "PASSWORD", Rank.FORMAT)
    if "@" in text:
        for match in _PASSWORD_AT_HOST.finditer(text):
            yield Finding(*match.span("v"), "PASSWORD", Rank.FORMAT)
    for match in _RECOVERY_KEY.finditer(text):
        yield Finding(match.start(), match.end(), "PASSWORD", Rank.FORMAT)
    for match in _USER_SLASH.finditer(text) if "/" in text or "|" in text or " - " in text else ():
        if not stand_in(match["v"]):
            yield Finding(*match.span("v"), "PASSWORD", Rank.HINT)
    if "-----BEGIN" in text:
        yield from _blocks(text)
    for match in _COMMAND.finditer(text) if "-" in text or "/p:" in text else ():
        group = match.lastgroup or "v"
        if not stand_in(match[group]):
            yield Finding(*match.span(group), "PASSWORD", Rank.SECRET)
    for start, end in formats.tokens(text, shadow.lower):
        yield Finding(start, end, "API_KEY", Rank.FORMAT)


def _telling(value: str) -> bool:
    """Whether `value` is no example: not all one character, not words joined by dashes, with a digit or mixed case."""
    body = value.split("_", 1)[-1] if "_" in value[:12] else value.split("-", 1)[-1]
    if len(set(body)) < 6 or "xxxx" in body.lower() or "your" in body.lower() or "example" in body.lower():
        return False
    has_digit = any(char.isdigit() for char in body)
    mixed = any(char.isupper() for char in body[1:]) and any(char.islower() for char in body)
    return has_digit or (mixed and "-" not in body)


def _blocks(text: str) -> Iterator[Finding]:
    position = 0
    while (begin := _BLOCK_BEGIN.search(text, position)) is not None:
        end = text.find(_BLOCK_END, begin.end())
        end = len(text) if end < 0 else end
        start = begin.end()
        while start < end and text[start] in _NOT_A_BODY:
            start += 1
        stop = end
        while stop > start and text[stop - 1] in _NOT_A_BODY:
            stop -= 1
        if stop - start >= 16:
            yield Finding(start, stop, "API_KEY", Rank.FORMAT)
        position = max(end, begin.end())
