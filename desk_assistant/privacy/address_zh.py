"""Postal addresses as they are written in Chinese: large to small, ending in a house, building or room number."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from desk_assistant.privacy.finding import Finding, Rank

if TYPE_CHECKING:
    from collections.abc import Iterator

    from desk_assistant.privacy.fold import Shadow

_N: Final = r"[0-9一二三四五六七八九十百零甲乙丙]{1,6}"
_TAIL_UNIT: Final = (
    rf"(?:(?:地下)?(?:第?{_N}(?:-[0-9]{{1,4}})?|[A-Za-z][0-9]{{0,2}}|[0-9]{{1,3}}[A-Za-z]"
    rf"|[东西南北中])[ ]?(?:号楼|号院|号门|栋|幢|座|单元|号"
    r"|弄|楼|层|塔|室|户|房|门|期|区|巷|组|队|院|排|斋|舍|铺|档|柜台)"
    rf"|附{_N}号?|(?:邮政)?信箱[0-9]{{1,6}}号?|商铺|首层|底商|负[一二三]层|[甲乙丙丁](?![\u4e00-\u9fff]{{2,}}))"
)
_NAMED: Final = (
    r"(?:[\u4e00-\u9fff]{2,10}(?:大厦|广场|小区|公寓|花园|家园|中心|写字楼|国际|天地|港|大楼|宿舍|校区|新村|苑"
    r"|园|城|府|庭|湾|里|楼|院|村|轩|阁|居|墅|坊|台|郡|馆|世家|名都|雅筑|豪庭|山庄|水岸|公馆|园区|学院|大学|医院|中学|小学))"
)
_TAIL: Final = (
    rf"(?:[ ,\n-]?(?:{_TAIL_UNIT}|{_NAMED}(?=[ \n]?(?:第?{_N}|[A-Za-z])|[^\u4e00-\u9fff]|$)"
    rf"|之[一二三四五六七八九十0-9])){{0,8}}(?:[ \n-]?(?:[A-Za-z][0-9]{{1,4}}"
    rf"|[0-9]{{2,5}})(?:-[0-9]{{1,5}}){{0,2}}(?:室|号"
    r"|房)?(?![0-9元块年月.%点:]))?(?:门口|楼下|大堂|门卫室?|传达室|前台)?"
)
# A road or lane with its number, or a named estate with its building.
_ROAD: Final = re.compile(
    rf"(?:[路街道巷弄段胡同里线渠堤坊径](?:[东西南北中]|[一二三四五六七八九十]{{1,2}}[段巷弄])?|村|镇"
    rf"|屯|组|庄|寨)[ \n]?(?:第|门牌)?{_N}(?:-[0-9]{{1,4}})?[ ]?(?:号[院楼]?|弄|巷)(?!线|楼停|文件|桌|位|出口|地铁)"
)
_GENERIC: Final = r"(?:小区|公寓|大厦|广场|大院|宿舍|写字楼|校区|别墅|村|城|园区)"
_ESTATE: Final = re.compile(
    rf"(?:{_GENERIC}|花园|家园|新村|苑|园|府|庭|湾|里|国际|名邸|华庭|庄园|轩|阁|居|墅|坊|郡|世家|名都|雅筑|豪庭|山庄|水岸|公馆|馆|台|寓"
    rf"|[一二三四五六七八九]区)[ \n]?(?:(?:[一二三四五六七八九0-9]{{1,2}}期)?[ "
    rf"]?{_TAIL_UNIT}(?<![户戶层層门門期区區院室])"
    rf"|[0-9]{{1,3}}-[0-9]{{1,3}}-[0-9]{{2,4}}(?![0-9-]))"
)
_END_OF_UNITS: Final = re.compile(_TAIL)
_BACK: Final = 40
_LONGEST_TAIL: Final = 120
"""Characters behind the road or the building in which the rest of an address is looked for."""
# What stands before an address in a sentence; the address begins after the last of these.
_BEFORE: Final = re.compile(
    r"(?:[在到是住寄送往的:]|地址|住址|公司|收货|[我你他她咱老新们]家|搬去|去|导航)(?=[\u4e00-\u9fff])"
    r"|[^\u4e00-\u9fffA-Za-z0-9·]"
)
_PLACE_PREFIX: Final = re.compile(
    r"[\u4e00-\u9fff]{2,3}(?:省|市|自治区|区|县)|北京|上海|天津|重庆|广州|深圳|杭州|成都|南京|武汉|西安|苏州"
)
# A building and a room in it: …天地12号楼1203.
_ROOM: Final = re.compile(
    r"(?<=[\u4e00-\u9fff][\u4e00-\u9fff])(?<![在到是住去了])[0-9]{1,3}(?:号楼|栋|幢|座"
    r"|舍|斋)[ ]?(?:[0-9]{1,2}(?:单元|门)[ ]?)?"
    r"(?:[0-9]{1,2}[层层楼F])?[0-9]{3,4}(?:室|房|号)?(?![0-9元块年月.%点:])"
)
_UNNAMED: Final = re.compile(rf"(?:我们?|你们?|他们?|咱们?|这个?|那个?|本|该|隔壁|对面|旁边|整个)?的?{_GENERIC}")
_CLEAR: Final = re.compile(r"[\u4e00-\u9fff]{2,}")


def find(shadow: Shadow) -> Iterator[Finding]:
    """Yield addresses that name a place down to a house or building; a district or a road alone is harmless."""
    lower = shadow.lower
    if lower.isascii():
        return
    reached = 0
    # A text that repeats itself, as hostile ones do, is read once.
    judged: dict[tuple[str, int, int], tuple[int, int] | None] = {}
    for pattern in (_ROAD, _ESTATE, _ROOM):
        for match in pattern.finditer(lower):
            if match.start() < reached and pattern is _ROAD:
                continue
            start = match.start()
            low = max(reached if pattern is _ROAD else 0, start - _BACK)
            key = (lower[low : match.end() + _LONGEST_TAIL], start - low, match.end() - start)
            if key not in judged:
                judged[key] = _whole(key[0], start - low, match.end() - low, estate=pattern is _ESTATE)
            found = judged[key]
            if found is not None:
                reached = max(reached, low + found[1]) if pattern is _ROAD else reached
                yield Finding(low + found[0], low + found[1], "ADDRESS", Rank.SHAPE)


def _whole(around: str, start: int, end: int, *, estate: bool) -> tuple[int, int] | None:
    """The range of the address in `around` of which `start`..`end` is the road or the building with its number."""
    begin = _begin(around, start)
    tail = _END_OF_UNITS.match(around, end)
    if not _CLEAR.match(around, begin) or (estate and _UNNAMED.match(around, begin)):
        return None
    return begin, end if tail is None else tail.end()


def _begin(around: str, anchor: int) -> int:
    window = around[: anchor + 1]
    cut = 0
    place = _PLACE_PREFIX.search(window)
    for match in _BEFORE.finditer(window):
        if place is not None and match.start() > place.start() and window[match.start()] in "去往":
            continue  # a character of a place name, once a province or city was named
        if match.end() < len(window) - 1:
            cut = match.end()
    return cut
