"""Reads English clauses: from words to drafts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from desk_assistant.memory.extract.context import Context, Who
from desk_assistant.memory.extract.en import patterns, words
from desk_assistant.memory.extract.en.heads import CORRECTION, REMEMBER, Head, introduction, read_head
from desk_assistant.memory.extract.en.rules import COMPLEMENTS, VERBS, is_name
from desk_assistant.memory.extract.en.values import cut_value, list_values, tidy, to_third
from desk_assistant.memory.extract.lexicon import category
from desk_assistant.memory.extract.model import ANY, Action, Draft, Span
from desk_assistant.memory.extract.rules import Rule


@dataclass(frozen=True, slots=True)
class Phrase:
    """A verb phrase with its form worked out.

    Attributes:
        core: Offset in the clause where the main verb or complement begins.
        copula: It is a complement ("is …").
        negated, ended: "not", "no longer".
        past: Past tense or perfect.
        modal: "will", "can" …, empty without one.
        additive: "also".
    """

    core: int
    copula: bool = False
    negated: bool = False
    ended: bool = False
    past: bool = False
    modal: str = ""
    additive: bool = False
    former: bool = False
    progressive: bool = False


def read(clause: Span, context: Context) -> Iterator[Draft]:
    """Yield what a clause says; the caller has already applied the gates."""
    text = clause.text
    head = read_head(text, context)
    boost = 0.05 if REMEMBER.search(head.lead) else 0.0
    correction = bool(CORRECTION.match(text))
    found = list(_drafts(clause, head, context))
    for draft in found:
        confidence = min(0.98, draft.confidence + boost)
        action: Action = (
            "correct" if correction and draft.action == "assert" and draft.subject == "user" else draft.action
        )
        yield replace(draft, confidence=confidence, action=action)
    if not found and REMEMBER.search(head.lead) and head.who is None and len(text) - head.at > 6:
        yield Draft("note", clause.start + head.at, clause.end, "{O}", 0.75)


def _drafts(clause: Span, head: Head, context: Context) -> Iterator[Draft]:
    text, at = clause.text, head.at
    if special := list(patterns.whole_clause(clause, head, context)):
        yield from special
        return
    if head.who is None:
        if match := introduction(text, at):
            who = context.speak_of(Who("", match["n"], match["r"].casefold()))
            yield _relation(clause, who, match.span("n"), 0.92)
            return
        yield from patterns.of_mine(clause, at, context)
        return
    if not head.who.is_user:
        if head.named and head.who.relation and not head.inherited:
            yield _relation(clause, head.who, head.named, 0.88)
        if head.possessed:
            yield from _possessed(clause, head)
            return
    yield from verb_phrase(clause, at, head.who, context)


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


_AUX: Final = re.compile(
    r"(?P<adv>(?:\s*(?:really|also|just|still|currently|now|actually|honestly|absolutely|definitely|usually|mostly|mainly|do|did|recently|already|finally|always|both|all|only|too|personally|generally|often|sometimes|obviously|clearly|literally|simply|kind of|sort of|primarily|normally|typically|regularly|probably|totally|truly)\b)*)"
    r"\s*(?P<aux>'m|'re|'s|'ve|'d|'ll|am|is|are|was|were|have been|has been|'ve been|have|has|had|do not|don't|does not|doesn't|did not|didn't|no longer|never|rarely|can't|cannot|can not|can|will not|won't|will|would not|wouldn't|would|should not|shouldn't|should|must not|mustn't|must|might|may|could not|couldn't|could|isn't|aren't|wasn't|weren't|haven't|hasn't|used to|used not to)?(?![\w'])",
    re.IGNORECASE,
)
_ADVERB: Final = re.compile(
    r"\s*(?P<w>really|also|just|still|currently|now|actually|absolutely|definitely|usually|mostly|mainly|recently|already|finally|always|both|all|only|personally|generally|often|sometimes|even|officially|not|never|no longer|any longer|been|hardly|rarely|quite|primarily|originally|probably|in fact|particularly|especially|totally|truly|regularly)(?:\s+|(?=\s*$))",
    re.IGNORECASE,
)
_ENDED: Final = re.compile(r"\b(?:any ?more|any longer|no more|no longer)\b", re.IGNORECASE)
_PARTICIPLE: Final = re.compile(
    r"(?:\w+ed|given|got|gotten|moved|been|become|grown|taken|chosen|bought|sold|broken|lost|found|made|begun|quit|left|had|gone|written|built|switched|run|won|learnt|begun)\b",
    re.IGNORECASE,
)


def phrase_at(text: str, at: int) -> Phrase:
    """Work out the form of the verb phrase that begins at `at`."""
    match = _AUX.match(text, at)
    assert match is not None
    aux = (match["aux"] or "").casefold()
    additive = bool(re.search(r"\balso\b|\btoo\b|\bas well\b", text[at:], re.IGNORECASE))
    ended = bool(_ENDED.search(text, at)) or aux == "no longer"
    negated = aux.endswith("n't") or aux.endswith(" not") or aux in {"never", "rarely", "cannot"}
    past = aux in {"was", "were", "wasn't", "weren't", "did", "didn't", "did not", "'d", "had"}
    copula = aux in {
        "'m",
        "am",
        "'re",
        "are",
        "'s",
        "is",
        "was",
        "were",
        "isn't",
        "aren't",
        "wasn't",
        "weren't",
        "have been",
        "has been",
        "'ve been",
    }
    modal = ""
    core = match.end()
    if aux in {
        "can",
        "will",
        "'ll",
        "would",
        "'d",
        "should",
        "must",
        "might",
        "may",
        "could",
        "will not",
        "won't",
        "would not",
        "wouldn't",
        "shouldn't",
        "should not",
        "mustn't",
        "must not",
        "couldn't",
        "could not",
    }:
        modal = aux
    if aux in {"can't", "cannot", "can not"}:
        core, negated = match.start("aux"), False  # "can't stand" is a rule of its own
        modal = "can't"
    if aux in {"have", "has", "had", "'ve"}:
        after = text[match.end() :].lstrip()
        adverb = _ADVERB.match(text, match.end())
        if adverb:
            after = text[adverb.end() :]
        if aux == "'ve" or (
            _PARTICIPLE.match(after) and not re.match(r"got (?:a|an|my|the|two|three)\b|got to\b", after, re.IGNORECASE)
        ):
            if re.match(r"been\b", after, re.IGNORECASE):
                copula = True
            elif re.match(r"got\b", after, re.IGNORECASE) and aux == "'ve":
                core = match.start("aux")
                return Phrase(core, additive=additive, ended=ended)
            past = past or not copula
        else:
            core = match.start("aux")
    if aux in {"must"}:
        core = match.start("aux")
    while adverb := _ADVERB.match(text, core):
        word = adverb["w"].casefold()
        if word in {"not", "never", "hardly", "rarely"}:
            negated = True
        elif word in {"no longer", "any longer"}:
            ended = True
        core = adverb.end()
    core += len(text[core:]) - len(text[core:].lstrip())
    former = aux.startswith("used") and not copula
    return Phrase(core, copula, negated, ended, past, modal, additive, former)


def verb_phrase(clause: Span, at: int, who: Who, context: Context) -> Iterator[Draft]:
    """Yield what the verb phrase at `at` says of `who`."""
    text = clause.text
    phrase = phrase_at(text, at)
    if phrase.core >= len(text):
        return
    if who.is_user and (special := list(patterns.special_verbs(clause, phrase.core, phrase.negated))):
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
        yield from patterns.wishes(clause, phrase.core, phrase.modal, who)
        return
    if phrase.modal in {"will", "'ll", "won't", "will not"}:
        yield from patterns.future(clause, phrase.core, who)
        return
    former_be = phrase.former and text[phrase.core :].casefold().startswith("be ")
    if phrase.copula or former_be:
        core = phrase.core + (3 if former_be else 0)
        if phrase.past and not re.match(r"(?:born|raised|diagnosed|named)\b", text[core:], re.IGNORECASE):
            return
        drafts = list(_apply(COMPLEMENTS, clause, core, who, phrase))
        if not drafts and re.match(r"\w+ing\b", text[core:]):
            drafts = list(_apply(VERBS, clause, core, who, phrase))
        yield from drafts
        return
    drafts = list(_apply(VERBS, clause, phrase.core, who, phrase))
    yield from drafts or patterns.anything(
        clause, phrase.core, phrase.negated or phrase.ended, phrase.past, who, phrase.modal
    )


def _apply(rules: tuple[Rule, ...], clause: Span, core: int, who: Who, phrase: Phrase) -> Iterator[Draft]:
    for rule in rules:
        if not who.is_user and not rule.others:
            continue
        match = rule.pattern.match(clause.text, core)
        if not match:
            continue
        drafts = list(_from_rule(rule, match, clause, who, phrase))
        if drafts:
            yield from drafts
            return
        if rule.guard is None and (phrase.negated or phrase.ended):
            return


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
    groups = match.groupdict()
    template = template.replace("{q}", groups.get("q") or "")
    if groups.get("q"):
        predicate = f"{predicate}.{groups['q'].casefold()}"
    if groups.get("name"):
        start, end = match.span("name")
        template = "{o}: " + groups["q"].casefold()
    values = list_values(clause.text, start, end) if rule.many else [tidy(clause.text, start, end)]
    for value_start, value_end in values:
        value = clause.text[value_start:value_end]
        if value_start >= value_end or "\ufffc" in value or (rule.guard and not rule.guard(value)):
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
            said.replace("{V}", to_third(clause.text[match.start() : match.end()], who.is_user)),
            rule.confidence, who.subject, who.name, who.relation, polarity, action,  # type: ignore[arg-type]
            phrase.additive, match.groupdict().get("f"), None, rule.slot, phrase.past,
        )  # fmt: skip


__all__ = ["is_name", "phrase_at", "read", "verb_phrase", "words", "ANY"]
