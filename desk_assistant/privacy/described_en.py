"""Secrets that are described in English words: a pattern to draw, a dial to turn, a spelling, an answer, a phrase."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy.finding import Finding, Rank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desk_assistant.privacy.fold import Shadow

_REACH: Final = 90

# "top left, middle, bottom right", "left to 32, right past zero to 11"
_WAY: Final = (
    r"(?:top|upper|bottom|lower|left|right|up|down|middle|mid|centre|center|corner|diagonal(?:ly)?|across|clockwise"
    r"|counter-?clockwise|anti-?clockwise|straight)"
)
_BETWEEN: Final = (
    r"(?:[ ,;>/-]|->|→|then|and|to|into|past|through|back|over|from|the|zero|once|twice|times|turns?|again|row|dot"
    r"|stop|at|on|around|all way|(?<![0-9])[0-9]{1,2}(?![0-9])x?)"
)
_DIRECTIONS: Final = re.compile(
    rf"(?<![a-z]){_WAY}(?![a-z])(?:{_BETWEEN}{{1,12}}?{_WAY}(?![a-z])){{2,14}}(?: (?:(?:to|past"
    rf"|at|on) )?[0-9]{{1,2}}(?![0-9]))?"
)
# "three turns left to 28, two right to 65"; "draw a Z from the top left"
_COUNT: Final = r"(?:once|twice|[0-9]|one|two|three|four|five)(?: (?:full )?(?:turns?|times|rounds?))?"
_TURN: Final = (
    rf"(?:{_COUNT} )?(?:to the )?(?:left|right|clockwise|counter-?clockwise|anti-?clockwise)(?: {_COUNT})?,?"
    r"(?: (?:to|past|until|and stop at|stop at|onto|on|at))? [0-9]{1,2}(?![0-9])"
)
_DIAL: Final = re.compile(
    rf"(?<![a-z0-9]){_TURN}(?:(?:,|;|->| -)? ?(?:(?:and|then|next|back|finally) ){{0,2}}{_TURN}){{1,4}}"
)
_FIGURE_DRAWN: Final = re.compile(
    rf"(?<![a-z])(?:an? )?(?:(?:big|small|capital|backwards?|reversed?|upside[- ]down|sideways|mirrored) )*(?:letter )?"
    rf"(?:[zlnmsuvwcrt]|zig-?zag|spiral|triangle|square|star|cross|arrow|house|hook|diamond)(?:[ -]shape)?,?"
    rf"(?: (?:that|which))?(?: (?:starts?|starting|beginning|begins|going|drawn))?(?: (?:from|in|at|on))(?: the)?"
    rf" {_WAY}(?:[ -]{_WAY})?(?: (?:corner|dot))?"
)
_DRAWN: Final = re.compile(
    r"(?<![a-z])(?:pattern|swipe|draw|drawing|dial|dials|combination|combo|safe|vault|unlock"
    r"|lock screen|gesture)(?![a-z])"
)

# "capital B as in Bravo, four, dash, lowercase m"
_CASE: Final = r"(?:capital|uppercase|upper case|upper-case|lowercase|lower case|lower-case|big|small|little|caps)"
_FIGURE: Final = r"(?:zero|oh|one|two|three|four|five|six|seven|eight|nine|ten|double|triple)"
_SIGN: Final = (
    r"(?:dash|hyphen|minus|underscore|dot|period|full stop|hash(?:tag)?|pound(?: sign)?|star|asterisk|bang"
    r"|exclamation(?: mark| point)?|at sign|dollar(?: sign)?|percent|ampersand|plus|equals"
    r"|slash|question mark|space|comma)"
)
_AS_IN: Final = r"(?: (?:as in|like in|for|like) [a-z]{2,12})?"
_WRITTEN: Final = (
    rf"(?:{_CASE} [a-z](?: [a-z](?![a-z]))*{_AS_IN}|{_CASE} [a-z]{{2,12}}|(?:the )?(?:number"
    rf"|digit|letter|word) [a-z0-9]{{1,10}}"
    rf"|{_FIGURE}(?: {_FIGURE})*|(?:an? )?{_SIGN}|[0-9]{{1,8}}|[a-z]{_AS_IN})(?![a-z0-9])"
)
_JOIN: Final = r"(?:,? (?:then |and |followed by |and then )?|, ?)"
_LOOSE: Final = rf"(?:{_WRITTEN}|[a-z]{{2,10}}(?={_JOIN}(?:{_WRITTEN})))"
_SPELLING: Final = re.compile(
    rf"(?<![a-z0-9]){_WRITTEN}(?:{_JOIN}{_LOOSE}){{2,16}}(?:{_JOIN}[a-z]{{2,10}}(?=[,.;!?\n]|$))?"
)
_TELLING_CASE: Final = re.compile(rf"(?<![a-z]){_CASE} (?:[a-z](?![a-z])|[a-z]+)")
_TELLING_SIGN: Final = re.compile(rf"(?<![a-z]){_SIGN}(?![a-z])")

_SECRET: Final = re.compile(
    r"(?<![a-z])(?:pass ?words?|passcode|passphrase|pw|pwd|pin|code|login|log in|wifi|wi-fi"
    r"|router|unlock|spell(?:ed|ing|t)?"
    r"|account|key|sign in|secret|vault|master)(?![a-z])"
)

# "first pet: Biscuit", "it asks my first teacher, answer Mrs Pemberton"
_QUESTION: Final = re.compile(
    r"security (?:question|answer|word)|secret question|recovery question|reset question"
    r"|maiden name|pet'?s? (?:name|question)"
    r"|first (?:pet|car|school|teacher|job|boss|street|concert|phone|kiss|girlfriend|boyfriend)"
    r"|(?:favou?rite|childhood|memorable|mother'?s|street|city|town) [a-z ]{2,24}(?:question"
    r"|answer)|memorable (?:word|name|place)|security word"
)
# "favourite teacher is the thing they ask when you reset": everyday words, so somebody must be asking
_FAVOURITE: Final = re.compile(
    r"(?:favou?rite|childhood|best) (?:teacher|pet|friend|book|film|movie|food|team|colou?r|band|place|song"
    r"|singer|hero)"
)
_ASKED: Final = re.compile(
    r"(?<![a-z])(?:reset|security|recover(?:y)?|(?:they|it|site|bank|app) asks?|prompts?|on file)(?![a-z])"
)
_ANSWER: Final = re.compile(
    r"(?:on file|put down|written down|got down)(?: (?:is|as|was|for it))*[ :=]+|(?:answer(?:ed)?(?:'s)?"
    r"|replied|reply|i (?:(?:always|usually|just|still|only|actually|once|ever) )?"
    r"(?:put|use|used|set|said|gave|wrote|chose|picked|entered|typed))(?: (?:is"
    r"|was|to|it|with|as|of))*[ :=]+"
    r"|(?:name|car|pet|school|teacher|book|street|city|word|film|movie|song|food|place|bank"
    r"|questions?)\)?(?: (?:question|answer))?"
    r"(?: at the [a-z]{2,10})?(?:'s|,(?= [A-Z])|,? (?:it's|its|it is|is|was)|:| -|=| ?→| ?->)[ :]*"
)
_REPLY: Final = re.compile(
    r"[\"']?(?P<v>(?:[A-Z][\w'.-]{1,20}|[0-9]{1,4})(?: (?:of|the|and|de|van|[A-Z][\w'.-]{0,20}"
    r"|[0-9]{1,4})){0,4})(?=[,.;!?\"'\n]| ?\(|$| (?:but|and|they|says|is)\b)"
    r"|[\"']?(?P<w>[a-z][a-z'-]{2,20}(?: [a-z'-]{2,20}){0,2})[\"']?(?=[,.;!?\n]|$)"
)
# "they have Featherington down as my security answer"
_AS_ANSWER: Final = re.compile(
    r"(?: is|,)?(?: as)? (?:my|the|our|his|her)(?: old)? (?:security|secret|recovery|memorable)"
    r" (?:answer|word|name|place)"
)
_ON_FILE: Final = re.compile(
    r"(?:\b(?:have|has|had|got|put|gave|used?|set|saved?|with|typed|entered|took)|,|^) ?[\"']?"
    r"(?P<v>[A-Z][\w'-]{2,24}(?: [A-Z][\w'-]{1,20}){0,2})[\"']?(?: (?:on file|down|there|saved|stored|written))?$"
)
_FILE_REACH: Final = 80
_NO_REPLY: Final = frozenset(
    [
        *(
            "that",
            "this",
            "what",
            "not",
            "no",
            "yes",
            "the",
            "my",
            "a",
            "an",
            "i",
            "you",
            "they",
            "he",
            "she",
            "we",
            "it",
        ),
        *("for", "to", "in", "on", "is", "are", "wrong", "right", "safe", "correct", "case", "sensitive", "required"),
        *("forgotten", "unknown", "something", "someone", "anything", "how", "where", "when", "why", "who", "which"),
        *("there", "here", "still", "always", "easy", "hard", "too", "very"),
    ]
)

# "opens with “slow green trams hum at night”"
_QUOTE: Final = re.compile(r"\"(?P<v>[a-z][a-z']*(?:[ -][a-z']+){2,9})[.!]?\"")
_PHRASED: Final = re.compile(
    r"(?:pass ?phrase|pass ?words?|master is|master pass|recovery phrase|opens? (?:with|if)|unlocks? (?:with|if)"
    r"|vault|bitwarden|keepass|1password"
    r"|decrypt(?:ed|s)? with|safe word|code ?word|encrypted with)"
)


def find(shadow: Shadow) -> Iterator[Finding]:
    """Yield patterns, turns, spellings, answers to security questions and quoted passphrases."""
    lower = shadow.lower
    if _DRAWN.search(lower):
        for pattern in (_DIRECTIONS, _DIAL, _FIGURE_DRAWN):
            for match in pattern.finditer(lower):
                if _DRAWN.search(lower, max(0, match.start() - _REACH), match.start()):
                    yield Finding(match.start(), match.end(), "PASSWORD", Rank.SHAPE)
    if _SECRET.search(lower) and (_TELLING_CASE.search(lower) or _TELLING_SIGN.search(lower)):
        yield from _spellings(lower)
    if _QUESTION.search(lower) or "y answer" in lower or (_ASKED.search(lower) and _FAVOURITE.search(lower)):
        yield from _answers(shadow)
    if '"' in lower:
        for match in _QUOTE.finditer(lower):
            if _PHRASED.search(lower, max(0, match.start() - 48), match.start()):
                yield Finding(*match.span("v"), "PASSWORD", Rank.SHAPE)


def _spellings(lower: str) -> Iterator[Finding]:
    for match in _SPELLING.finditer(lower):
        value = match[0]
        telling = len(_TELLING_CASE.findall(value)) + len(_TELLING_SIGN.findall(value))
        around = _SECRET.search(lower, max(0, match.start() - _REACH), match.start()) or _SECRET.search(
            lower, match.end(), match.end() + _REACH
        )
        if telling >= 2 and around:
            yield Finding(match.start(), match.end(), "PASSWORD", Rank.SECRET)


def _answers(shadow: Shadow) -> Iterator[Finding]:
    text, lower = shadow.text, shadow.lower
    for answer in _AS_ANSWER.finditer(lower):
        begin = max(0, answer.start() - _FILE_REACH)
        said = _ON_FILE.search(text[begin : answer.start()])
        if said is not None and said["v"].split()[0].lower() not in _NO_REPLY:
            yield Finding(begin + said.start("v"), begin + said.end("v"), "PASSWORD", Rank.SECRET)
    questions = list(_QUESTION.finditer(lower))
    if _ASKED.search(lower):
        questions += _FAVOURITE.finditer(lower)
    for question in questions:
        for cue in _ANSWER.finditer(lower, question.start(), question.end() + _REACH):
            reply = _REPLY.match(text, cue.end())
            if reply is None:
                continue
            group = reply.lastgroup or "v"
            first = reply[group].split()[0].lower().rstrip("'")
            if first in _NO_REPLY:
                continue
            spoken = "memorable" in question[0] or "word" in question[0]
            if group == "w" and not spoken and "answer" not in cue[0] and ":" not in cue[0] and "i " not in cue[0][:2]:
                continue
            yield Finding(*reply.span(group), "PASSWORD", Rank.SECRET)
            break
