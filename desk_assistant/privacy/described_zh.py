"""Secrets that are described in Chinese words: a pattern to draw, a dial to turn, a spelling, an answer, a phrase."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy.finding import Finding, Rank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desk_assistant.privacy.fold import Shadow

_REACH: Final = 40

_WAY: Final = r"(?:[左右上下](?:[上下左右]角?|边|方|面)?|中间|正中|中心|中|顺时针|逆时针|对角)"
_TURN: Final = (
    r"(?:[从往向到画转拐走拉滑再然后先接着又回斜着地过经头底起始点格圈次位角边出来去下停至一二三四五六七八九十两半的连成]"
    r"|[0-9]{1,3}|[ ,>-])"
)
_DIRECTIONS: Final = re.compile(
    rf"(?:[从先往向])?{_WAY}(?:{_TURN}{{0,7}}?{_WAY}){{2,12}}(?:{_TURN}{{0,4}}[0-9]{{1,3}})?(?:再?回?到?{_WAY})?"
)
# 左三圈28右两圈65; 从左上角画一个Z
_TURNED: Final = (
    r"(?:[向往朝先再]{0,2}[左右]|顺时针|逆时针)边?(?:转|拧|旋|拨)?"
    r"(?:[一二两三四五六七八九0-9]圈)?[到停至在]{0,2}[0-9]{1,3}"
)
_DIAL: Final = re.compile(rf"{_TURNED}(?:(?:[, ]|再|然后|接着|最后){{0,3}}{_TURNED}){{1,4}}")
_FIGURE_DRAWN: Final = re.compile(
    rf"(?:[从由自]{_WAY}(?:角|点)?(?:开始|起|出发|那个点)?[,往向]{{0,2}}{_WAY}?)?(?:画|滑|连|划|描)(?:了|出|成|的是){{0,2}}(?:[一个]{{0,2}})"
    r"(?:大写|小写|倒|反|横|斜|歪|大|小)?(?:着|过来)?的?(?:[a-z](?![a-z])|[口回之十田工山川王土](?:字形?)?|闪电|三角形?|五角星|问号|对勾|正方形|圆圈|房子|箭头|楼梯)"
    r"(?:字?形)?"
)
_DRAWN: Final = re.compile(r"图案|手势|图形|九宫格|锁屏|解锁|保险柜|保险箱|密码锁|转盘|旋钮|连线")

_SIGN: Final = (
    r"(?:感叹号|叹号|惊叹号|井号|井字|星号|下划线|横杠|横线|减号|短横|小数点|句点|艾特|at符号|问号"
    r"|百分号|美元符|加号|等号|斜杠|空格|逗号|点)"
)
_PART: Final = (
    rf"(?:(?:两个|一个|三个|个)?(?:大写|小写|大小写)(?:的|字母)?[A-Za-z]{{1,12}}|{_SIGN}|(?:数字|字母)?[A-Za-z0-9]{{1,12}}"
    r"|(?:我|他|她|你|孩子|女儿|儿子|老婆|老公|爸|妈|我妈|我爸)?的?(?:生日|名字|姓名|姓|手机尾号|学号|车牌)(?:的?(?:全拼|拼音|首字母|缩写|后四位|后六位))?[0-9]{0,8}"
    r"|(?:全拼|拼音|首字母|缩写)|[零一二三四五六七八九]{1,8}(?![个位号]))"
)
_JOIN: Final = r"(?:[ ,]|加上?|再|来|然后|接着?|后面|前面|跟着?|是|个|一个|两个|最后|的|和)"
_SPELLING: Final = re.compile(rf"{_PART}(?:{_JOIN}{{0,6}}{_PART}){{1,12}}")
_TELLING: Final = re.compile(rf"大写|小写|{_SIGN}")
_SECRET: Final = re.compile(
    r"密码|口令|蜜码|密马|wifi|无线|路由|登录|登陆|解锁|开机|锁屏|账号|验证码|pin|暗号|连网|网是"
)

# 密码是八个字母tangyuan
_LETTERS: Final = re.compile(
    r"(?:[一二三四五六七八九十]{1,3}|[0-9]{1,2})[个位](?:小写|大写|英文|拼音)?(?:字母|字符|拼音)(?:的?是|就是|为"
    r"|[ :,\"])*(?P<v>[A-Za-z]{4,24})(?![A-Za-z0-9])"
)
_QUESTION: Final = re.compile(
    r"密保|安全问题|安全提问|找回密码|密码提示|提示问题|验证问题|相册问题|空间问题|重置问题|问的是|会问.{0,12}(?:叫啥|叫什么|名字|是谁|是哪|姓什么)|问.{0,10}(?:班主任|宠物|小学"
    r"|母校|出生地).{0,4}(?:叫啥|叫什么|名字|是谁|是哪)"
)
_ANSWER: Final = re.compile(
    r"(?:回答|答案|答|[我你]?填的?|填的|写的|我设的?|设的)(?:就|都)?(?:是|为|写|填|设|:|=|了|成)*[ :\"]*"
)
_REPLY: Final = re.compile(r"(?P<v>[\u4e00-\u9fffA-Za-z0-9·]{2,14})(?=[,;.!?\n\" ]|$)")
_LONGEST_REPLY: Final = 32
_NO_REPLY: Final = re.compile(
    r"什么|多少|哪|谁|怎|不对|错|忘|没有|不是|不能|可以|一样|对不对|是不是|吗|呢|问题|答案|小学|那个|应该"
)

_PHRASE_CUE: Final = re.compile(r"(?:口令|暗号|暗语|密语|接头语)(?:就|是|为|:|[一二两三四五六七八]个字|\"|,| )*")
_PHRASE: Final = re.compile(r"(?P<v>[\u4e00-\u9fff]{4,8})(?=[,;.!?\n\" ]|$)")
_NO_PHRASE: Final = re.compile(r"问|找|请|先|要|什么|怎么|哪|谁|吗|呢|的|了|不|红包|是|出自|故事|没|错|忘|改")


def _reply(after: str) -> tuple[int, int] | None:
    """The range of an answer in what stands behind a question."""
    for cue in _ANSWER.finditer(after, 0, _REACH):
        reply = _REPLY.match(after, cue.end())
        if reply is not None and not _NO_REPLY.search(reply["v"]):
            return reply.span("v")
    return None


def find(shadow: Shadow) -> Iterator[Finding]:
    """Yield patterns, turns, spellings, answers to security questions and spoken watchwords."""
    lower = shadow.lower
    if lower.isascii():
        return
    if _DRAWN.search(lower):
        for match in (*_DIRECTIONS.finditer(lower), *_DIAL.finditer(lower), *_FIGURE_DRAWN.finditer(lower)):
            if len(match[0]) >= 3 + 3 * (match.re is _DIRECTIONS) and _DRAWN.search(
                lower, max(0, match.start() - _REACH), match.start()
            ):
                yield Finding(match.start(), match.end(), "PASSWORD", Rank.SHAPE)
    if _TELLING.search(lower) and _SECRET.search(lower):
        for match in _SPELLING.finditer(lower):
            if _TELLING.search(match[0]) and len(match[0]) >= 6 and len(_TELLING.findall(match[0])) >= 2:
                yield Finding(match.start(), match.end(), "PASSWORD", Rank.SECRET)
    if "字" in lower or "拼音" in lower:
        for match in _LETTERS.finditer(shadow.text):
            if _SECRET.search(lower, max(0, match.start() - _REACH), match.end() + _REACH):
                yield Finding(*match.span("v"), "PASSWORD", Rank.SECRET)
    # A text that repeats itself, as hostile ones do, is judged once.
    judged: dict[str, tuple[int, int] | None] = {}
    for question in _QUESTION.finditer(lower):
        begin = question.end()
        after = lower[begin : begin + _REACH + _LONGEST_REPLY]
        if after not in judged:
            judged[after] = _reply(after)
        found = judged[after]
        if found is not None:
            yield Finding(begin + found[0], begin + found[1], "PASSWORD", Rank.SECRET)
    for cue in _PHRASE_CUE.finditer(lower):
        phrase = _PHRASE.match(lower, cue.end())
        if phrase is not None and not _NO_PHRASE.search(phrase["v"]):
            yield Finding(*phrase.span("v"), "PASSWORD", Rank.SHAPE)
