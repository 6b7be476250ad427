"""Chinese ways to speak of change: switching, giving up, correcting, finishing; and reminders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.lexicon import category
from desk_assistant.memory.extract.model import ANY, Draft, Span, draft_of
from desk_assistant.memory.extract.rules import load_patterns
from desk_assistant.memory.extract.zh import words
from desk_assistant.memory.extract.zh.guards import is_occupation, is_short, is_value
from desk_assistant.memory.extract.zh.values import cut_value, tidy

_PATTERNS: Final = load_patterns(__package__, "changes", words.LISTS)

_REMIND: Final = re.compile(
    r"(?:请|麻烦|帮我|到时候?|记得)*(?:提醒我(?:一下)?(?:在|要|去)?|待办(?:事项)?:?|别让我忘了|记个待办:?|todo:?|加(?:个|到)待办:?|提醒一下我)(?P<o>.{2,})",
    re.IGNORECASE,
)
_DONE: Final = _PATTERNS["done"]
_SWITCH: Final = re.compile(
    r"(?:从|由)(?P<f>[^,。]{1,16}?)(?:换|改|切换|迁移|转|迁|跳槽|搬|升级|变)(?:成|到|用|为|去|向|至|回|投|为了|成了|到了)+(?P<o>[^,。]{1,20})"
    r"|把(?P<f2>[^,。]{1,16}?)(?:换|改|替换|迁移|升级|切换)(?:成|到|为)(?:了)?(?P<o2>[^,。]{1,20})"
    r"|(?:改用|又?换回(?:了)?|换成|改成|换用|转用|改[喝吃骑坐开走练看听做养穿抽打跑学玩住上]|换到|切到|切换到|迁移到|改为|转向)(?:了)?(?P<o3>[^,。]{1,20})"
    r"|(?:用|喝|吃|选|开|穿|学|玩|住|叫|是)(?P<o4>[^,。]{1,16}?)(?:而不是|代替|取代|替代|,?不是)(?P<f4>[^,。]{1,16})"
)
_TOPIC: Final = re.compile(
    r"(?:我|现在|已经|最近|平时|都|就|每天|后来)*(?P<q>[一-鿿]{2,6}?)(?:现在|已经|最近|都|就|也|的时候|时)*$"
)
"""What a new habit is about, before the change: 上班(改骑电动车)."""

_WORKPLACE: Final = load_patterns(__package__, "people", words.LISTS)["workplace"]
_NOT_BUT: Final = _PATTERNS["not_but"]
_IS_NOT: Final = re.compile(r"(?:我|其实|应该|那)?(?:应该)?是(?P<o>[^,。]{1,14}?)[,]?(?:而)?不是(?P<f>[^,。]{1,14})$")
_GIVEN_UP: Final = _PATTERNS["given_up"]
_FORGET: Final = _PATTERNS["forget"]
_FORGET_THIS: Final = _PATTERNS["forget_this"]
_FORGET_THAT: Final = _PATTERNS["forget_that"]
_FINE: Final = _PATTERNS["fine"]
_AT_HAND: Final = re.compile(r"今天|明天|后天|今晚|明晚|下周|这周|这次|这个|那个|你的")


def whole_clause(clause: Span, at: int, inherited: bool, is_user: bool) -> Iterator[Draft]:
    """Yield what only the whole clause tells; the first kind that matches speaks."""
    text = clause.text
    if match := _REMIND.match(text, at):
        yield draft_of(clause, "task", tidy(text, *match.span("o")), "要{o}", 0.9, slot="due")
        return
    if not is_user:
        return
    forgets = (pattern.match(text, at) for pattern in (_FORGET_THAT, _FORGET, _FORGET_THIS))
    if match := next(filter(None, forgets), None):
        pair = tidy(text, *match.span("o"))
        if is_short(text[slice(*pair)]):
            yield draft_of(clause, ANY, pair, "忘掉{o}", 0.85, action="forget")
            return
    for pattern in (_NOT_BUT, _IS_NOT):
        if (match := pattern.match(text, at)) and not (
            re.match(r"我的|我.{0,2}$|很|因为|说|为了|一个", match["f"]) or match["o"].startswith("我")
        ):
            pair = tidy(text, *match.span("o"))
            value = text[slice(*pair)]
            mine = text[at : at + 1] == "我"
            predicate, said = (ANY, "{o}")
            if mine:
                predicate, said = (
                    ("job", "是{o}")
                    if is_occupation(value)
                    else (("from", "{o}") if value.endswith("人") else (ANY, "{o}"))
                )
            yield draft_of(clause, predicate, pair, said, 0.8, action="correct", replaces=match["f"])
            return
    if match := _SWITCH.search(text, at):
        yield from _switched(clause, match)
        return
    if (match := _FINE.match(text, at)) and not _AT_HAND.search(text, at):
        groups = match.groupdict()
        name = next(key for key in ("o", "o2", "o3", "o4", "o5") if groups.get(key))
        verdict = next((groups[key] for key in ("be", "be2", "be3", "be4", "be5") if groups.get(key)), "")
        negative = bool(re.search(r"不|别|有问题|有意见|无法|^介意", verdict)) and verdict not in {"没问题", "不介意"}
        pair = tidy(text, *match.span(name))
        if is_short(text[slice(*pair)]):
            said = re.sub(r"^我的?|我的", "", text[at:])
            yield draft_of(clause, "avoids" if negative else "okay_with", pair, said, 0.82)
            return
    if (match := _WORKPLACE.match(text, at)) and match["o"]:
        for predicate in ("employer", "job"):
            yield draft_of(
                clause,
                predicate,
                tidy(text, *match.span("o")),
                "不再在{o}工作",
                0.85,
                action="retract",
                slot="valid_to",
            )
        return
    if match := _GIVEN_UP.match(text, at):
        yield from _given_up(clause, match)
        return
    if re.search(r"了[。.!]*$", text):
        yield draft_of(clause, "task", tidy(text, at, len(text)), "完成{o}", 0.8, action="close", tentative=True)
    if (match := _DONE.match(text, at)) and not re.search(r"昨天|前天|上周|上个月|去年", text[:0]):
        name = "o" if match["o"] else "o2"
        start, end = match.span(name)
        pair = tidy(text, start, end - 1 if text[end - 1] == "我" else end)  # 电费我交了
        if len(text[slice(*pair)]) >= 2 and is_value(text[slice(*pair)]):
            yield draft_of(clause, "task", pair, "完成{o}", 0.8, action="close")
            if re.match(r"我|昨|今|前|上", text[at:]) or inherited:
                yield draft_of(
                    clause,
                    "did",
                    tidy(text, at + (1 if text[at] == "我" else 0), len(text)),
                    "{o}",
                    0.6,
                    slot="valid_from",
                    past=True,
                )
            return


def _switched(clause: Span, match: re.Match[str]) -> Iterator[Draft]:
    text, groups = clause.text, match.groupdict()
    name = next(key for key in ("o", "o2", "o3", "o4") if groups.get(key))
    former = next((groups[key] for key in ("f", "f2", "f4") if groups.get(key)), None)
    start, end = match.span(name)
    pair = tidy(text, start, cut_value(text, start, end))
    value = text[slice(*pair)]
    if not is_short(value) or value.startswith("我"):
        return
    kind = category(value) or category(former or "")
    verb = match[0]
    common = {"action": "correct", "replaces": former.strip() if former else None, "slot": "valid_from", "past": True}
    if kind:
        yield draft_of(clause, f"uses.{kind}", pair, "用{o}", 0.9, **common)
    elif verb.startswith("改上") and value.endswith("班"):
        common["replaces"] = None
        yield draft_of(clause, "about", (pair[0] - 1, pair[1]), "{o}", 0.8, **common)
    elif "搬" in verb:
        yield draft_of(clause, "lives_in", pair, "住在{o}", 0.9, **common)
    elif "跳槽" in verb:
        yield draft_of(clause, "employer", pair, "在{o}工作", 0.9, **common)
    elif (habit := re.match(r"改(?P<v>[骑坐开走练看听做养穿抽打跑学玩])", verb)) and (
        topic := _TOPIC.search(text[: match.start()])
    ):
        # 上班改骑电动车: what was said of going to work before gives way.
        common["replaces"] = topic["q"]
        said = f"{topic['q']}{habit['v']}{{o}}"
        yield draft_of(clause, "about", pair, said, 0.8, **common)
    elif re.search(r"喝|吃", verb) or re.search(r"(?:喝|吃)的", text[: match.start()]):
        drink = "喝" if "喝" in text else "吃"
        yield draft_of(clause, f"favourite.{drink}", pair, drink + "{o}", 0.85, **common)
    elif former:
        yield draft_of(clause, ANY, pair, "换成{o}", 0.82, **common)
    elif noun := re.match(
        r"(?:我的?|最喜欢的|首选的?|常用的?|默认的?)*(?P<q>(?!我|现在|已经|最近|后来|又|还是|刚|才|就)[一-鿿]{1,8}?)(?:现在|已经|最近|都|又)*$",
        text[: match.start()],
    ):
        common["replaces"] = None
        loved = re.search(r"最(?:喜欢|爱)的|首选", text[: match.start()])
        predicate, said = (f"favourite.{noun['q']}", "最喜欢的") if loved else (f"detail.{noun['q']}", "")
        yield draft_of(clause, predicate, pair, f"{said}{noun['q']}是{{o}}", 0.8, **common)
    else:
        yield draft_of(clause, "uses", pair, "用{o}", 0.72, **common)


def _given_up(clause: Span, match: re.Match[str]) -> Iterator[Draft]:
    text, groups = clause.text, match.groupdict()
    name = next(key for key in ("o", "o2", "o3") if groups.get(key))
    pair = tidy(text, *match.span(name))
    value = text[slice(*pair)]
    if not is_short(value) or value in {"了", "去"}:
        return
    verb = groups.get("v") or groups.get("v2") or ""
    if text[match.start() : pair[0]].rstrip("掉了").endswith("戒"):
        yield draft_of(clause, "avoids", pair, "戒了{o}", 0.88)
    elif verb in {"喜欢", "爱"}:
        yield draft_of(clause, "dislikes", pair, "不再喜欢{o}", 0.88)
    elif verb in {"喝", "吃", "抽"}:
        yield draft_of(clause, "avoids", pair, f"不{verb}{{o}}", 0.88)
    else:
        yield draft_of(clause, ANY, pair, "不再{o}", 0.86, action="retract", slot="valid_to", past=True)
