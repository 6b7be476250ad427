"""Chinese ways of saying that need the whole clause: instructions, changes, tasks, events and the rest."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from desk_assistant.memory.extract.context import Who
from desk_assistant.memory.extract.lexicon import category
from desk_assistant.memory.extract.model import ANY, Draft, Span
from desk_assistant.memory.extract.zh import words
from desk_assistant.memory.extract.zh.guards import is_name, is_occupation, is_short, is_value
from desk_assistant.memory.extract.zh.values import cut_value, tidy


def _draft(clause: Span, predicate: str, pair: tuple[int, int], text: str, confidence: float, **more: object) -> Draft:
    return Draft(predicate, clause.start + pair[0], clause.start + pair[1], text, confidence, **more)  # type: ignore[arg-type]


_STANDING: Final = re.compile(
    r"以后|今后|从今|从现在起|从现在开始|往后|永远|一律|总是|始终|每次|每当|默认|凡是|一直|都(?=要|用|得|请|别|不|以|按|先)|再也|绝不|千万|长期|所有(?:回答|回复|对话)|任何时候|无论何时|务必都"
)
_PREFIX: Final = re.compile(
    r"(?:请你?|麻烦你?|你|希望你?|我希望你?|我要你|我想要?你|我要求你?|要求你?|以后|今后|从今(?:天|往)?(?:以后|起|后)?|从现在(?:起|开始)|往后|永远|一律|总是|始终|每次|每当|默认|一直|务必|都|在|记住|记得|,|请|千万|凡是|所有|任何时候|要|应该|必须|需要|就|对话(?:里|中)|跟我|和我|和你)+"
)
_NEGATIVE: Final = re.compile(
    r"(?:不要|别|勿|禁止|不许|不准|不得|不能|不可以|不可|避免|少|不必|不用|无需|停止|拒绝|杜绝|绝不|不)(?:再|给我|在|要|使用|用)*"
)
_ABOUT_ANSWERS: Final = re.compile(
    r"回答|回复|答复|答案|输出|语气|称呼|表情|格式|markdown|列表|表格|结论|简洁|简短|详细|正式|英文|中文|简体|繁体|代码|注释|解释|举例|例子|公制|英制|摄氏|华氏|口语|术语|废话|客套|道歉|总结|叫我|建议|推荐|提醒|语言|长度|字数|段",
    re.IGNORECASE,
)
_CALL_ME: Final = re.compile(
    rf"(?:请|以后|都|大家|朋友们?|同事们?|同学们?|家里?人|他们|她们|别人|人们|周围人|圈内人?|学生们?|你|你们|就|可以|直接|平时|身边的?人|所有人|我?的?{words.RELATIONS}们?|,|也|一直|总|习惯|喜欢)*(?:叫|喊|称呼|称)我(?:为|做|作)?(?P<o>[^,。!?的了吗]{{1,10}}?)(?:就好|就行|就可以|即可|吧|好了|就行了|$)"
)


def instruction(clause: Span, at: int, remembered: bool) -> Iterator[Draft]:
    """Yield a standing instruction or prohibition given to the assistant, or what to call the person."""
    text = clause.text
    if (match := _CALL_ME.match(text, at)) and not re.search(r"别叫|不要叫|别喊", text):
        pair = tidy(text, *match.span("o"))
        if is_short(text[slice(*pair)]) and not re.match(r"去|来|做|帮|给|怎么|什么", text[slice(*pair)]):
            yield _draft(clause, "nickname", pair, "叫{o}", 0.9)
        return
    standing = bool(_STANDING.search(text, at)) or remembered
    if not standing and not _ABOUT_ANSWERS.search(text, at):
        return
    start = at
    prefix = _PREFIX.match(text, start)
    if prefix:
        start = prefix.end()
    negative = _NEGATIVE.match(text, start) or re.compile(
        r"(?:回答|回复|答复|说话|写代码|输出)(?:我|问题)?(?:的时候|时)?(?:都|里|中|,)*(?:不要|别|不许|禁止|不能)(?:再|用|使用|有|带|加|出现)*"
    ).match(text, start)
    about = _ABOUT_ANSWERS.search(text, at)
    if not standing:
        if not about or re.search(r"这|那|上面|下面|以下|一下", text):
            return
        if not negative and not re.match(r"用|请用|回答|回复|称呼|叫|说|说话|语气|保持|尽量|给出", text[start:]):
            return
        if not negative and not prefix:
            return
    elif (
        not about
        and not negative
        and not re.match(
            r"(?:用|叫|称|先|给|说|写|保持|尽量|按|以|把|使用|附|带|加|提供|列|推荐|提醒|当|对|不|别|遇到|碰到|如|安排|预订|订)",
            text[start:],
        )
    ) or re.match(r"我|喜欢|想|在|是", text[start:]):
        return
    value_start = negative.end() if negative and negative.start() == start and _NEGATIVE.match(text, start) else start
    pair = tidy(text, value_start, len(text), head=False)
    value = text[slice(*pair)]
    if not 2 <= len(value) <= 60:
        return
    said = text[start : pair[1]]
    yield _draft(
        clause,
        "prohibition" if negative else "instruction",
        pair,
        said.replace("{", "（").replace("}", "）"),
        0.92 if standing else 0.62,
    )


_REMIND: Final = re.compile(
    r"(?:请|麻烦|帮我|到时候?|记得)*(?:提醒我(?:一下)?(?:在|要|去)?|待办(?:事项)?:?|别让我忘了|记个待办:?|todo:?|加(?:个|到)待办:?|提醒一下我)(?P<o>.{2,})",
    re.IGNORECASE,
)
_DONE: Final = re.compile(
    r"(?:我)?(?:已经|终于|刚|刚刚|刚才|都|也)*(?:把)?(?P<o>[^,。]{2,24}?)(?:已经|终于|都|也|刚|算是)*(?:做完|完成|搞定|弄完|写完|交上去|交|提交|办完|办好|处理完|解决|结束|收工|订好|付完|寄出|打完|买好|修完|修好|还完|报完名|还|发出去|发|寄)(?:好)?(?:了|啦)$"
    r"|(?:我)?(?:已经|终于|刚|刚刚|都)*(?:做完|完成|搞定|弄完|写完|提交|交|处理完|办完|办好|订好)(?:了|掉)(?P<o2>.{2,24})"
)
_SWITCH: Final = re.compile(
    r"(?:从|由)(?P<f>[^,。]{1,16}?)(?:换|改|切换|迁移|转|迁|跳槽|搬|升级|变)(?:成|到|用|为|去|向|至|回|投|为了|成了|到了)+(?P<o>[^,。]{1,20})"
    r"|把(?P<f2>[^,。]{1,16}?)(?:换|改|替换|迁移|升级|切换)(?:成|到|为)(?:了)?(?P<o2>[^,。]{1,20})"
    r"|(?:改用|换成|改成|换用|转用|改喝|改吃|换到|切到|切换到|迁移到|改为|转向|改学|改玩)(?:了)?(?P<o3>[^,。]{1,20})"
    r"|(?:用|喝|吃|选|开|穿|学|玩|住|叫|是)(?P<o4>[^,。]{1,16}?)(?:而不是|代替|取代|替代|,?不是)(?P<f4>[^,。]{1,16})"
)
_NOT_BUT: Final = re.compile(
    r"(?:我|其实|应该|那|这|它)?不是(?:在|叫|做|住在?|用)?(?P<f>[^,。]{1,14}?)[,]?(?:而是|是|应该是)(?:在|叫|做|住在?|用)?(?P<o>[^,。]{1,16})$"
)
_IS_NOT: Final = re.compile(r"(?:我|其实|应该|那)?(?:应该)?是(?P<o>[^,。]{1,14}?)[,]?(?:而)?不是(?P<f>[^,。]{1,14})$")
_GIVEN_UP: Final = re.compile(
    r"(?:我)?(?:已经|早就|最近|现在|刚|后来|终于|都|也|就|决定|彻底|完全)*(?:放弃了?|戒(?:掉)?了?|戒(?:掉)?|退出了?|卖(?:掉)?了?|辞(?:去|掉)了?|取消了?|退订了?|卸载了?|扔了?|丢了?|停止了?|离开了?|注销了?|关(?:掉)?了?|告别了?|弃坑了?|弃用了?|淘汰了?|不再|再也不|没再)(?:继续|再)?(?P<v>使用|用|学习|学|喝|吃|养|玩|住在|住|在|当|做|喜欢|爱|抽|打|练|看|说|订阅|读)?(?P<o>[^,。]{1,20}?)(?:工作|上班)?(?:了|啦)?$"
    r"|(?:我)?(?:已经|早就|最近|现在|后来|都|也|就|早)*(?:不|没|没有|没在)(?:再)?(?P<v2>使用|用|学|喝|吃|养|玩|住在|住|在|当|做|喜欢|爱|抽|打|练|看|说|订阅|读)(?P<o2>[^,。]{1,20}?)(?:工作|上班)?(?:了|啦)$"
    r"|(?P<o3>[^,。我]{1,14}?)(?:我)?(?:已经|早就|也|就|现在)*(?:放弃|戒|卖掉|卖|(?:不|没)(?:再)?(?:用|学|养|喝|吃|玩|打|练|做|弹|拉|跑|看|说|碰|订|住|抽|骑|开|种|写|画|唱|跳)|扔|取消|退订|卸载)(?:了|掉了|啦)$"
)
_FORGET: Final = re.compile(
    r"(?:请|麻烦)?(?:忘掉|忘记|忘了|删掉|删除|别记|不要记住?)(?:我|关于)?(?:说过的?)?(?:我)?(?:的)?(?:住在|喜欢|在|叫|是|用|养)?(?P<o>[^,。]{2,20}?)(?:的事|这件事|这条|的信息|的记录|吧|了)*$"
)
_FINE: Final = re.compile(
    r"(?P<o>[^,。我你他她]{1,10}?)(?:是)?(?:放进|放在|放|加进|加在|出现在|用在|在|给)?(?:我(?:们)?(?:的)?(?P<w>[^,。]{0,8}?)(?:里面|里|中|来说)?)(?P<be>可以|能接受|没问题|没关系|没事|不可以|不行|不能接受|不能有|不能放|不能出现|有问题|不合适|不能用|不可接受|不要|行|ok|不能吃|能吃)(?:接受|有|放|吃|的|了)*$"
    r"|(?:对|我)?(?:我)?(?P<be2>可以接受|能接受|不能接受|接受不了|不接受|无法接受)(?P<o2>[^,。]{1,14})$"
    r"|(?P<o4>[^,。我你他她]{1,10}?)(?P<be4>(?:不|别)?(?:可以|能|要|会)?(?:放|出现|加|用|有)(?:进|到)?在?)我(?:们)?的?(?P<w4>[^,。]{1,8}?)(?:里面|里|中|上)?$"
    r"|(?:我的?(?P<w3>[^,。喝吃用做]{1,8}?)(?:里面|里|中)?)(?P<be3>可以放|可以有|能放|能有|可以加|能加|不能放|不能有|不要放|不要有|不可以有|不可以放|别放|不放|不能加|别加|不加|不可以加)(?P<o3>[^,。]{1,10})$",
    re.IGNORECASE,
)
_RUNS: Final = {"用": "uses", "使用": "uses", "喝": "favourite", "吃": "favourite"}


def whole_clause(clause: Span, at: int, remembered: bool, inherited: bool, is_user: bool) -> Iterator[Draft]:
    """Yield what only the whole clause tells; the first kind that matches speaks."""
    text = clause.text
    if match := _REMIND.match(text, at):
        yield _draft(clause, "task", tidy(text, *match.span("o")), "要{o}", 0.9, slot="due")
        return
    if not is_user:
        return
    if match := _FORGET.match(text, at):
        pair = tidy(text, *match.span("o"))
        if is_short(text[slice(*pair)]):
            yield _draft(clause, ANY, pair, "忘掉{o}", 0.85, action="retract")
            return
    for pattern in (_NOT_BUT, _IS_NOT):
        if (match := pattern.match(text, at)) and not re.match(r"我.{0,2}$|很|因为|说|为了|一个", match["f"]):
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
            yield _draft(clause, predicate, pair, said, 0.8, action="correct", replaces=match["f"])
            return
    if match := _SWITCH.search(text, at):
        yield from _switched(clause, match)
        return
    if match := _FINE.match(text, at):
        groups = match.groupdict()
        name = next(key for key in ("o", "o2", "o3", "o4") if groups.get(key))
        verdict = groups.get("be") or groups.get("be2") or groups.get("be3") or groups.get("be4") or ""
        negative = bool(re.search(r"不|别|有问题|无法", verdict)) and verdict not in {"没问题"}
        pair = tidy(text, *match.span(name))
        if is_short(text[slice(*pair)]):
            said = re.sub(r"^我的?|我的", "", text[at:])
            yield _draft(clause, "avoids" if negative else "okay_with", pair, said, 0.82)
            return
    if match := _GIVEN_UP.match(text, at):
        yield from _given_up(clause, match)
        return
    if (match := _DONE.match(text, at)) and not re.search(r"昨天|前天|上周|上个月|去年", text[:0]):
        name = "o" if match["o"] else "o2"
        pair = tidy(text, *match.span(name))
        if len(text[slice(*pair)]) >= 2 and is_value(text[slice(*pair)]):
            yield _draft(clause, "task", pair, "完成{o}", 0.8, action="close")
            if re.match(r"我|昨|今|前|上", text[at:]) or inherited:
                yield _draft(
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
    if not is_short(value):
        return
    kind = category(value) or category(former or "")
    verb = match[0]
    common = {"action": "correct", "replaces": former.strip() if former else None, "slot": "valid_from", "past": True}
    if kind:
        yield _draft(clause, f"uses.{kind}", pair, "用{o}", 0.9, **common)
    elif "搬" in verb:
        yield _draft(clause, "lives_in", pair, "住在{o}", 0.9, **common)
    elif "跳槽" in verb:
        yield _draft(clause, "employer", pair, "在{o}工作", 0.9, **common)
    elif re.search(r"喝|吃", verb) or re.search(r"(?:喝|吃)的", text[: match.start()]):
        drink = "喝" if "喝" in text else "吃"
        yield _draft(clause, f"favourite.{drink}", pair, drink + "{o}", 0.85, **common)
    elif former:
        yield _draft(clause, ANY, pair, "换成{o}", 0.82, **common)
    elif noun := re.match(
        r"(?:我的?|最喜欢的|首选的?|常用的?|默认的?)*(?P<q>[一-鿿]{1,8}?)(?:现在|已经|最近|都)*$", text[: match.start()]
    ):
        common["replaces"] = None
        yield _draft(clause, f"detail.{noun['q']}", pair, noun["q"] + "是{o}", 0.8, **common)
    else:
        yield _draft(clause, "uses", pair, "用{o}", 0.72, **common)


def _given_up(clause: Span, match: re.Match[str]) -> Iterator[Draft]:
    text, groups = clause.text, match.groupdict()
    name = next(key for key in ("o", "o2", "o3") if groups.get(key))
    pair = tidy(text, *match.span(name))
    value = text[slice(*pair)]
    if not is_short(value) or value in {"了", "去"}:
        return
    verb = groups.get("v") or groups.get("v2") or ""
    if verb in {"喜欢", "爱"}:
        yield _draft(clause, "dislikes", pair, "不再喜欢{o}", 0.88)
    elif verb in {"喝", "吃", "抽"}:
        yield _draft(clause, "avoids", pair, f"不{verb}{{o}}", 0.88)
    else:
        yield _draft(clause, ANY, pair, "不再{o}", 0.86, action="retract", slot="valid_to", past=True)


# -- events and the rest -----------------------------------------------------------------------------------------

_MINDLESS: Final = re.compile(
    r"(?:觉得|认为|以为|感觉|知道|明白|理解|懂|想|希望|相信|记得|忘|发现|看到|看见|听到|听说|遇到|碰到|需要|要|想要|能|可以|应该|会(?!弹|画|唱|跳|做|写|修|骑|开|游|拉|吹|打|说|织|滑|冲|烤)|问|说|谢|同意|建议|猜|担心|怀疑|打不开|看不懂|搞不定|弄不|不太|试|在想|在看|有(?:点|些|个|一个|一点|没有|事|空|时间|问题|疑问|想法|啥|人|可能|关)|没|是|刚才|刚刚|今天想|先|再|来|去问|求|请|跟你|给你|把这|把上|用这|贴|发|收到|看了|写了个|写了一|运行|跑了|报错|出错|等|好|真|太|很|就|才|也|都|又)"
)
_EVENT_END: Final = re.compile(r"(?:了|过|完|好)")
_HABIT: Final = re.compile(
    r"每天|每周|每个?月|每年|每晚|每早|天天|经常|常常|习惯|平时|通常|一般|总是|一直|从小|常年|偶尔|周末|晚上|早上|业余|闲暇|有空|会|在"
)
_DURABLE: Final = re.compile(
    r"(?:养|种|收集|收藏|修复|修|弹|拉|吹|打|画|写|教|带|开|经营|运营|管理|负责|组织|做|玩|骑|跑|练|织|酿|烤|拍|唱|跳|编|设计|翻译|摄影|钓|登|爬|滑|潜|游|冲|泡|雕|刻|缝|习惯|坚持|擅长|精通|擅|参加|主持|指挥|制作|搭|拼|研究|信|信仰|供|还|租|戴|穿|留|订|订阅|睡|起床|午睡|熬夜|早起|步行|通勤|坐|乘|会|学过|当过|去过|服役|毕业|就读|支持|看好|关注|追|听|看|读|住过|在[^,。]{1,12}(?:种|养|做|开|教|学|写|弹|拍|练|跑|当|打|经营|读|住|上))"
)


_LIFE: Final = re.compile(
    r"结婚|离婚|毕业|退休|辞职|离职|升职|怀孕|生了|买了|考过|拿到|考上|考取|获得|通过|摔|骨折|手术|住院|入职|搬家|装修|订婚|中奖|出版|发表"
    r"|赢|拿了|考了|当爸|当妈|失业|创业|裸辞|换工作|戒烟|戒酒|丢了|弄丢|撞|动了|做了"
)
"""Begins something that happened once and matters."""


def anything(clause: Span, at: int, negated: bool, who: Who, dated: bool) -> Iterator[Draft]:
    """Yield the catch-all: something lasting (收集老邮票), or something that happened (种了三棵石榴树)."""
    text = clause.text
    pair = tidy(text, at, cut_value(text, at, len(text)))
    value = text[slice(*pair)]
    if (
        not (2 if _LIFE.match(value) else 3) <= len(value) <= 40
        or "\ufffc" in value
        or re.search(r"[你您]|这个|那个|这段|这些|那些|上面|下面|代码|报错|错误|函数", value)
    ):
        return
    people = {"subject": who.subject, "name": who.name, "relation": who.relation}
    happened = bool(re.search(r"[一-鿿](?:了|过|完|好了)(?:[^,。]|$)", text[at:])) or text.rstrip("。.! ").endswith(
        "了"
    )
    if negated:
        if who.is_user and _DURABLE.match(value):
            yield _draft(clause, "about", pair, "不{o}", 0.62, polarity=False)
        return
    if happened:
        if dated or (_DURABLE.match(value) and who.is_user) or _LIFE.match(value):
            yield _draft(clause, "did", pair, "{o}", 0.66, slot="valid_from", past=True, **people)
        return
    if re.match(r"要(?:去|在|参加|和|跟|带|到|飞|回)|会(?:去|到)|去[^,。]{2,}", value) and who.is_user:
        start = pair[0] + (1 if value[0] in "要会" else 0)
        yield _draft(clause, "plan", (start, pair[1]), "打算{o}", 0.74 if dated else 0.5, slot="due")
        return
    if re.match(r"要[^,。]{2,}", value) and who.is_user and dated and not re.match(r"要(?:是|不|你|求)", value):
        yield _draft(clause, "task", (pair[0] + 1, pair[1]), "要{o}", 0.76, slot="due")
        return
    if _MINDLESS.match(value):
        return
    if _DURABLE.match(value) or _HABIT.search(text[:at]) or _HABIT.match(value):
        yield _draft(clause, "about", pair, "{o}", 0.66, **people)
    elif dated:
        yield _draft(clause, "plan" if who.is_user else "about", pair, "{o}", 0.62, slot="due", **people)


def is_called(value: str) -> bool:
    """Tell whether a value can be what somebody is called."""
    return is_name(value) or is_short(value)
