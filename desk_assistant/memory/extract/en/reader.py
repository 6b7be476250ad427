"""Reads English clauses: from words to drafts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from desk_assistant.memory.extract.context import Context, Who
from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.en.aliases import other_name
from desk_assistant.memory.extract.en.changes import special_verbs
from desk_assistant.memory.extract.en.dates import DATE
from desk_assistant.memory.extract.en.events import anything, future, wishes
from desk_assistant.memory.extract.en.guards import is_name, is_occupation, may_point_at, points_at
from desk_assistant.memory.extract.en.heads import CORRECTION, REMEMBER, Head, introduction, read_head
from desk_assistant.memory.extract.en.mine import of_mine
from desk_assistant.memory.extract.en.phrase import Phrase, phrase_at
from desk_assistant.memory.extract.en.rules import COMPLEMENTS, VERBS
from desk_assistant.memory.extract.en.values import cut_value, list_values, tidy, to_third
from desk_assistant.memory.extract.en.whole import whole_clause
from desk_assistant.memory.extract.lexicon import category
from desk_assistant.memory.extract.model import Action, Draft, Span, draft_of
from desk_assistant.memory.extract.rules import Rule, load_patterns

_PATTERNS: Final = load_patterns(__package__, "reader", words.LISTS)


def read(clause: Span, context: Context) -> Iterator[Draft]:
    """Yield what a clause says; the caller has already applied the gates."""
    text = clause.text
    head = read_head(text, context)
    boost = 0.05 if REMEMBER.search(head.lead) else 0.0
    correction = context.correcting or bool(CORRECTION.match(text))
    found = list(_drafts(clause, head, context)) or list(_taste_of_it(clause, head, context))
    for draft in found:
        if draft.predicate in {"likes", "dislikes", "okay_with", "avoids"}:
            context.taste = (draft.start, draft.end)
    passing = list(_in_passing(clause, head, context, pets=any(draft.predicate == "pet" for draft in found)))
    several = {draft.start for draft in passing if draft.confidence > PASSING}  # "two kids, Mia and Leo"
    found = [draft for draft in found if draft.start not in several or not draft.predicate.startswith("relation.")]
    found += [draft for draft in passing if draft.start not in {d.start for d in found}]
    for draft in found:
        confidence = min(0.98, draft.confidence + boost)
        newer = draft.predicate == "about" and not draft.additive and _NOW.search(text) and not _ALSO.search(text)
        action: Action = (
            "correct"
            if (correction or newer) and draft.action == "assert" and draft.subject == "user"
            else draft.action
        )
        yield replace(draft, confidence=confidence, action=action)
    if not found and REMEMBER.search(head.lead) and head.who is None and len(text) - head.at > 6:
        yield Draft("note", clause.start + head.at, clause.end, "{O}", 0.75)


_OF_IT: Final = _PATTERNS["of_it"]


def _taste_of_it(clause: Span, head: Head, context: Context) -> Iterator[Draft]:
    """Yield a taste whose thing was named in the clause before: "I used to hate coriander, but now I love it"."""
    if context.taste is None or head.who is None or not head.who.is_user:
        return
    if match := _OF_IT.match(clause.text[head.at :].strip()):
        predicate, said = ("likes", "Likes {o}") if match["good"] else ("dislikes", "Dislikes {o}")
        yield Draft(predicate, *context.taste, said, 0.85)


_PASSING: Final = _PATTERNS["passing"]
_AND_PET: Final = _PATTERNS["and_pet"]
_HAS_PEOPLE: Final = _PATTERNS["has_people"]
_MANY_PEOPLE: Final = _PATTERNS["many_people"]
_NOW: Final = re.compile(
    r"\b(?:now|these days|nowadays|instead|lately|currently|been (?:moved|switched|transferred) to)\b", re.IGNORECASE
)
"""Says that a habit took the place of another one."""
_ALSO: Final = re.compile(r"\b(?:also|too|as well)\b", re.IGNORECASE)
_IT_IS: Final = re.compile(
    r"(?:it's|it is|they're|they are)(?: now| actually)? (?P<o>(?!not\b|a bit\b|very\b|so\b|too\b)\w.*)", re.IGNORECASE
)


def _in_passing(clause: Span, head: Head, context: Context, *, pets: bool) -> Iterator[Draft]:
    """Yield the people of the person's that a clause names on its way ("in Graz with my husband Emil")."""
    for met in _PASSING.finditer(clause.text, head.at):
        relation = met["r"].casefold()
        context.introduced.setdefault(met["n"], relation)
        yield _relation(clause, Who("", met["n"], relation), met.span("n"), PASSING)
    if (
        head.who is not None
        and head.who.is_user
        and (pets or _HAS_PEOPLE.match(clause.text, head.at + (clause.text[head.at : head.at + 1] == " ")))
    ):
        for met in _AND_PET.finditer(clause.text, head.at):
            yield draft_of(clause, "pet", tidy(clause.text, *met.span("o")), "Has {o}", 0.88)
    if match := _MANY_PEOPLE.search(clause.text):
        relation = words.SINGULAR.get(match["r"].casefold(), match["r"].casefold().removesuffix("s"))
        for pair in list_values(clause.text, *match.span("o")):
            name = clause.text[slice(*pair)]
            if name[:1].isupper():
                context.introduced.setdefault(name, relation)
                yield _relation(clause, Who("", name, relation), pair, 0.88)


def _drafts(clause: Span, head: Head, context: Context) -> Iterator[Draft]:
    text, at = clause.text, head.at
    if named := list(other_name(clause, len(head.lead), context)):
        yield from named
        return
    if special := list(whole_clause(clause, head)):
        yield from special
        return
    if head.who is None:
        if match := introduction(text, at):
            who = context.speak_of(Who("", match["n"], match["r"].casefold()))
            yield _relation(clause, who, match.span("n"), 0.92)
            return
        if context.topic and (match := _IT_IS.match(text, at)):
            predicate, template = context.topic
            start, end = tidy(text, match.start("o"), cut_value(text, *match.span("o"), "clause"))
            yield Draft(predicate, clause.start + start, clause.start + end, template, 0.85, action="correct")
            return
        if coming := list(_coming(clause, head)):
            yield from coming
            return
        mine = list(of_mine(clause, at))
        if mine:
            context.topic = (mine[-1].predicate, mine[-1].text)
        yield from mine
        return
    if not head.who.is_user:
        same = context.known.related(head.who.relation) if head.apposed else ()
        if head.named and len(same) == 1 and same[0].name and head.who.name not in {same[0].name, *same[0].aliases}:
            # Maybe another name for the one sister known so far: asked about, and believed when it comes up again.
            start, end = (clause.start + at for at in head.named)
            head.who.name = same[0].name
            yield Draft("alias", start, end, "Also called {o}", 0.5, "", head.who.name, head.who.relation)
        elif head.named and head.who.relation and not head.inherited:
            yield _relation(clause, head.who, head.named, 0.88)
        if head.possessed:
            yield from _possessed(clause, head)
            return
        if coming := list(_coming(clause, head)):
            yield from coming
            return
        if not head.who.name and (match := _IS_CALLED.match(text, at)) and _names_somebody(match["o"]):
            head.who.name = match["o"]
            yield _relation(clause, context.speak_of(head.who), match.span("o"), 0.88)
            return
    if head.bare and (found := list(apply(COMPLEMENTS, clause, at, head.who, Phrase(at, copula=True)))):
        yield from found
        return
    yield from verb_phrase(clause, at, head.who)


_IS_CALLED: Final = _PATTERNS["is_called"]


def _names_somebody(value: str) -> bool:
    return is_name(value.replace(".", "")) and _PATTERNS["no_name"].fullmatch(value) is None


_COMES: Final = _PATTERNS["comes"]
_GUESTS: Final = _PATTERNS["guests"]


def _coming(clause: Span, head: Head) -> Iterator[Draft]:
    """Yield who comes to the person on a day that is named: "next Tuesday the plumber is coming"."""
    match = _COMES.match(clause.text, len(head.lead))
    if match is None or not DATE.search(clause.text):
        return
    who = match["who"].casefold()
    if who.split()[-1] in words.WORKED_ON or not (is_occupation(who) or _GUESTS.search(who) or head.who is not None):
        return
    pair = tidy(clause.text, match.start("who"), match.end(), head=False)
    yield draft_of(clause, "plan", pair, "{O}", 0.5, slot="due")


def _filled(template: str, match: re.Match[str], who: Who) -> str:
    """Put the phrase itself and its verb into the short statement of a rule."""
    verb = match.groupdict().get("v") or ""
    return template.replace("{v}", verb).replace("{V}", to_third(match[0], who.is_user))


def _relation(clause: Span, who: Who, named: tuple[int, int], confidence: float) -> Draft:
    return Draft(
        f"relation.{who.relation}",
        clause.start + named[0],
        clause.start + named[1],
        "{o}: " + who.relation,
        confidence,
        slot="",
    )


def _possessed(clause: Span, head: Head) -> Iterator[Draft]:
    who = head.who
    assert who is not None
    rest = clause.text[head.at :].strip()
    if head.inherited or len(rest.split()) < 2:
        return
    name = re.match(r"name is (?P<o>[A-Z][\w'-]+(?: [A-Z][\w'-]+)?)", rest)
    start = clause.start + head.at + (len(clause.text[head.at :]) - len(clause.text[head.at :].lstrip()))
    if name and not who.name:
        yield Draft(
            f"relation.{who.relation}", start + name.start("o"), start + name.end("o"), "{o}: " + who.relation, 0.92
        )
        return
    birthday = re.match(r"birthday is (?:on |the )?(?P<o>.+)", rest)
    if birthday:
        yield Draft(
            "birthday",
            start + birthday.start("o"),
            start + birthday.end("o"),
            "Birthday: {o}",
            0.9,
            "",
            who.name,
            who.relation,
        )
        return
    yield Draft("about", start, clause.end, (who.name or who.relation) + "'s {o}", 0.7, "", who.name, who.relation)


def verb_phrase(clause: Span, at: int, who: Who) -> Iterator[Draft]:
    """Yield what the verb phrase at `at` says of `who`."""
    text = clause.text
    phrase = phrase_at(text, at)
    if phrase.core >= len(text):
        return
    if who.is_user and (special := list(special_verbs(clause, phrase.core, phrase.negated))):
        yield from special
        return
    if phrase.modal in {
        "would",
        "'d",
        "might",
        "may",
        "could",
        "should",
        "wouldn't",
        "would not",
        "couldn't",
        "could not",
    }:
        yield from wishes(clause, phrase.core, phrase.modal, who)
        return
    if phrase.modal in {"will", "'ll", "won't", "will not"}:
        yield from future(clause, phrase.core, who)
        return
    former_be = phrase.former and text[phrase.core :].casefold().startswith("be ")
    if phrase.copula or former_be:
        core = phrase.core + (3 if former_be else 0)
        if phrase.past and not re.match(r"(?:born|raised|diagnosed|named)\b", text[core:], re.IGNORECASE):
            return
        drafts = list(apply(COMPLEMENTS, clause, core, who, phrase))
        if not drafts and re.match(r"\w+ing\b", text[core:]):
            drafts = list(apply(VERBS, clause, core, who, phrase)) or list(future(clause, core, who))
        yield from drafts
        return
    drafts = list(apply(VERBS, clause, phrase.core, who, phrase))
    yield from drafts or anything(clause, phrase, who)


def apply(rules: tuple[Rule, ...], clause: Span, core: int, who: Who, phrase: Phrase) -> Iterator[Draft]:
    """Yield what the first fitting rule makes of the words at `core` of a clause, said of `who`."""
    for rule in rules:
        if not who.is_user and not rule.others:
            continue
        match = rule.pattern.match(clause.text, core)
        if not match:
            continue
        drafts = list(_from_rule(rule, match, clause, who, phrase))
        if drafts:
            yield from drafts
            yield from _beside(rule.predicate, clause, core, who, phrase)
            return
        if not rule.guards and not rule.refuse and (phrase.negated or phrase.ended):
            return


PASSING: Final = 0.86
"""Confidence in somebody who is named on the way to something else."""

UNSURE: Final = 0.5
"""Confidence in liking something that may only be what is being talked about: the person is asked."""

_HAPPENED: Final = re.compile(
    r"\b(?:adopted|bought|rescued|got|joined|started|became|began|moved|took up|picked up)\b", re.IGNORECASE
)
_PLACES: Final = frozenset({"lives_in", "born_in", "from", "grew_up_in"})
_PROPER_RUN: Final = re.compile(
    r"[A-ZÀ-Þ][\w'.-]*(?:,? (?:[A-ZÀ-Þ][\w'.-]*|de|del|la|le|der|den|am|an|the|of|upon|sur|du|do|da|di|van)"
    r"(?= |,|$))*(?<! de)(?<! la)(?<! the)(?<! of)(?<! an)"
)
_AT: Final = re.compile(r"\b(?:at|for) (?P<o>(?-i:[A-ZÀ-ÖØ-ÞĀ-Ž]).+)", re.IGNORECASE)
_BORN_IN: Final = next(rule for rule in COMPLEMENTS if rule.predicate == "born_in")


def _beside(predicate: str, clause: Span, core: int, who: Who, phrase: Phrase) -> Iterator[Draft]:
    """Yield what else the phrase says: where one works beside what one does, where one was born beside when."""
    if predicate == "job" and not (phrase.negated or phrase.ended or phrase.former):
        if match := _AT.search(clause.text, core):
            end = cut_value(clause.text, *match.span("o"), "phrase")
            start, end = tidy(clause.text, match.start("o"), end)
            yield Draft(
                "employer",
                clause.start + start,
                clause.start + end,
                "Works at {o}",
                0.82,
                who.subject,
                who.name,
                who.relation,
                slot="valid_from",
            )
    elif predicate == "birthday" and (match := _BORN_IN.pattern.match(clause.text, core)):
        yield from _from_rule(_BORN_IN, match, clause, who, phrase)


def _from_rule(rule: Rule, match: re.Match[str], clause: Span, who: Who, phrase: Phrase) -> Iterator[Draft]:
    start, end = match.span("o")
    end = cut_value(clause.text, start, end, rule.cut)
    predicate, template, action, polarity = rule.predicate, rule.text, "assert", True
    if phrase.negated or phrase.ended or phrase.former:
        if rule.negated_as:
            predicate, template = rule.negated_as, rule.negated_text
        elif phrase.ended or phrase.former:
            action = "retract"
        elif rule.negated_text:
            template, polarity = rule.negated_text, False
        else:
            return
        if phrase.former:
            predicate, action = rule.predicate, "retract"
    elif not rule.text and rule.negated_as:
        return
    if phrase.past and rule.predicate in {"likes", "dislikes", "uses"} and not phrase.negated:
        return
    past = phrase.past or bool(_HAPPENED.search(clause.text, match.start(), start))
    groups = match.groupdict()
    template = template.replace("{q}", groups.get("q") or "")
    if groups.get("q"):
        predicate = f"{predicate}.{groups['q'].casefold()}"
    if groups.get("name"):
        start, end = match.span("name")
        template = "{o}: " + groups["q"].casefold()
    unsure = False
    if rule.predicate in {"likes", "dislikes"}:
        said = clause.text[start:end]
        if points_at(said):
            return
        unsure = may_point_at(said)
    values = list_values(clause.text, start, end) if rule.many else [tidy(clause.text, start, end)]
    for value_start, value_end in values:
        if rule.predicate in _PLACES and (run := _PROPER_RUN.match(clause.text, value_start, value_end)):
            value_end = run.end()
        value = clause.text[value_start:value_end]
        if value_start >= value_end or "\ufffc" in value or not rule.accepts(value):
            continue
        if rule.predicate == "name" and who.relation and not who.name:
            # "My sister is called Nora" brings a person up; what follows is about Nora.
            who.name = value
            yield Draft(
                f"relation.{who.relation}",
                clause.start + value_start,
                clause.start + value_end,
                "{o}: " + who.relation,
                0.9,
            )
            continue
        said = template
        name = predicate
        if predicate == "uses" and (kind := category(value)):
            name = f"uses.{kind}"
            said = (
                f"{template} as {kind.replace('_', ' ')}"
                if kind in {"database", "editor", "message_queue", "vector_database", "browser", "operating_system"}
                else template
            )
        yield Draft(
            name, clause.start + value_start, clause.start + value_end,
            _filled(said, match, who),
            UNSURE if unsure else rule.confidence, who.subject, who.name, who.relation, polarity, action,  # type: ignore[arg-type]
            phrase.additive, match.groupdict().get("f"), None, rule.slot, past,
        )  # fmt: skip
