"""The vendored token formats, each tried only near its own keyword."""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from typing import TYPE_CHECKING, Final

import regex  # type: ignore[import-untyped]

from desk_assistant.privacy.trie import trie_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

_BEFORE: Final = 72
_AFTER: Final = 1200
# What the rules of gitleaks put around a token: 50 characters that only serve to report it, and a list of what may
# follow. A Chinese sentence goes on right behind a token, so "no more token characters" is what is meant here.
_LEAD: Final = r"[\w.-]{0,50}?"
_TAIL: Final = r"""(?:[\x60'"\s;]|\\[nr]|$)"""
_TAIL_HERE: Final = r"(?![\w/+=-])"


@dataclass(frozen=True)
class Rule:
    """One token format.

    Attributes:
        source: The pattern as published.
        group: The group that is the token; 0 for the first one that took part.
        entropy: Least Shannon entropy of the token, in bits a character.
        allow: Patterns of known examples.
        stopwords: Words that mark an example.
    """

    source: str
    group: int
    entropy: float
    allow: tuple[str, ...]
    stopwords: tuple[str, ...]

    @cached_property
    def pattern(self) -> regex.Pattern[str]:
        """The pattern, made to work beside Chinese; compiled when its keyword is first met."""
        return regex.compile(self.source.replace(_LEAD, "").replace(_TAIL, _TAIL_HERE), regex.ASCII)

    def token(self, match: regex.Match[str]) -> tuple[int, int] | None:
        """Return the range of the token in `match`, or `None` when it is an example or too regular."""
        group = self.group or next((index for index in range(1, self.pattern.groups + 1) if match[index]), 0)
        value = match[group]
        if not value or entropy(value) < self.entropy:
            return None
        if any(regex.search(allowed, value) for allowed in (*self.allow, *_examples())):
            return None
        if any(word in value.lower() for word in self.stopwords):
            return None
        start, end = match.span(group)
        return start, end


def entropy(value: str) -> float:
    """Shannon entropy of `value` in bits a character."""
    counts = Counter(value).values()
    return -sum(count / len(value) * math.log2(count / len(value)) for count in counts)


@cache
def _config() -> dict[str, object]:
    return tomllib.loads((resources.files(__package__) / "rules" / "gitleaks.toml").read_text(encoding="utf-8"))


@cache
def _examples() -> tuple[str, ...]:
    allow = _config()["allow"]
    assert isinstance(allow, list)
    return tuple(str(pattern) for pattern in allow)


@cache
def _rules() -> tuple[re.Pattern[str], dict[str, tuple[Rule, ...]]]:
    """The pattern of all keywords, and keyword -> rules."""
    listed = _config()["rules"]
    assert isinstance(listed, list)
    by_keyword: dict[str, tuple[Rule, ...]] = {}
    for entry in listed:
        rule = Rule(
            source=entry["regex"],
            group=entry.get("secretGroup", 0),
            entropy=entry.get("entropy", 0.0),
            allow=tuple(entry.get("allow", ())),
            stopwords=tuple(entry.get("stopwords", ())),
        )
        for keyword in entry["keywords"]:
            by_keyword[keyword] = (*by_keyword.get(keyword, ()), rule)
    return re.compile(trie_pattern(by_keyword)), by_keyword


def tokens(text: str, lower: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of the tokens in `text` (`lower` is the same in lower case)."""
    keywords, by_keyword = _rules()
    windows: dict[Rule, list[list[int]]] = {}
    for match in keywords.finditer(lower):
        begin, end = max(0, match.start() - _BEFORE), match.end() + _AFTER
        for rule in by_keyword[match[0]]:
            spans = windows.setdefault(rule, [])
            if spans and begin <= spans[-1][1]:
                spans[-1][1] = end
            else:
                spans.append([begin, end])
    for rule, spans in windows.items():
        for begin, end in spans:
            for found in rule.pattern.finditer(text, begin, min(end, len(text))):
                token = rule.token(found)
                if token is not None:
                    yield token
