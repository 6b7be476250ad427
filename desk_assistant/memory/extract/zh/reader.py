"""Reads Chinese clauses: from words to drafts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from desk_assistant.memory.extract.context import Context, Who
from desk_assistant.memory.extract.lexicon import category
from desk_assistant.memory.extract.model import Action, Draft, Span
from desk_assistant.memory.extract.rules import Rule, load_patterns
from desk_assistant.memory.extract.zh import words
from desk_assistant.memory.extract.zh.aliases import other_name
from desk_assistant.memory.extract.zh.changes import whole_clause
from desk_assistant.memory.extract.zh.dates import DATE
from desk_assistant.memory.extract.zh.events import anything
from desk_assistant.memory.extract.zh.guards import is_surnamed
from desk_assistant.memory.extract.zh.heads import CORRECTION, REMEMBER, Head, read_head
from desk_assistant.memory.extract.zh.instructions import instruction
from desk_assistant.memory.extract.zh.people import in_passing, people_of
from desk_assistant.memory.extract.zh.rules import VERBS
from desk_assistant.memory.extract.zh.values import cut_value, list_values, tidy

_PATTERNS: Final = load_patterns(__package__, "reader", words.LISTS)

_PEOPLE: Final = load_patterns(__package__, "people", words.LISTS)
_NEW_WORK: Final = re.compile(r"跳槽|换了?工作|换了?(?:家)?(?:新)?(?:公司|单位)|入职了|找到(?:新)?工作")
_FORMER_NOUN: Final = re.compile(r"(?:以前|之前|原来|原先|曾经|本来)$")
_NOW_NOUN: Final = re.compile(r"(?:现在|如今|目前|最近|眼下|这阵子|这两年|近来|已经|也|又|都)+$")
_ADVERB: Final = _PATTERNS["adverb"]
_NEGATION: Final = re.compile(
    r"(?:不再|再也不|从不|从来不|绝不|并不是?|不太|不怎么|不大|不可以|不可|不能|不(?=会(?:开|游|做|弹|拉|唱|跳|画|写|说|讲|骑|滑|下|打|织|修|烤|煮|编|用|抽|喝|吹))|不会|不想|不|没有|没|并非|未曾|未)(?!错|过敏性|客气|然|同|仅|但|得不|锈|倒翁|管|知道|了解|懂|确定)"
)
_AFTER_DATE: Final = re.compile(r"(?:之前|以前|前|之后|以后|的时候|开始(?!学|练|做|养|用|喝|吃)|起)?[ ,的]*")
_NOW: Final = re.compile(r"现在|如今|改成|改为|换成")
"""Says that a habit took the place of another one."""
_FORMER: Final = re.compile(r"以前|曾经|曾|原来|之前|过去")


def read(clause: Span, context: Context) -> Iterator[Draft]:
    """Yield what a clause says; the caller has already applied the gates."""
    text = clause.text
    head = read_head(text, context, DATE)
    remembered = bool(REMEMBER.search(head.lead))
    boost = 0.05 if remembered else 0.0
    correction = context.correcting or bool(CORRECTION.match(text))
    found = list(_taste_of_it(clause, head, context)) or list(_drafts(clause, head, context, remembered))
    for draft in found:
        if draft.predicate in {"likes", "dislikes", "okay_with", "avoids"}:
            context.taste = (draft.start, draft.end)
    before = len(found)
    for draft in found:
        newer = draft.predicate == "about" and not draft.additive and _NOW.search(text)
        action: Action = (
            "correct"
            if (correction or newer) and draft.action == "assert" and draft.subject == "user"
            else draft.action
        )
        yield replace(draft, confidence=min(0.98, draft.confidence + boost), action=action)
    found += [draft for draft in in_passing(clause, context) if draft.start not in {d.start for d in found}]
    for draft in found[before:]:
        yield draft
    if not found and remembered and len(text) - head.at >= 4:
        pair = tidy(text, head.start, len(text))
        yield Draft("note", clause.start + pair[0], clause.start + pair[1], "{o}", 0.75)


def _taste_of_it(clause: Span, head: Head, context: Context) -> Iterator[Draft]:
    """Yield a taste whose thing was named in the clause before: 以前讨厌香菜，现在很喜欢."""
    if context.taste is None or (head.who is not None and not head.who.is_user):
        return
    if match := _PATTERNS["of_it"].match(clause.text, len(head.lead)):
        predicate, said = ("likes", "喜欢{o}") if match["good"] else ("dislikes", "不喜欢{o}")
        yield Draft(predicate, *context.taste, said, 0.85)


def _drafts(clause: Span, head: Head, context: Context, remembered: bool) -> Iterator[Draft]:
    text = clause.text
    if greeted := _PEOPLE["greeting"].match(text):
        context.greeted = True
        if greeted.end() == len(text):
            return
    if people := list(people_of(clause, head, context)):
        yield from people
        return
    if later := list(_now(clause, head, context)):
        yield from later
        return
    context.new_work = context.new_work or bool(_NEW_WORK.search(text))
    if named := list(other_name(clause, head.start, context)):
        yield from named
        return
    if head.who is None or head.who.is_user:
        drafts = (
            list(instruction(clause, head.start, remembered))
            if head.who is None
            or head.inherited
            or re.match(r"(?:以后|今后|我(?:希望|要求?|想要?)你|每次|请)", text[head.start :])
            else []
        )
        if not drafts:
            drafts = list(whole_clause(clause, head.start, head.inherited, True))
        yield from drafts
        if any(not draft.tentative for draft in drafts):
            return
    else:
        drafts = list(whole_clause(clause, head.start, head.inherited, False))
        if drafts:
            yield from drafts
            return
    who = head.who
    if who is None:
        return
    if re.match(r"搬家|搬了家|换了?城市", text[head.at :].lstrip("刚才已经最近")):
        mention = DATE.search(text)
        context.moved = None if mention is None else mention[0]
    if not who.is_user and head.named and who.relation and not head.inherited:
        start, end = head.named
        same = context.known.related(who.relation) if head.apposed else ()
        if len(same) == 1 and same[0].name and who.name not in {same[0].name, *same[0].aliases}:
            # Maybe another name for the one cousin known so far: asked about, and believed when it comes up again.
            who.name = same[0].name
            yield Draft("alias", clause.start + start, clause.start + end, "又叫{o}", 0.5, "", who.name, who.relation)
            yield from verb_phrase(clause, head, who, context)
            return
        yield Draft(f"relation.{who.relation}", clause.start + start, clause.start + end, "{o}是" + who.relation, 0.9)
    yield from verb_phrase(clause, head, who, context)


def _now(clause: Span, head: Head, context: Context) -> Iterator[Draft]:
    """Yield what a thing is now, after what it was before: (最喜欢的颜色以前是红色)现在是绿色, (跳槽了)现在在腾讯."""
    text = clause.text
    if context.topic and (match := _PEOPLE["now_is"].match(text, len(head.lead))):
        predicate, said = context.topic
        start, end = tidy(text, *match.span("o"))
        yield Draft(predicate, clause.start + start, clause.start + end, said, 0.85, action="correct")
    elif context.new_work and (match := _PEOPLE["new_work"].match(text, head.start)):
        start, end = tidy(text, *match.span("o"))
        yield Draft("employer", clause.start + start, clause.start + end, "在{o}工作", 0.82, slot="valid_from")


def _strip(text: str, at: int) -> tuple[int, bool, bool, bool]:
    """Skip adverbs, dates and negation; return the core's offset, negated, additive and whether "no longer"."""
    negated = additive = former = False
    for _ in range(8):
        if match := _ADVERB.match(text, at):
            additive = additive or match[0] in {"也", "还", "又", "同时"}
            former = former or bool(_FORMER.match(match[0]))
            at = match.end()
        elif not negated and (match := _NEGATION.match(text, at)):
            negated = True
            # 没有 before a thing is the negation of 有, which the rules look for.
            at = match.end() - (1 if match[0] == "没有" else 0)
        elif match := DATE.match(text, at):
            rest = text[match.end() :]
            if re.match(r"(?:周)?岁|出生|生", rest):
                break
            at = match.end()
            at += len((_AFTER_DATE.match(text[at:]) or [""])[0])
        elif text[at : at + 1] == " ":
            at += 1
        else:
            break
    return at, negated, additive, former


def verb_phrase(clause: Span, head: Head, who: Who, context: Context) -> Iterator[Draft]:
    """Yield what the verb phrase after the head of a clause says of `who`."""
    text = clause.text
    core, negated, additive, former = _strip(text, head.at)
    if core >= len(text):
        return
    starts = [core] if core == head.at else [core, head.at]
    if negated:
        starts = [core]
    for start in starts:
        for rule in VERBS:
            if not who.is_user and not rule.others:
                continue
            match = rule.pattern.match(text, start)
            if not match:
                continue
            drafts = list(_from_rule(rule, match, clause, who, negated, additive, former, context, head.inherited))
            if drafts:
                yield from drafts
                return
    if head.possessed and not who.is_user:
        pair = tidy(text, head.at, len(text))
        if 4 <= pair[1] - pair[0] <= 30:
            whose = (who.name or who.relation) + "的"
            yield Draft(
                "about", clause.start + pair[0], clause.start + pair[1], whose + "{o}", 0.68, "", who.name, who.relation
            )
        return
    if former and not negated:
        return  # what used to be is not so now
    dated = bool(DATE.search(text))
    yield from anything(clause, core, negated, who, dated)


def _from_rule(
    rule: Rule,
    match: re.Match[str],
    clause: Span,
    who: Who,
    negated: bool,
    additive: bool,
    former: bool,
    context: Context,
    unsaid: bool,
) -> Iterator[Draft]:
    text, groups = clause.text, match.groupdict()
    start, end = match.span("o")
    if rule.cut != "none":
        end = cut_value(text, start, end)
    predicate, template, polarity = rule.predicate, rule.text, True
    action: Action = "assert"
    ended = bool(re.search(r"了[。.!\s]*$", text)) and negated
    if negated:
        if rule.negated_as:
            predicate, template = rule.negated_as, rule.negated_text
        elif rule.negated_text:
            if ended:
                action = "retract"
            template, polarity = rule.negated_text, ended
        else:
            return
    elif not rule.text and rule.negated_as:
        return
    if former and not negated:
        if predicate not in {"lives_in", "employer", "job", "uses", "likes", "dislikes", "pet", "owns"}:
            return
        action = "retract"
    if groups.get("q") and rule.predicate in {"favourite", "detail"}:
        groups["q"] = _NOW_NOUN.sub("", groups["q"]) or groups["q"]  # 最喜欢的作家现在是…
    for name in ("q", "v"):
        template = template.replace("{" + name + "}", groups.get(name) or "")
    template = template.replace("{V}", text[match.start() : match.end()].rstrip("了啦。.! ").replace("{", "（"))
    noun = groups.get("q") or ""
    if rule.predicate in {"favourite", "detail"} and _FORMER_NOUN.search(noun):
        noun, action = _FORMER_NOUN.sub("", noun), "retract"
    if rule.predicate == "detail" and re.fullmatch(words.PETS, noun) and "叫" in match[0]:
        predicate, template = "pet", f"养的{noun}叫{{o}}"
    elif noun and rule.predicate in {"favourite", "detail", "relation", "tool_for"}:
        predicate = f"{predicate}.{noun}"
        if rule.predicate != "relation" and who.is_user:
            context.topic = (predicate, template.replace(groups["q"], noun))
    elif rule.predicate == "favourite":
        predicate = f"favourite.{groups.get('q') or groups.get('v') or ''}"
    if groups.get("name"):
        start, end = match.span("name")
        template = "{o}是" + groups["q"]
        context.speak_of(Who("", groups["name"], groups["q"]))
    for value_start, value_end in list_values(text, start, end) if rule.many else [tidy(text, start, end)]:
        value = text[value_start:value_end]
        if rule.predicate == "relation" and not groups.get("name") and not negated and who.is_user:
            context.thing = ("relation", groups["q"] or value)
        if rule.predicate == "pet" and not negated and not re.search(r"叫", value):
            context.thing = ("pet", re.sub(r"^[一两三四五六七八九十几]?[只条匹头个]?", "", value))
        if value_start >= value_end or "\ufffc" in value or not rule.accepts(value):
            continue
        if rule.predicate == "name" and unsaid and who.is_user and not is_surnamed(value):
            continue  # 叫大福 after a clause that was not understood may be anybody's name
        if rule.predicate == "name" and who.relation and not who.name:
            # "My sister is called Nora" brings a person up; what follows is about Nora.
            who.name = value
            yield Draft(
                f"relation.{who.relation}",
                clause.start + value_start,
                clause.start + value_end,
                "{o}是" + who.relation,
                0.9,
            )
            continue
        name, said = predicate, template
        if predicate == "uses" and (kind := category(value)):
            name = f"uses.{kind}"
            if kind == "database" and "数据库" not in said:
                said = "数据库用{o}" if polarity and action == "assert" else said
            elif not said.startswith(("用", "不用")):
                pass
            elif "主要" in text[:value_start] and polarity:
                said = "主要用{o}"
        yield Draft(
            name, clause.start + value_start, clause.start + value_end, said, rule.confidence, who.subject, who.name,
            who.relation, polarity, action, additive, groups.get("f"), None, rule.slot,
        )  # fmt: skip
