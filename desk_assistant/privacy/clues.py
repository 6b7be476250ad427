"""What stands around a candidate, as named features: classes of words by nearness and side, and the nearest words.

The words of both languages are looked up once for the whole text; a candidate then reads its neighbours by bisection.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy.lexicon import EN, ZH
from desk_assistant.privacy.trie import trie_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desk_assistant.privacy.candidates import Candidate
    from desk_assistant.privacy.fold import Shadow

REACH: Final = 110
"""Characters on either side within which a word says something about a candidate."""
_MOST: Final = 10
"""Words looked at on either side: a text of nothing but such words must not cost more than an ordinary one."""
_STEPS: Final = ((4, "touching"), (14, "near"), (36, "mid"), (REACH, "far"))


def _classes() -> dict[str, tuple[str, ...]]:
    collected: dict[str, tuple[str, ...]] = {}
    for words in (EN.clues, ZH.clues):
        for name, listed in words.items():
            for word in listed:
                if name not in collected.get(word, ()):
                    collected[word] = (*collected.get(word, ()), name)
    return collected


_CLASSES: Final = _classes()
_LATIN: Final = trie_pattern(word for word in _CLASSES if word[0].isascii() and word[0].isalnum())
_OTHER: Final = trie_pattern(word for word in _CLASSES if not (word[0].isascii() and word[0].isalnum()))
_WORD: Final = re.compile(rf"(?<![a-z0-9])(?:{_LATIN})(?![a-z])|(?:{_OTHER})")
_BEFORE: Final = re.compile(r"([a-z']+)?[^a-z\u4e00-\u9fff]{0,3}([a-z']+)?([^a-z\u4e00-\u9fff]{0,4})$")
_AFTER: Final = re.compile(r"([^a-z\u4e00-\u9fff]{0,3})([a-z']+)?")
_PERSONS: Final = tuple(
    (name, re.compile(rf"(?<![a-z])(?:{trie_pattern(EN.persons[name])})(?![a-z])|(?:{trie_pattern(ZH.persons[name])})"))
    for name in EN.persons
)
_CLAUSE_END: Final = re.compile(r"[,.;!?\n]")
_CLAUSES: Final = ((1, "alone"), (11, "short"), (39, "middle"))
"""Most characters of a clause beside its candidate -> what it is called."""
_HAN: Final = re.compile(r"[\u4e00-\u9fff]")


@cache
def _near(key: str, step: str, family: str) -> tuple[str, ...]:
    """The features of a class on one side; made once, for there are few."""
    return key, key + step, f"{key}+{family}"


@cache
def _anywhere(name: str, family: str) -> tuple[str, ...]:
    return f"{name}*", f"{name}*+{family}"


class Clues:
    """The telling words of one text.

    Args:
        shadow: The folded text.
    """

    def __init__(self, shadow: Shadow) -> None:
        self._lower = shadow.lower
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._names: list[tuple[str, ...]] = []
        for match in _WORD.finditer(shadow.lower):
            start, end = match.span()
            self._starts.append(start)
            self._ends.append(end)
            self._names.append(_CLASSES[match[0]])
        self._persons = tuple(
            (name, [match.start() for match in words.finditer(shadow.lower)]) for name, words in _PERSONS
        )

    def __bool__(self) -> bool:
        return bool(self._starts)

    def near(self, candidate: Candidate) -> bool:
        """Whether any telling word stands within reach; without one a candidate is not worth weighing."""
        index = bisect_left(self._starts, candidate.start)
        return (index > 0 and candidate.start - self._ends[index - 1] <= REACH) or (
            index < len(self._starts) and self._starts[index] - candidate.end <= REACH
        )

    def around(self, candidate: Candidate) -> Iterator[str]:
        """Yield the features of `candidate`."""
        look, family = candidate.look, candidate.family
        yield f"look={look}"
        for trait in candidate.traits:
            yield f"{trait}"
            yield f"{family}+{trait}"
        names: set[str] = set()
        for key, step in self._nearest(candidate).items():
            yield from _near(key, step, family)
            names.add(key[:-1])
        for name in names:
            yield from _anywhere(name, family)
        yield from self._words(candidate)
        yield from self._setting(candidate)

    def _nearest(self, candidate: Candidate) -> dict[str, str]:
        """Class and side (`lock<`: before, `lock>`: after) -> nearness of the nearest word of that class."""
        found: dict[str, str] = {}
        index = bisect_left(self._starts, candidate.start)
        for at in range(index - 1, max(-1, index - 1 - _MOST), -1):
            gap = candidate.start - self._ends[at]
            if gap > REACH:
                break
            if gap >= 0:
                self._note(found, self._names[at], "<", self._ends[at], candidate.start)
        index = bisect_left(self._starts, candidate.end)
        for at in range(index, min(len(self._starts), index + _MOST)):
            if self._starts[at] - candidate.end > REACH:
                break
            self._note(found, self._names[at], ">", candidate.end, self._starts[at])
        return found

    def _note(self, found: dict[str, str], names: tuple[str, ...], side: str, begin: int, end: int) -> None:
        """Put down in `found` how near the classes `names` stand, unless a nearer word of theirs is in it."""
        step = ""
        for name in names:
            key = name + side
            if key not in found:
                step = step or self._step(begin, end)
                found[key] = step

    def _setting(self, candidate: Candidate) -> Iterator[str]:
        """Yield whose talk it is, and how much is said in the clause of the candidate."""
        lower, start, end = self._lower, candidate.start, candidate.end
        low, high = max(0, start - REACH), end + REACH
        for name, places in self._persons:
            index = bisect_left(places, low)
            if index < len(places) and places[index] < high:
                yield name
                yield f"{name}+{candidate.family}"
        close = _CLAUSE_END.search(lower, end, high)
        after = (close.start() if close else min(high, len(lower))) - end
        before = start - max(low, *(lower.rfind(mark, low, start) + 1 for mark in ",.;!?\n"))
        yield f"clause={next((name for most, name in _CLAUSES if before + after <= most), 'long')}"

    def _step(self, begin: int, end: int) -> str:
        """How near two places are; a Chinese character takes the room of two letters."""
        width = end - begin
        if width <= _STEPS[0][0] // 2:
            return _STEPS[0][1]
        if width > _STEPS[-2][0]:
            return _STEPS[-1][1]
        between = self._lower[begin:end]
        width += 0 if between.isascii() else len(_HAN.findall(between))
        return next((name for limit, name in _STEPS if width <= limit), "far")

    def _words(self, candidate: Candidate) -> Iterator[str]:
        """Yield the words, or Chinese characters, that touch the candidate."""
        lower, start, end = self._lower, candidate.start, candidate.end
        lead = lower[max(0, start - 24) : start]
        bare = lead.rstrip(" :\"'(,")
        joint = lead[len(bare) :]
        yield f"joint<{joint.strip() or '-'}"
        if bare and not bare[-1].isascii():
            for count in (1, 2, 3):
                yield f"w<{bare[-count:]}"
        elif match := _BEFORE.search(bare):
            yield f"w<{match[2]}"
            yield f"w2<{match[1]} {match[2]}"
        if not bare:
            yield "first"
        tail = lower[end : end + 20]
        bare = tail.lstrip(" :\"'),")
        yield f"joint>{tail[: len(tail) - len(bare)].strip() or '-'}"
        if bare and not bare[0].isascii():
            yield f"w>{bare[0]}"
            yield f"w>{bare[:2]}"
        elif match := _AFTER.match(bare):
            yield f"w>{match[2]}"
        if not bare:
            yield "last"
