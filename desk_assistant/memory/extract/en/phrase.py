"""The form of an English verb phrase: auxiliaries, negation, tense, and where its main verb begins."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from desk_assistant.memory.extract.en import words
from desk_assistant.memory.extract.rules import load_patterns

_PATTERNS: Final = load_patterns(__package__, "phrase", words.LISTS)


@dataclass(frozen=True, slots=True)
class Phrase:
    """A verb phrase with its form worked out.

    Attributes:
        core: Offset in the clause where the main verb or complement begins.
        copula: It is a complement ("is …").
        negated: "not", "never".
        ended: "no longer", "not … any more".
        past: Past tense or perfect.
        modal: "will", "can" …, empty without one.
        additive: "also".
        former: "used to".
    """

    core: int
    copula: bool = False
    negated: bool = False
    ended: bool = False
    past: bool = False
    modal: str = ""
    additive: bool = False
    former: bool = False


_ADVERBS: Final = (
    "really|also|just|still|currently|now|actually|honestly|absolutely|definitely|usually|mostly|mainly|recently|already"
    "|finally|always|both|all|only|too|personally|generally|often|sometimes|obviously|clearly|literally|simply|kind of"
    "|sort of|primarily|normally|typically|regularly|probably|totally|truly|even|officially|quite|originally|in fact"
    "|particularly|especially|once|first|then|since|happily|sadly|unfortunately|fortunately|luckily|eventually|basically"
)
_AUXILIARY: Final = _PATTERNS["auxiliary"]
_ADVERB: Final = re.compile(
    rf"\s*(?P<w>{_ADVERBS}|not|never|no longer|any longer|been|hardly|rarely)(?:\s+|(?=\s*$))", re.IGNORECASE
)
_ANY_MORE: Final = re.compile(r"\b(?:any ?more|any longer|no more|these days)\b", re.IGNORECASE)
_ALSO: Final = re.compile(r"\balso\b|\btoo\b|\bas well\b|\bon the side\b", re.IGNORECASE)
_PARTICIPLE: Final = _PATTERNS["participle"]
_HAVE_GOT: Final = re.compile(r"got (?:an?|my|the|two|three|four|to|some|no)\b", re.IGNORECASE)

_COME_TO: Final = re.compile(
    r"(?:come|came|grown|grew|learned|learnt|started|begun|began) to "
    r"(?=(?:really )?(?:love|like|hate|enjoy|dislike|prefer|loathe)\b)",
    re.IGNORECASE,
)
_BE: Final = frozenset(
    [
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
    ]
)
_PAST: Final = frozenset(["was", "were", "wasn't", "weren't", "did", "didn't", "did not", "had"])
_MODALS: Final = frozenset(
    [
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
    ]
)
_CANNOT: Final = frozenset({"can't", "cannot", "can not", "mustn't", "must not"})
_NEGATIVES: Final = frozenset({"never", "rarely"})


def phrase_at(text: str, at: int) -> Phrase:
    """Work out the form of the verb phrase that begins at `at` of a clause."""
    match = _AUXILIARY.match(text, at)
    aux = (match["aux"] or "").casefold() if match else ""
    core = match.end() if match else at
    additive = bool(_ALSO.search(text, at))
    copula, past = aux in _BE, aux in _PAST
    negated = aux.endswith(("n't", " not")) or aux in _NEGATIVES
    ended = aux == "no longer"
    modal = aux if aux in _MODALS else ""
    if match and aux in _CANNOT:
        # "can't stand" is a way of saying of its own, so the rules see it whole.
        core, negated, modal = match.start("aux"), False, "can't"
    elif aux in {"haven't", "hasn't"}:
        copula = bool(re.match(r"\s*been\b", text[core:], re.IGNORECASE))
        past = not copula
    elif match and aux in {"have", "has", "had", "'ve"}:
        adverb = _ADVERB.match(text, core)
        skipped = adverb is not None and adverb["w"].casefold() != "been"
        after = text[adverb.end() if adverb and skipped else core :].lstrip()
        if _HAVE_GOT.match(after) and aux != "had":
            return Phrase(match.start("aux"), additive=additive)
        if aux == "'ve" or _PARTICIPLE.match(after):
            copula = after[:4].casefold() == "been"
            past = not copula
        else:
            core = match.start("aux")
    elif match and aux == "must":
        core = match.start("aux")
    while adverb := _ADVERB.match(text, core):
        word = adverb["w"].casefold()
        negated = negated or word in {"not", "never", "hardly", "rarely"}
        ended = ended or word in {"no longer", "any longer"}
        core = adverb.end()
    core += len(text[core:]) - len(text[core:].lstrip())
    if come := _COME_TO.match(text, core):
        core, past = come.end(), False
    ended = ended or (negated and bool(_ANY_MORE.search(text, core)))
    return Phrase(core, copula, negated, ended, past, modal, additive, aux == "used to")
