"""Secrets that nobody announced: "punch in 2580# at the gate", 短信让我填8830.

A candidate (see `candidates`) is weighed by what stands around it (see `clues`): a linear model with three outcomes
over named features, whose weights are a readable file. They were fitted by `packaging/fit_hints.py` to the labelled
lines of the tests, so what the model knows can be extended by writing more lines.
"""

from __future__ import annotations

import json
import math
import re
from bisect import bisect_right
from functools import cache
from importlib import resources
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy import candidates, vetoes
from desk_assistant.privacy.clues import REACH, Clues
from desk_assistant.privacy.finding import Finding, Rank
from desk_assistant.privacy.fold import BLANK

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from desk_assistant.privacy.candidates import Candidate
    from desk_assistant.privacy.fold import Shadow

KINDS: Final = ("PASSWORD", "OTP", "IM_ID")
"""The outcomes beside "harmless", in the order of the weights."""
_USER_NAME: Final = re.compile(
    r"(?:(?<![a-z])(?:user ?name|user ?id|user|login name|account name|nick ?name|display name"
    r"|ssid|(?:network|wifi|wi-fi)(?: name)?(?: is| is called|'s)"
    r"|(?:is|it's|network) called)|用户名|账号|帐号|账户|昵称|登录名|网名|网络名?叫?"
    r"|名叫)(?: ?(?:is|:|=|是|叫|为)+)? ?[\"']?$"
)
_THEN_SECRET: Final = re.compile(
    r"[\"']?[ ,;/|&+\n]{0,3}(?:(?:and|with|then|the|its|it's|my|it wants)[ ,]+){0,3}(?:pass|pw"
    r"|pin|wants|后面|密码|口令|密|要连|要输)"
)
_NAMES: Final = frozenset({"words.", "words_", "words-low", "at"})
"""Looks of account names that no password has; with a dot or a low line in it a word is more often code."""
_MET: Final = frozenset(
    {"messenger<touching", "messenger<near", "contact<touching", "contact<near", "messenger>touching", "messenger>near"}
)
_CODE_AROUND: Final = re.compile(
    r"`|\(\)|==|::|</|[{};]$|\bdef |\bimport |\bself\.|\bselect |\breturn |>>> ", re.MULTILINE
)
_NUMBERED: Final = re.compile(r"(?<![a-z])(?:no|nr)\. ?$")
_CODE_REACH: Final = 48
_NUMBERS: Final = frozenset({"digits", "groups", "keyed", "mixed"})
"""Families that an order, a version or a price may be of."""
_PLACES: Final = frozenset({"IP", "EMAIL"})
"""Types of what is no part of a secret around it."""
_LEAST: Final = 0.55
"""Least probability, over all kinds together, at which a candidate is masked. From .5 to .55 nothing was lost on lines
of writers left out of the fit, and less was masked in vain."""


def find(shadow: Shadow, taken: Sequence[Finding] = ()) -> Iterator[Finding]:
    """Yield stretches that are more likely a password, a one-time code or a messenger's account name than harmless.

    Args:
        shadow: The folded text.
        taken: What surer detectors found, in order and not overlapping; what lies inside one is not weighed again.
    """
    starts = [one.start for one in taken]
    clues: Clues | None = None
    # A text that repeats itself, as hostile ones do, is judged once.
    judged: dict[tuple[int, str, str], str | None] = {}
    for candidate in candidates.find(shadow):
        index = bisect_right(starts, candidate.start) - 1
        if index >= 0 and candidate.end <= taken[index].end:
            continue
        if index + 1 < len(taken) and taken[index + 1].start < candidate.end and taken[index + 1].type in _PLACES:
            continue  # deploy@10.0.0.7
        if clues is None:
            clues = Clues(shadow)
            if not clues:
                return
        around = shadow.lower[max(0, candidate.start - REACH) : candidate.end + REACH]
        if BLANK in around:
            continue  # weighed when the text was masked first, with what is a placeholder now
        key = (min(candidate.start, REACH), candidate.look, around)
        if key not in judged:
            judged[key] = _judge(shadow.lower, clues, candidate)
        found = judged[key]
        if found is not None:
            yield Finding(candidate.start, candidate.end, found, Rank.GUESS)


def _judge(lower: str, clues: Clues, candidate: Candidate) -> str | None:
    if not clues.near(candidate):
        return None
    features = list(clues.around(candidate))
    if candidate.look in _NAMES and ("messenger*" not in features or _MET.isdisjoint(features)):
        return None
    found = kind(features)
    if found is None or (candidate.look in _NAMES and found != "IM_ID") or _excused(lower, candidate):
        return None
    return found


def _excused(lower: str, candidate: Candidate) -> bool:
    """Whether the words beside a candidate say that it is nobody's secret, or the name that goes with one."""
    start, end = candidate.start, candidate.end
    if _CODE_AROUND.search(lower[max(0, start - _CODE_REACH) : start]) or _CODE_AROUND.search(
        lower[end : end + _CODE_REACH]
    ):
        return True  # among code a secret is announced by its variable, which `cues` knows
    if vetoes.commonplace(lower, start, end):
        return True
    if candidate.family == "digits" and _NUMBERED.search(lower, max(0, start - 5), start):
        return True  # handle no. 8820; a PIN no. is announced, which `cues` knows
    serial = candidate.family == "joined" and candidate.look == "joined-" and "upper" in candidate.traits
    if (candidate.family in _NUMBERS or serial) and vetoes.spoken_against(lower, start, end):
        return True
    return (
        _THEN_SECRET.match(lower, end) is not None and _USER_NAME.search(lower, max(0, start - 32), start) is not None
    )


def kind(features: Iterable[str]) -> str | None:
    """Return the likeliest kind of a candidate with `features`, or `None` when it is more likely harmless."""
    bias, weights = _model()
    one, two, three = bias
    for feature in features:
        weight = weights.get(feature)
        if weight is not None:
            one += weight[0]
            two += weight[1]
            three += weight[2]
    top = max(one, two, three)
    odds = math.exp(min(top, 500)) * (math.exp(one - top) + math.exp(two - top) + math.exp(three - top))
    if odds / (1 + odds) < _LEAST:
        return None
    return KINDS[(one, two, three).index(top)]


@cache
def _model() -> tuple[tuple[float, float, float], dict[str, tuple[float, float, float]]]:
    """The bias and feature -> weight, for each of `KINDS`, against harmless."""
    data = json.loads((resources.files(__package__) / "rules" / "hints.json").read_text(encoding="utf-8"))
    if tuple(data["kinds"]) != KINDS:
        raise ValueError("rules/hints.json was fitted for other kinds")
    one, two, three = data["bias"]
    return (one, two, three), {feature: tuple(weight) for feature, weight in data["weights"].items()}
