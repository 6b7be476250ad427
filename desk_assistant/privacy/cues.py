"""Values by their announcement: a cue word, a link ("is", ":", 改成), and a value of the cue's shape.

The text is read once for cue words (one pattern for all of both languages). At each cue a bounded pattern reads the
link and another the value, so the cost follows the number of cues and not the length of what stands between them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy import vetoes
from desk_assistant.privacy.accept import Link
from desk_assistant.privacy.finding import Finding
from desk_assistant.privacy.kinds import KINDS, QUOTED
from desk_assistant.privacy.lexicon import EN, ZH, names_a_place
from desk_assistant.privacy.trie import trie_pattern

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desk_assistant.privacy.fold import Shadow
    from desk_assistant.privacy.kinds import Kind

_REACH_BACK: Final = 88
_REACH_AHEAD: Final = 900
"""Characters on either side of a cue that are read for it: the longest link, the longest value, what follows it."""
_LONG: Final = 16_384
"""Characters of a text from which on it may pay to remember what was read."""
_BEHIND: Final = 72
_LATIN_OR_DIGIT: Final = re.compile(r"[0-9a-z]")
_DIGIT: Final = re.compile(r"[0-9]")
_TIES: Final = (
    " is ",
    ", my ",
    ", our ",
    " to ",
    " for ",
    " as ",
    " was ",
    "'s ",
    "是",
    "为",
    "(",
    "作",
    "当",
    "做",
    "输",
    "按",
    "用",
)


def _by_word() -> dict[str, tuple[str, ...]]:
    """Word -> the kinds it announces, in the order of `KINDS`: 账号 may be an account at a bank or of a login."""
    collected: dict[str, tuple[str, ...]] = {}
    for words in (ZH.cues, EN.cues):
        for kind, listed in words.items():
            for word in listed:
                if kind not in collected.get(word, ()) and kind in KINDS:
                    collected[word] = (*collected.get(word, ()), kind)
    order = list(KINDS)
    return {word: tuple(sorted(kinds, key=order.index)) for word, kinds in collected.items()}


_CUES: Final = _by_word()
# A Latin cue must stand alone ("pin", not "spinning"), but may touch Chinese, digits after it, or an underscore.
_LATIN: Final = trie_pattern(word for word in _CUES if word.isascii())
_MIXED: Final = trie_pattern(word for word in _CUES if not word.isascii() and word[0].isascii())
_HAN: Final = trie_pattern(word for word in _CUES if not word[0].isascii())
_CUE: Final = re.compile(rf"(?:(?:{_HAN})|(?<![a-z0-9])(?:{_MIXED}|{_LATIN}))(?:(?<![a-z])|(?![a-z]))")

_QUALIFIER: Final = (
    r"(?:[ _-]?(?:#|no\.|nr\.|(?:numbers?|num|no|nr|id|handle|user ?name|name|code|value|acc(?:oun)?t"
    r"|address|today|now|again|here|card|app|sms|message|ending today|"
    r"for (?:this|that|it)|please)(?![a-z]))"
    r"|[ ]?(?:号码|号|编号|账号|账户|帐号|地址|字号|同号|同步|那个|本人|的|搜索?|搜一下|找)"
    r"|[ ]?\([^()\n]{0,24}\))"
)
_ADVERB: Final = (
    r"(?: ?(?:still|just|now|currently|actually|called|simply|always|also|probably|something like|either))?"
)
_ZH_ADVERB: Final = (
    r"(?:还|就|都|也|应该|好像|大概|暂时|目前|现在|一直|仍然?|已经?|被|我|他|她|给|统一|默认|初始|今天"
    r"|刚|才|把它|帮我|一律|暂|先|又|重新){0,3}"
)
_VERB_EN_WORDS: Final = (
    r"(?:(?:'s|s'| is| are| was| were| will be| equals| becomes| reads| shows| displays| says| goes"
    r"| set to| changed to| reset to"
    r"| updated to| switched to|(?: has been| have been| was| is| got| been)(?: set| changed| reset| updated) to"
    rf"| should be| would be| to be| used to be| it's| it is)(?: set to| going to be)?{_ADVERB})"
)
_VERB_EN: Final = rf"(?:{_VERB_EN_WORDS}(?: ?:)? )"
_VERB_ZH: Final = (
    rf" ?{_ZH_ADVERB}(?:是|为|改成|改为|改到|设成|设为|设置为|设置成|设的是|换成|变成|等于|用的是|用的"
    rf"|叫做|叫|即|写的是|显示|填|输入|输|转到|拨到|按|拨|:|更新为|重置为|重置成|定为)了?[ :]{{0,3}}"
)
_MARK: Final = r"(?:[\"'`\])]{0,2} ?(?:[:=>]|:=|=>|->|→){1,2}[ \n]{0,3})"
_ASIDE: Final = (
    r"(?:(?: (?:hasn't changed|has not changed|didn't change|never changed|is the same|is unchanged"
    r"|stays the same)|没变|没改|没换|不变)?[,.;!]? ?(?:and )?(?:(?:it's |it is )?still|还是|依然是"
    r"|仍是|it's|it is|its|that's|here it is|here|this is|use|这是|就是|是|新的是|现在是) ?:? ?)"
)
_PREPOSITION: Final = (
    r"(?: (?:for|to|of|on|at|in|from|with|into|under|they|you|he|she|we|i|that|which)(?: [^ ,.;:=?!\n]{1,24}){1,6}?)"
)
_ZH_GAP: Final = r"[\u4e00-\u9fff]{1,8}?"
_ZH_GIVEN: Final = (
    r"(?:给你了?|发你了?|发给你了?|发过去了?|告诉你|如下|在这里?|在此|记一下|帮我记一下|帮我记下"
    r"|你记一下|记好|收好|拿好|备忘|放这)[ ,:]?"
)
_LINK: Final = re.compile(
    rf"(?:(?<=no|nr|ph)\.)?{_QUALIFIER}{{0,3}}(?:(?P<mark>{_MARK})|(?P<says>{_VERB_EN}|{_VERB_ZH}|{_ASIDE})"
    rf"|{_PREPOSITION}(?:(?P<pmark>{_MARK})|(?P<asked>\? )|(?P<psays>{_VERB_EN}|{_ASIDE}))"
    rf"|{_ZH_GAP}(?:(?P<zmark>{_MARK})|(?P<zsays>,(?:现在|新的|这次|就|目前|最新的)?(?:是|为|改成了?)[: ]?))"
    rf"|(?P<given>{_ZH_GIVEN})"
    r"|(?P<to>(?: (?:the|my|our|his|her|your|this|that) [a-z]{1,15}){0,2} (?:to|from|as|with|using"
    r"|by (?:typing|entering|pressing)) | - )"
    r"|(?P<near>[ ,|/]{0,2}))"
)
_STRENGTH: Final = {
    "mark": Link.MARK,
    "pmark": Link.MARK,
    "zmark": Link.SAYS,
    "says": Link.SAYS,
    "psays": Link.SAYS,
    "asked": Link.TO,
    "zsays": Link.SAYS,
    "given": Link.TO,
    "to": Link.TO,
    "near": Link.NEAR,
}
_OPEN: Final = re.compile(r"[(\[<*\"'`]{0,2}")
_FROM_TO: Final = re.compile(
    r"[\"']?(?: (?:to|into|->|→) |,? ?(?:(?:and |but )?(?:the )?new (?:one|pw|password|pass)?(?: ?is|:"
    r"|=)? |新的?(?:密码)?[是为:]? ?))(?P<v>[!#-+\--:<-~]{3,64}[0-9A-Za-z!#$%&*+=@^~?_-])"
)
# "4f9a2-c81d0 and b77e1-09cc3": backup codes come in lists.
_AND_MORE: Final = re.compile(
    r"(?:,? (?:and|or|then) |,? ?(?:和|及|或|跟|还有) ?|, ?| ?/ ?| )"
    r"(?P<v>[0-9a-zA-Z]+(?:-[0-9a-zA-Z]+)+)(?![0-9a-zA-Z-])"
)
_IN_SHELL: Final = re.compile(r"\$\{\w+$")
_MOST_MORE: Final = 12
_DANGLING: Final = re.compile(
    rf"{_QUALIFIER}{{0,3}}{_PREPOSITION}??(?:(?P<said>{_MARK}|{_VERB_EN_WORDS}|{_VERB_ZH})|)[ .…,?:]*$"
)
_WORD_BEFORE: Final = re.compile(
    rf"(?:(?<![a-z])(?:{trie_pattern(EN.harmless_before)})|{trie_pattern(ZH.harmless_before)}) ?$"
)
_GENERIC: Final = frozenset({"code", "phone", "national", "bank", "card"})


def find(shadow: Shadow) -> Iterator[Finding]:
    """Yield the values announced by a cue word in `shadow`."""
    text = shadow.text
    # A text that repeats itself, as hostile ones do, is judged once.
    judged: dict[tuple[int, str], tuple[Finding, ...]] | None = {} if len(text) > _LONG else None
    for match in _CUE.finditer(shadow.lower):
        if judged is None:
            yield from _announced(shadow, match)
            continue
        start = match.start()
        key = (min(start, _REACH_BACK), text[max(0, start - _REACH_BACK) : match.end() + _REACH_AHEAD])
        if key not in judged:
            judged[key] = tuple(
                one._replace(start=one.start - start, end=one.end - start) for one in _announced(shadow, match)
            )
        for one in judged[key]:
            yield one._replace(start=one.start + start, end=one.end + start)


def _announced(shadow: Shadow, cue: re.Match[str]) -> Iterator[Finding]:
    """Yield what the word `cue` announces: the value, what it was changed to, and what is listed behind it."""
    lower, word = shadow.lower, cue[0]
    link = _LINK.match(lower, cue.end())
    for name in _CUES[word]:
        kind = KINDS[name]
        found = None if link is None else _after(shadow, cue.end(), link, word, name, kind)
        if found is not None:
            if name in _GENERIC and _WORD_BEFORE.search(lower, max(0, cue.start() - 16), cue.start()):
                continue
            yield found
            if name == "password":
                more = _FROM_TO.match(shadow.text, found.end)
                if more and kind.test(more["v"], Link.TO, lower, more.end("v"), word):
                    yield Finding(*more.span("v"), found.type, found.rank)
            if found.type == "OTP" and "-" in shadow.text[found.start : found.end]:
                yield from _listed(shadow.text, found)
            return
        if kind.reach is not None:
            behind = _before(shadow, cue.start(), word, kind)
            if behind is not None:
                yield behind
                return


def _listed(text: str, first: Finding) -> Iterator[Finding]:
    """Yield the codes of the shape of `first` that are listed right behind it."""
    groups = [len(group) for group in text[first.start : first.end].split("-")]
    position = first.end
    for _ in range(_MOST_MORE):
        more = _AND_MORE.match(text, position)
        if more is None or [len(group) for group in more["v"].split("-")] != groups or not _DIGIT.search(more["v"]):
            return
        yield first._replace(start=more.start("v"), end=more.end("v"))
        position = more.end()


def dangling(shadow: Shadow) -> tuple[str, Link] | None:
    """Return the cue word, and how it is linked, with which `shadow` ends without a value: "my password is"."""
    tail = max(0, len(shadow.lower) - 96)
    cues = list(_CUE.finditer(shadow.lower, tail))
    if not cues:
        return None
    last = cues[-1]
    end = _DANGLING.match(shadow.lower, last.end())
    if end is None:
        return None
    return last[0], Link.SAYS if end["said"] else Link.NEAR


_MOST_SMALL_TALK: Final = 60
_SMALL_TALK: Final = re.compile(
    rf"[ \n\"'(]*(?:(?:{trie_pattern(EN.small_talk)})(?![a-z0-9])|(?:{trie_pattern(ZH.small_talk)}))[^0-9@#$%^&*_+=]*"
)


def small_talk(shadow: Shadow) -> bool:
    """Whether `shadow` is a short message that says nothing yet ("hang on, let me look"), before what was announced."""
    return len(shadow.lower) <= _MOST_SMALL_TALK and _SMALL_TALK.fullmatch(shadow.lower) is not None


def _after(shadow: Shadow, position: int, joint: re.Match[str], word: str, name: str, kind: Kind) -> Finding | None:
    text, lower = shadow.text, shadow.lower
    link = _STRENGTH[joint.lastgroup or "near"]
    if link < kind.least:
        return None
    begin = joint.end()
    if text.startswith("?", begin) and _IN_SHELL.search(text, max(0, position - 64), position):
        return None  # ${PASSWORD:?what the shell says when it is not set}
    if begin == position and text.startswith(("@", "}"), begin):
        return None  # scheme://USER:PASSWORD@HOST, as a manual writes it
    opened = _OPEN.match(text, begin)
    offsets = (begin,) if opened is None or opened.end() == begin else (begin, opened.end())
    for offset in offsets:
        for shape in kind.shapes:
            if shape is QUOTED and text[offset - 1].isalnum():
                continue  # this quotation mark closes
            value = shape.match(text, offset)
            if value is None:
                continue
            start, end = value.span("v") if value["v"] is not None else value.span()
            while end > start and text[end - 1] == " ":
                end -= 1
            sure = (
                Link.MARK
                if text[begin : begin + 1] in "\"'`" and link >= Link.SAYS and shape is kind.shapes[0]
                else link
            )
            kind_of = kind.test(text[start:end], sure, lower, end, word)
            if kind_of is not None:
                if kind_of == "OTP" and name in ("otp", "code") and _opens_a_place(lower, position, start):
                    kind_of = "PASSWORD"
                return Finding(start, end, kind_of, kind.rank)
    return None


def _before(shadow: Shadow, position: int, word: str, kind: Kind) -> Finding | None:
    begin = max(0, position - _BEHIND)
    window = shadow.lower[begin:position]
    if not any(tie in window for tie in _TIES) or not _LATIN_OR_DIGIT.search(window):
        return None
    assert kind.reach is not None  # the caller asked
    value = kind.reach.search(window)
    if value is None:
        return None
    start, end = (begin + offset for offset in value.span(value.lastgroup or "v"))
    if _WORD_BEFORE.search(shadow.lower, max(0, start - 16), start):
        return None
    if vetoes.commonplace(shadow.lower, start, end):
        return None
    kind_of = kind.test(shadow.text[start:end], Link.TO, shadow.lower, end, word)
    return None if kind_of is None else Finding(start, end, kind_of, kind.rank)


def _opens_a_place(lower: str, start: int, end: int) -> bool:
    return names_a_place(lower[max(0, start - 40) : end])
